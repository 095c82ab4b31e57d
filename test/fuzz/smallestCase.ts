import { concatBytes } from '../support/awsEventStream';
import { faultsOf } from './faults';
import type { FuzzCase } from './fuzzCase';
import { shrunk } from './shrunk';

type Pieces = FuzzCase['pieces'];

const ATTEMPTS = 400;
const LINE_FEED = 10;

/** A case with the same fault and as little of the stream as a short search finds: messages or lines, then bytes. */
export function smallestCase(fuzzCase: FuzzCase, fault: string): FuzzCase {
  const kind = kindOf(fault);
  const withPieces = (pieces: Pieces): FuzzCase => ({ ...fuzzCase, pieces });
  const isFaulty = (pieces: Pieces): boolean => faultsOf(withPieces(pieces)).some((found) => kindOf(found) === kind);
  if (fuzzCase.framing === 'websocket') return withPieces(shrunk(fuzzCase.pieces, isFaulty, ATTEMPTS));
  const joined = (pieces: Pieces): Pieces => [concatBytes(pieces)];
  const isFaultyBody = (pieces: Pieces): boolean => isFaulty(joined(pieces));
  if (!isFaultyBody(fuzzCase.pieces)) return fuzzCase; // it needs its chunks
  const lines = shrunk(linesOf(concatBytes(fuzzCase.pieces)), isFaultyBody, ATTEMPTS);
  const bytes = [...concatBytes(lines)].map((byte) => Uint8Array.of(byte));
  return withPieces(joined(shrunk(bytes, isFaultyBody, ATTEMPTS)));
}

/** Faults that differ in numbers and places are of one kind. */
export function kindOf(fault: string): string {
  return fault.replace(/\d+/g, '#').slice(0, 200);
}

function linesOf(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const lines: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(LINE_FEED, start) + 1 || body.length;
    lines.push(body.slice(start, end));
    start = end;
  }
  return lines;
}
