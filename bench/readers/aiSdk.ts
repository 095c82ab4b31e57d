import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { jsonSchema, streamText, tool, type LanguageModel, type ToolSet } from 'ai';
import { APIS, type Api, type WireStream } from '../streams/wireStream';
import { inMemory } from './inMemory';
import type { Reader } from './reader';

const MODELS: Readonly<Record<Api, (stream: WireStream) => LanguageModel>> = {
  'openai-responses': (stream) => createOpenAI({ apiKey: 'none', fetch: inMemory(stream) }).responses('gpt-4.1'),
  'openai-chat': (stream) => createOpenAI({ apiKey: 'none', fetch: inMemory(stream) }).chat('gpt-4.1'),
  anthropic: (stream) => createAnthropic({ apiKey: 'none', fetch: inMemory(stream) })('claude-sonnet-4-5'),
};

const TOOLS: ToolSet = { write: tool({ inputSchema: jsonSchema<object>({ type: 'object' }) }) };

/** The AI SDK, answered from memory: read to its end, then asked for the answer. */
export const aiSdk: Reader = {
  step: 'answer',
  name: 'ai streamText',
  apis: APIS,
  async read(stream) {
    const result = streamText({ model: MODELS[stream.api](stream), prompt: '-', tools: TOOLS });
    await result.consumeStream();
    const calls = await result.toolCalls;
    return {
      text: await result.text,
      arguments: calls.map(({ input }) => JSON.stringify(input)).join(''),
    };
  },
};
