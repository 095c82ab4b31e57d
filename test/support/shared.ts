import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The collection of conformance data, recordings and bug reports beside the project's root, where it is present. */
const COLLECTION = resolve('../shared');

export const hasCollection = existsSync(COLLECTION);

export function collectionPath(path: string): string {
  return join(COLLECTION, path);
}

export function collectionJson(path: string): unknown {
  return JSON.parse(readFileSync(collectionPath(path), 'utf8'));
}

export function collectionBytes(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(collectionPath(path)));
}

/** Registers tests over a part of the collection; where it is missing, one skipped test says how much was not run. */
export function describeCollection(title: string, count: number, define: () => void): void {
  if (hasCollection) describe(title, define);
  else
    describe(title, () => {
      it.skip(`${count} cases skipped: the collection is not present`, () => {});
    });
}
