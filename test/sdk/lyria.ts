import type { WordList } from './wordList';

/** Fields of a message. */
export const MESSAGE_FIELDS = {
  mapped: ['serverContent'],
  raw: [
    { why: 'of the session, not of the music', words: ['setupComplete'] },
    { why: 'says which prompt was left out', words: ['filteredPrompt'] },
    { why: 'added by the SDK: not on the wire', words: ['audioChunk'] },
  ],
  elsewhere: [],
} as const satisfies WordList;

/** Fields of `serverContent`. */
export const CONTENT_FIELDS = { mapped: ['audioChunks'], raw: [], elsewhere: [] } as const satisfies WordList;
