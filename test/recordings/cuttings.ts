import { existsSync } from 'node:fs';
import { sliceBytes } from 'rx-model-stream/testing';
import { collectionBytes, collectionJson, collectionPath } from '../support/shared';

/** The ways in which a recording is read: whole, cut small, and as the network delivered it where that is known. */
export function cuttingsOf(file: string): [name: string, chunks: Uint8Array[]][] {
  const path = `recordings/${file}`;
  const bytes = collectionBytes(path);
  const lengths = `${path}.chunks.json`;
  return [
    ['whole', [bytes]],
    ...[1, 7, 64].map((size): [string, Uint8Array[]] => [`${size} bytes`, sliceBytes(bytes, size)]),
    ...(existsSync(collectionPath(lengths))
      ? [['network', sliceBytes(bytes, collectionJson(lengths) as number[])] satisfies [string, Uint8Array[]]]
      : []),
  ];
}
