import {
  anthropic,
  cohere,
  gemini,
  geminiInteractions,
  openaiChat,
  openaiRealtime,
  openaiResponses,
  type Provider,
} from 'rx-model-stream';

/** A kind of stream in which something comes again and again; it has to cost the same each time. */
export interface LongShape {
  readonly title: string;
  readonly provider: () => Provider;
  readonly payloads: (count: number) => readonly unknown[];
}

export const LONG_SHAPES: readonly LongShape[] = [
  {
    title: 'anthropic: text and citations in turn',
    provider: anthropic,
    payloads: (count) => [
      { type: 'message_start', message: { id: 'm' } },
      ...repeated(count, (place) => [
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: { url: `${place}` } } },
      ]),
    ],
  },
  {
    title: 'anthropic: tiny blocks',
    provider: anthropic,
    payloads: (count) => [
      { type: 'message_start', message: { id: 'm' } },
      ...repeated(count, (index) => [
        { type: 'content_block_delta', index, delta: { type: 'text_delta', text: 'w' } },
        { type: 'content_block_stop', index },
      ]),
    ],
  },
  {
    title: 'anthropic: calls that are all open',
    provider: anthropic,
    payloads: (count) => [
      { type: 'message_start', message: { id: 'm' } },
      ...repeated(count, (index) => [
        {
          type: 'content_block_start',
          index,
          content_block: { type: 'tool_use', id: `t${index}`, name: 'f', input: {} },
        },
      ]),
      ...repeated(count, (index) => [
        { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '{}' } },
      ]),
    ],
  },
  {
    title: 'openai-responses: late citations',
    provider: openaiResponses,
    payloads: (count) => [
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'x' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message', content: [{ type: 'output_text', text: 'x' }] },
      },
      ...repeated(count, (place) => [
        {
          type: 'response.output_text.annotation.added',
          output_index: 0,
          content_index: 0,
          annotation: { url: `${place}` },
        },
      ]),
    ],
  },
  {
    title: 'openai-chat: many sources in one chunk',
    provider: openaiChat,
    payloads: (count) => [
      {
        choices: [{ index: 0, delta: { content: 'x' } }],
        citations: repeated(count, (place) => [`${place}`]),
        search_results: repeated(count, (place) => [{ url: `${place}` }]),
      },
    ],
  },
  {
    title: 'openai-chat: pieces of thinking',
    provider: openaiChat,
    payloads: (count) =>
      repeated(count, () => [
        { choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'word ' }] }] } }] },
      ]),
  },
  {
    title: 'gemini: text and its sources in turn',
    provider: gemini,
    payloads: (count) =>
      repeated(count, (place) => [
        {
          candidates: [
            {
              content: { parts: [{ text: 'word ' }] },
              groundingMetadata: {
                groundingChunks: [{ web: { uri: `${place}` } }],
                groundingSupports: [{ segment: wordAt(place), groundingChunkIndices: [0] }],
              },
            },
          ],
        },
      ]),
  },
  {
    title: 'gemini: late supports of sources told before',
    provider: gemini,
    payloads: (count) => [
      {
        candidates: [
          {
            content: { parts: [{ text: 'word '.repeat(count) }] },
            groundingMetadata: { groundingChunks: repeated(count, (place) => [{ web: { uri: `${place}` } }]) },
          },
        ],
      },
      ...repeated(count, (place) => [
        {
          candidates: [
            { groundingMetadata: { groundingSupports: [{ segment: wordAt(place), groundingChunkIndices: [place] }] } },
          ],
        },
      ]),
    ],
  },
  {
    title: 'gemini-interactions: text and annotations in turn',
    provider: geminiInteractions,
    payloads: (count) =>
      repeated(count, (place) => [
        { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'word ' } },
        {
          event_type: 'step.delta',
          index: 0,
          delta: {
            type: 'text_annotation_delta',
            annotations: [{ url: `${place}`, start_index: 5 * place, end_index: 5 * place + 4 }],
          },
        },
      ]),
  },
  {
    title: 'cohere: text and citations in turn',
    provider: cohere,
    payloads: (count) =>
      repeated(count, (place) => [
        { type: 'content-delta', index: 0, delta: { message: { content: { text: 'word ' } } } },
        {
          type: 'citation-start',
          delta: { message: { citations: { start: 5 * place, end: 5 * place + 4, text: 'word' } } },
        },
      ]),
  },
  {
    title: 'openai-realtime: pieces of arguments',
    provider: openaiRealtime,
    payloads: (count) => [
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_item.added', item: { id: 'i', type: 'function_call', name: 'f', call_id: 'c' } },
      ...repeated(count, () => [
        { type: 'response.function_call_arguments.delta', item_id: 'i', call_id: 'c', delta: 'word ' },
      ]),
    ],
  },
];

function wordAt(place: number): object {
  return { startIndex: 5 * place, endIndex: 5 * place + 4, text: 'word' };
}

function repeated(count: number, payloadsAt: (place: number) => readonly unknown[]): unknown[] {
  return Array.from({ length: count }, (_none, place) => payloadsAt(place)).flat();
}
