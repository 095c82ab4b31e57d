import type { FakeResponse } from './fakeResponse';

/** The writes of which a response consists, up to its fault. */
export function writesOf({ body = '', chunkBytes = [], fault }: FakeResponse): AsyncIterable<Uint8Array> {
  return firstBytes(cut(piecesOf(body), lengthsOf(chunkBytes)), fault?.afterBytes ?? Infinity);
}

function piecesOf(body: NonNullable<FakeResponse['body']>): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof body === 'string') return [new TextEncoder().encode(body)];
  return body instanceof Uint8Array ? [body] : body;
}

/** The lengths of the writes, without end. */
function* lengthsOf(chunkBytes: number | readonly number[]): Generator<number, never> {
  if (typeof chunkBytes !== 'number') yield* chunkBytes;
  for (;;) yield typeof chunkBytes === 'number' ? chunkBytes : Infinity;
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
