import { collectionBytes, collectionJson, hasCollection } from '../../test/support/shared';
import type { Api, WireStream } from './wireStream';

/** Recordings of plain use that every reader takes, long and with little that is special. */
const RECORDINGS: Readonly<Record<Api, readonly string[]>> = {
  'openai-responses': [
    'openai-responses/tool-call-very-long-args.sse',
    'openai-responses/reasoning-then-text.sse',
    'openai-responses/mcp-call.sse',
  ],
  anthropic: [
    'anthropic-messages/text-long.sse',
    'anthropic-messages/thinking-then-tool.sse',
    'anthropic-messages/web-search-citations.sse',
  ],
  'openai-chat': ['openai-chat/text-very-long.sse', 'openai-chat/text-then-tool-call.sse', 'openai-chat/logprobs.sse'],
};

/** The recorded streams of an API, each event a chunk, as a service sends them; none where there is no collection. */
export function recordedStreams(api: Api): WireStream[] {
  if (!hasCollection) return [];
  const expectations = collectionJson('recordings/EXPECT.json') as Record<string, { readonly text: string }>;
  return RECORDINGS[api].map((file) => recordedStream(api, file, expectations[file]?.text ?? ''));
}

function recordedStream(api: Api, file: string, text: string): WireStream {
  const bytes = collectionBytes(`recordings/${file}`);
  const events = new TextDecoder().decode(bytes).split(/(?<=\n\n)/);
  return {
    api,
    bytes,
    chunks: events.map((event) => new TextEncoder().encode(event)),
    frames: events.length,
    expected: { frames: events.length, text },
  };
}
