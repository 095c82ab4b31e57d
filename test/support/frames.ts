import type { OperatorFunction } from 'rxjs';
import type { Frame, Provider } from 'rx-model-stream';
import { framesIn as framesOfBody, readChunks, type Reading } from '../../src/testing/contract/reading';

export { framesOf, framesWith, frozenFrame, readFrames, type Reading } from '../../src/testing/contract/reading';

/** What a provider makes of a body that is all there, in these chunks. */
export function readBody(
  provider: Provider,
  frame: () => OperatorFunction<Uint8Array, Frame>,
  chunks: readonly Uint8Array[],
): Reading {
  return readChunks(provider, frame(), chunks);
}

/** The frames of a body, those before its failure if it does not keep to its framing. */
export function framesIn(frame: () => OperatorFunction<Uint8Array, Frame>, body: Uint8Array): Frame[] {
  return framesOfBody(frame(), body);
}
