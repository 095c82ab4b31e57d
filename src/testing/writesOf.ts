import { chunkLengths } from './chunkSizes';
import type { FakeAnswer } from './fakeAnswer';

/** The writes of which the body of an answer consists, up to its fault. */
export async function* writesOf({ body = '', chunkBytes = [], fault }: FakeAnswer): AsyncGenerator<Uint8Array, void> {
  yield* firstBytes(cut(piecesOf(body), chunkLengths(chunkBytes)), fault?.afterBytes ?? Infinity);
  if (fault?.type === 'error-event') yield new TextEncoder().encode(fault.event);
}

function piecesOf(body: NonNullable<FakeAnswer['body']>): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof body === 'string') return [new TextEncoder().encode(body)];
  return body instanceof Uint8Array ? [body] : body;
}

async function* cut(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  lengths: Iterator<number, never>,
): AsyncGenerator<Uint8Array> {
  let untilCut = lengths.next().value;
  for await (const piece of pieces) {
    let rest = piece;
    while (rest.length >= untilCut) {
      yield rest.subarray(0, untilCut);
      rest = rest.subarray(untilCut);
      untilCut = lengths.next().value;
    }
    if (rest.length > 0) yield rest;
    untilCut -= rest.length;
  }
}

async function* firstBytes(writes: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  if (left <= 0) return;
  for await (const bytes of writes) {
    yield bytes.subarray(0, left);
    left -= bytes.length;
    if (left <= 0) return;
  }
}
