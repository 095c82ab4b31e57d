import type { WordList } from './wordList';

/** Fields of a message. */
export const MESSAGE_FIELDS = {
  mapped: ['serverContent', 'toolCall', 'toolCallCancellation', 'usageMetadata', 'error'],
  raw: [
    { why: 'of the session, not of a turn', words: ['setupComplete', 'goAway', 'sessionResumptionUpdate'] },
    { why: 'of what the user says', words: ['voiceActivity', 'voiceActivityDetectionSignal'] },
    { why: 'added by the SDK: not on the wire', words: ['text', 'data'] },
  ],
  elsewhere: [{ source: 'https://cloud.google.com/apis/design/errors, of a gateway', words: ['error'] }],
} as const satisfies WordList;

/** Fields of `serverContent`. */
export const CONTENT_FIELDS = {
  mapped: [
    ...['modelTurn', 'outputTranscription', 'groundingMetadata'],
    ...['interrupted', 'turnComplete', 'turnCompleteReason'],
  ],
  raw: [
    { why: 'of what the user says', words: ['inputTranscription', 'interimInputTranscription'] },
    {
      why: 'a state, which the end of the turn follows',
      words: ['generationComplete', 'waitingForInput', 'interactionStatus'],
    },
    { why: 'what was read, in a form of its own', words: ['urlContextMetadata'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** `turnCompleteReason`. */
export const REASONS = {
  mapped: [
    ...['TURN_COMPLETE_REASON_UNSPECIFIED', 'NEED_MORE_INPUT'],
    ...['PROHIBITED_INPUT_CONTENT', 'IMAGE_PROHIBITED_INPUT_CONTENT', 'INPUT_TEXT_CONTAIN_PROMINENT_PERSON_PROHIBITED'],
    ...['INPUT_IMAGE_CELEBRITY', 'INPUT_IMAGE_PHOTO_REALISTIC_CHILD_PROHIBITED', 'INPUT_TEXT_NCII_PROHIBITED'],
    ...['INPUT_OTHER', 'INPUT_IP_PROHIBITED', 'BLOCKLIST', 'UNSAFE_PROMPT_FOR_IMAGE_GENERATION'],
    ...['GENERATED_IMAGE_SAFETY', 'GENERATED_CONTENT_SAFETY', 'GENERATED_AUDIO_SAFETY', 'GENERATED_VIDEO_SAFETY'],
    ...['GENERATED_CONTENT_PROHIBITED', 'GENERATED_CONTENT_BLOCKLIST', 'GENERATED_IMAGE_PROHIBITED'],
    ...['GENERATED_IMAGE_CELEBRITY', 'GENERATED_IMAGE_PROMINENT_PEOPLE_DETECTED_BY_REWRITER'],
    ...[
      'GENERATED_IMAGE_IDENTIFIABLE_PEOPLE',
      'GENERATED_IMAGE_MINORS',
      'OUTPUT_IMAGE_IP_PROHIBITED',
      'GENERATED_OTHER',
    ],
  ],
  raw: [
    {
      why: 'what the model wrote was of no use',
      words: ['MALFORMED_FUNCTION_CALL', 'RESPONSE_REJECTED', 'MAX_REGENERATION_REACHED'],
    },
  ],
  elsewhere: [],
} as const satisfies WordList;
