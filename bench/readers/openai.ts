import OpenAI from 'openai';
import type { Found, WireStream } from '../streams/wireStream';
import { inMemory } from './inMemory';
import type { Reader } from './reader';

/** The official client, answered from memory: its events one by one, and its helper that builds the answer. */
export const openaiReaders: readonly Reader[] = [
  { step: 'events', name: 'openai responses.create', apis: ['openai-responses'], read: responseEvents },
  { step: 'answer', name: 'openai responses.stream', apis: ['openai-responses'], read: finalResponse },
  { step: 'events', name: 'openai chat.completions.create', apis: ['openai-chat'], read: chatChunks },
  { step: 'answer', name: 'openai chat.completions.stream', apis: ['openai-chat'], read: finalChatCompletion },
];

function clientFor(stream: WireStream): OpenAI {
  return new OpenAI({ apiKey: 'none', fetch: inMemory(stream) });
}

async function responseEvents(stream: WireStream): Promise<Found> {
  let text = '';
  let argumentsText = '';
  for await (const event of await clientFor(stream).responses.create({ model: 'm', input: '', stream: true })) {
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type === 'response.function_call_arguments.delta') argumentsText += event.delta;
  }
  return { text, arguments: argumentsText };
}

async function finalResponse(stream: WireStream): Promise<Found> {
  const { output, output_text } = await clientFor(stream).responses.stream({ model: 'm', input: '' }).finalResponse();
  const calls = output.flatMap((item) => (item.type === 'function_call' ? item.arguments : []));
  return { text: output_text, arguments: calls.join('') };
}

async function chatChunks(stream: WireStream): Promise<Found> {
  let text = '';
  let argumentsText = '';
  const chunks = await clientFor(stream).chat.completions.create({ model: 'm', messages: [], stream: true });
  for await (const { choices } of chunks) {
    const delta = choices[0]?.delta;
    text += delta?.content ?? '';
    for (const call of delta?.tool_calls ?? []) argumentsText += call.function?.arguments ?? '';
  }
  return { text, arguments: argumentsText };
}

async function finalChatCompletion(stream: WireStream): Promise<Found> {
  const client = clientFor(stream);
  const { choices } = await client.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion();
  const message = choices[0]?.message;
  const calls = message?.tool_calls?.flatMap((call) => (call.type === 'function' ? call.function.arguments : []));
  return { text: message?.content ?? '', arguments: calls?.join('') ?? '' };
}
