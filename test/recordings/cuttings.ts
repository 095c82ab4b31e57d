import { existsSync } from 'node:fs';
import { chunksOfLengths, slices } from '../support/chunkings';
import { collectionBytes, collectionJson, collectionPath } from '../support/shared';

/** The ways in which a recording is read: whole, cut small, and as the network delivered it where that is known. */
export function cuttingsOf(file: string): [name: string, chunks: Uint8Array[]][] {
  const path = `recordings/${file}`;
  const bytes = collectionBytes(path);
  const lengths = `${path}.chunks.json`;
  return [
    ['whole', [bytes]],
    ...[1, 7, 64].map((size): [string, Uint8Array[]] => [`${size} bytes`, slices(bytes, size)]),
    ...(existsSync(collectionPath(lengths))
      ? [['network', chunksOfLengths(bytes, collectionJson(lengths) as number[])] satisfies [string, Uint8Array[]]]
      : []),
  ];
}
