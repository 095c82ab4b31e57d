import { concat, from, NEVER } from 'rxjs';
import { parseJsonArray, type JsonArrayOptions, type ModelStreamError } from 'rx-model-stream';
import { sliceBytes } from 'rx-model-stream/testing';
import { allChunkings } from '../support/chunkings';
import { collectionJson, describeCollection } from '../support/shared';

interface Failure {
  readonly error: string;
  readonly valuesBefore: readonly unknown[];
  /** Other kinds that describe the same failure. */
  readonly errorAlso?: readonly string[];
}

interface Case {
  readonly id: string;
  readonly title: string;
  readonly bytes?: string;
  readonly bytesBase64?: string;
  readonly splits?: readonly number[];
  readonly options?: { readonly maxElementBytes?: number; readonly maxDepth?: number };
  readonly expect: { readonly values: readonly unknown[] } | Failure;
  readonly prompt?: readonly { readonly afterBytes: number; readonly values: number }[];
}

/** The kinds of failure that the conformance data tells apart, by what the error says. */
const KINDS: readonly (readonly [kind: string, code: string, message: RegExp])[] = [
  ['syntax', 'malformed', /^Cannot read array: (its element \d+ is not JSON|neither a comma nor its end follows)/],
  ['encoding', 'malformed', /^Cannot read array: its element \d+ is not UTF-8/],
  ['not-array', 'malformed', /^Cannot read array: the body does not begin with one/],
  ['trailing', 'malformed', /^Cannot read array: there is text behind it/],
  ['truncated', 'truncated', /^Cannot read array: the body ends before it does/],
  ['limit', 'too-large', /^Cannot (buffer|read) element: it (exceeds|is nested deeper than)/],
];

function kindsOf(error: ModelStreamError): string[] {
  return KINDS.filter(([, code, message]) => error.code === code && message.test(error.message)).map(([kind]) => kind);
}

/** What `parseJsonArray` makes of the chunks, in the words of the conformance data. */
function read(chunks: readonly Uint8Array[], options: JsonArrayOptions): Case['expect'] {
  const values: unknown[] = [];
  let kinds: readonly string[] | undefined;
  from(chunks)
    .pipe(parseJsonArray(options))
    .subscribe({
      next: (frame) => {
        if (frame.type === 'json') values.push(frame.value);
      },
      error: (error: ModelStreamError) => {
        kinds = kindsOf(error);
      },
    });
  return kinds === undefined ? { values } : { error: kinds.join(), valuesBefore: values };
}

function bytesOf(testCase: Case): Uint8Array {
  return testCase.bytesBase64 === undefined
    ? new TextEncoder().encode(testCase.bytes)
    : new Uint8Array(Buffer.from(testCase.bytesBase64, 'base64'));
}

/** What a failure may be called; the data prefers the first. */
function namesOf(expected: Case['expect']): readonly Case['expect'][] {
  if ('values' in expected) return [expected];
  const { error, valuesBefore, errorAlso = [] } = expected;
  return [error, ...errorAlso].map((kind) => ({ error: kind, valuesBefore }));
}

describeCollection('parseJsonArray() reads arrays as RFC 8259 says', 175, () => {
  const cases = collectionJson('conformance/json-array.json') as Case[];

  it('has all cases', () => {
    expect(cases).toHaveLength(175);
  });

  it.each(cases.map((testCase) => [testCase.id, testCase.title, testCase] as const))(
    '%s: %s',
    (_id, _title, testCase) => {
      const bytes = bytesOf(testCase);
      const { maxElementBytes, maxDepth } = testCase.options ?? {};
      const options: JsonArrayOptions = {
        ...(maxElementBytes !== undefined && { maxFrameBytes: maxElementBytes }),
        ...(maxDepth !== undefined && { maxDepth }),
      };
      const whole = read([bytes], options);
      expect(namesOf(testCase.expect)).toContainEqual(whole);
      for (const [name, chunks] of allChunkings(bytes, testCase.splits)) {
        expect([name, read(chunks, options)]).toEqual([name, whole]);
      }
    },
  );

  const prompt = cases.flatMap((testCase) => (testCase.prompt ?? []).map((check) => ({ testCase, ...check })));

  it.each(prompt.map((check) => [check.testCase.id, check.afterBytes, check] as const))(
    '%s: delivers what %i bytes complete without waiting for more',
    (_id, _afterBytes, { testCase, afterBytes, values }) => {
      const bytes = bytesOf(testCase).subarray(0, afterBytes);
      for (const chunks of [[bytes], sliceBytes(bytes, 1)]) {
        let delivered = 0;
        concat(chunks, NEVER)
          .pipe(parseJsonArray())
          .subscribe(() => (delivered += 1))
          .unsubscribe();
        expect(delivered).toBe(values);
      }
    },
  );
});
