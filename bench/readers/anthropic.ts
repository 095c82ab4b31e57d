import Anthropic from '@anthropic-ai/sdk';
import type { Found, WireStream } from '../streams/wireStream';
import { inMemory } from './inMemory';
import type { Reader } from './reader';

/** The official client, answered from memory: its events one by one, and its helper that builds the answer. */
export const anthropicReaders: readonly Reader[] = [
  { step: 'events', name: '@anthropic-ai/sdk messages.create', apis: ['anthropic'], read: messageEvents },
  { step: 'answer', name: '@anthropic-ai/sdk messages.stream', apis: ['anthropic'], read: finalMessage },
];

const REQUEST = { model: 'm', max_tokens: 1, messages: [] };

function clientFor(stream: WireStream): Anthropic {
  return new Anthropic({ apiKey: 'none', fetch: inMemory(stream) });
}

async function messageEvents(stream: WireStream): Promise<Found> {
  let text = '';
  let argumentsText = '';
  for await (const event of await clientFor(stream).messages.create({ ...REQUEST, stream: true })) {
    if (event.type !== 'content_block_delta') continue;
    if (event.delta.type === 'text_delta') text += event.delta.text;
    if (event.delta.type === 'input_json_delta') argumentsText += event.delta.partial_json;
  }
  return { text, arguments: argumentsText };
}

async function finalMessage(stream: WireStream): Promise<Found> {
  const { content } = await clientFor(stream).messages.stream(REQUEST).finalMessage();
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    arguments: content.map((block) => (block.type === 'tool_use' ? JSON.stringify(block.input) : '')).join(''),
    blocks: content.length,
  };
}
