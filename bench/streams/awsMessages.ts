import { sliceBytes } from 'rx-model-stream/testing';
import { concatBytes, encodeAwsMessage } from '../../test/support/awsEventStream';
import type { Answer } from './answer';

const HEADERS = {
  ':event-type': 'contentBlockDelta',
  ':content-type': 'application/json',
  ':message-type': 'event',
};

/** The deltas of Bedrock's ConverseStream that say this answer, a message a piece, in chunks of this size. */
export function awsMessages(answer: Answer, chunkBytes: number): Uint8Array[] {
  const messages = answer.flatMap(({ pieces }, contentBlockIndex) =>
    pieces.map((text) =>
      encodeAwsMessage({ headers: HEADERS, payload: { contentBlockIndex, delta: { text }, p: 'abcdefghijklmnopq' } }),
    ),
  );
  return sliceBytes(concatBytes(messages), chunkBytes);
}
