import { sliceBytes } from 'rx-model-stream/testing';
import { contentsOf, type Answer } from './answer';
import { anthropicEvents } from './anthropic';
import { openaiChatChunks } from './openaiChat';
import { openaiResponsesEvents } from './openaiResponses';
import type { Api, WireStream } from './wireStream';

/** A service that writes faster than it is read fills the buffers in between: chunks of this size arrive. */
const CHUNK_BYTES = 16 * 1024;

/** How the bytes of a generated stream arrive. */
export interface Delivery {
  readonly chunkBytes?: number;
  readonly lineEnd?: '\n' | '\r\n';
}

/** The event streams of each API: its payloads, whether an `event:` line names them, and the sentinel after them. */
const WIRES = {
  'openai-responses': { payloadsOf: openaiResponsesEvents, isNamed: true, sentinel: undefined },
  'openai-chat': { payloadsOf: openaiChatChunks, isNamed: false, sentinel: '[DONE]' },
  anthropic: { payloadsOf: anthropicEvents, isNamed: true, sentinel: undefined },
} as const;

/** An answer as a service would stream it. */
export function generatedStream(api: Api, answer: Answer, delivery: Delivery = {}): WireStream {
  const { chunkBytes = CHUNK_BYTES, lineEnd = '\n' } = delivery;
  const { payloadsOf, isNamed, sentinel } = WIRES[api];
  const frames: string[] = [];
  for (const payload of payloadsOf(answer)) {
    const name = isNamed && 'type' in payload ? `event: ${String(payload.type)}${lineEnd}` : '';
    frames.push(`${name}data: ${JSON.stringify(payload)}${lineEnd}${lineEnd}`);
  }
  if (sentinel !== undefined) frames.push(`data: ${sentinel}${lineEnd}${lineEnd}`);
  const bytes = new TextEncoder().encode(frames.join(''));
  return {
    api,
    bytes,
    chunks: sliceBytes(bytes, chunkBytes),
    frames: frames.length,
    expected: {
      frames: frames.length,
      text: contentsOf(answer, 'text'),
      arguments: contentsOf(answer, 'tool-call'),
      blocks: answer.length,
    },
  };
}
