import type { WordList } from './wordList';

/** Fields of a chunk. */
export const CHUNK_FIELDS = {
  mapped: ['id', 'model', 'choices', 'usage', 'error', 'citations'],
  raw: [
    {
      why: 'says nothing of the answer',
      words: ['object', 'created', 'system_fingerprint', 'service_tier', 'obfuscation'],
    },
    { why: 'judges the answer in a form of its own', words: ['moderation'] },
  ],
  elsewhere: [
    { source: 'https://openrouter.ai/docs, and the runtime of the SDK', words: ['error'] },
    { source: 'streams of xAI and Perplexity', words: ['citations'] },
  ],
} as const satisfies WordList;

/** Fields of a choice. */
export const CHOICE_FIELDS = {
  mapped: ['index', 'delta', 'finish_reason'],
  raw: [{ why: 'belongs to tokens, which this vocabulary does not know', words: ['logprobs'] }],
  elsewhere: [],
} as const satisfies WordList;

/** Fields of a delta. */
export const DELTA_FIELDS = {
  mapped: [
    ...['content', 'refusal', 'tool_calls', 'function_call'],
    ...['reasoning', 'reasoning_content', 'reasoning_details', 'annotations'],
  ],
  raw: [
    { why: 'always the assistant', words: ['role'] },
    { why: 'has no format on the wire; its id goes into the turn', words: ['audio'] },
  ],
  elsewhere: [
    { source: 'streams of DeepSeek and others', words: ['reasoning_content'] },
    { source: 'streams of OpenRouter', words: ['reasoning', 'reasoning_details'] },
    { source: 'streams of search models of OpenAI and OpenRouter', words: ['annotations'] },
  ],
} as const satisfies WordList;

/** Fields of a piece of a tool call that tell its kind. */
export const CALL_FIELDS = {
  mapped: ['index', 'id', 'function', 'custom'],
  raw: [{ why: 'the field beside it says the same', words: ['type'] }],
  elsewhere: [],
} as const satisfies WordList;

/** `finish_reason`. */
export const REASONS = {
  mapped: ['stop', 'length', 'model_length', 'tool_calls', 'function_call', 'content_filter'],
  raw: [],
  elsewhere: [{ source: 'types of the SDK of Mistral', words: ['model_length'] }],
} as const satisfies WordList;
