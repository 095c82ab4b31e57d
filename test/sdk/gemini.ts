import type { WordList } from './wordList';

/** Fields of a chunk. */
export const CHUNK_FIELDS = {
  mapped: ['candidates', 'promptFeedback', 'usageMetadata', 'modelVersion', 'responseId', 'error'],
  raw: [
    { why: 'says nothing of the answer', words: ['createTime', 'modelStatus'] },
    {
      why: 'added by the SDK: not on the wire',
      words: [
        'text',
        'data',
        'functionCalls',
        'executableCode',
        'codeExecutionResult',
        'sdkHttpResponse',
        'automaticFunctionCallingHistory',
        'initialPromptTokenCount',
      ],
    },
  ],
  elsewhere: [{ source: 'https://cloud.google.com/apis/design/errors', words: ['error'] }],
} as const satisfies WordList;

/** Fields of a candidate. */
export const CANDIDATE_FIELDS = {
  mapped: ['index', 'content', 'finishReason', 'citationMetadata', 'groundingMetadata', 'continuationToken'],
  raw: [
    { why: 'what was read, in a form of its own', words: ['urlContextMetadata'] },
    { why: 'explains the reason in words', words: ['finishMessage'] },
    {
      why: 'belongs to tokens, which this vocabulary does not know',
      words: ['tokenCount', 'avgLogprobs', 'logprobsResult'],
    },
    { why: 'judges the answer in a form of its own', words: ['safetyRatings'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** Fields of a part. */
export const PART_FIELDS = {
  mapped: [
    ...['text', 'thought', 'thoughtSignature', 'functionCall', 'inlineData', 'fileData'],
    ...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'],
  ],
  raw: [
    {
      why: 'written by the client',
      words: ['functionResponse', 'mediaResolution', 'videoMetadata', 'mediaProcessing'],
    },
    { why: 'about a sound, in a form of its own', words: ['audioTranscription', 'speechMetadata'] },
    { why: 'means what its sender means', words: ['partMetadata'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** `finishReason`. */
export const REASONS = {
  mapped: [
    ...['STOP', 'MAX_TOKENS', 'CONTINUATION', 'SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'],
    ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'MODEL_ARMOR', 'ESCALATION'],
    'PUP_LIMITED_DISABLED',
  ],
  raw: [
    { why: 'says no reason', words: ['FINISH_REASON_UNSPECIFIED', 'OTHER', 'IMAGE_OTHER', 'NO_IMAGE'] },
    { why: 'a language that is not supported', words: ['LANGUAGE'] },
    {
      why: 'what the model wrote was of no use',
      words: [
        'MALFORMED_FUNCTION_CALL',
        'UNEXPECTED_TOOL_CALL',
        'TOO_MANY_TOOL_CALLS',
        'MISSING_THOUGHT_SIGNATURE',
        'MALFORMED_RESPONSE',
      ],
    },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** `blockReason` of a prompt: each is the reason of the answer that is not given. */
export const BLOCK_REASONS = {
  mapped: ['SAFETY', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'IMAGE_SAFETY', 'MODEL_ARMOR', 'JAILBREAK'],
  raw: [{ why: 'says no reason', words: ['BLOCKED_REASON_UNSPECIFIED'] }],
  elsewhere: [],
} as const satisfies WordList;
