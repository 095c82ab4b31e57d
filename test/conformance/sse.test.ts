import { from } from 'rxjs';
import { parseSSE, type SseOptions } from 'rx-model-stream';
import { sliceBytes } from 'rx-model-stream/testing';
import { allChunkings } from '../support/chunkings';
import { collectionJson, describeCollection } from '../support/shared';

interface Expectation {
  readonly events: readonly { readonly type: string; readonly data: string; readonly lastEventId: string }[];
  readonly lastEventId: string;
  readonly retry?: number;
  readonly error?: 'limit';
}

interface Case {
  readonly id: string;
  readonly title: string;
  readonly bytes?: string;
  readonly bytesBase64?: string;
  readonly splits?: readonly number[];
  readonly options?: { readonly lastEventId?: string; readonly maxBufferBytes?: number };
  readonly expect: Expectation;
  readonly expectFlush?: Expectation;
  readonly accept?: readonly Expectation[];
  readonly prompt?: readonly { readonly afterBytes: number; readonly events: number }[];
}

/** What `parseSSE` makes of the chunks, in the words of the conformance data. */
function read(chunks: readonly Uint8Array[], options: SseOptions): Expectation {
  const events: Expectation['events'][number][] = [];
  const outer: { lastEventId: string; retry?: number; error?: 'limit' } = { lastEventId: options.lastEventId ?? '' };
  from(chunks)
    .pipe(parseSSE(options))
    .subscribe({
      next: (frame) => {
        if (frame.type === 'sse') {
          const lastEventId = frame.lastEventId ?? '';
          events.push({ type: frame.name ?? 'message', data: frame.data, lastEventId });
          outer.lastEventId = lastEventId;
        } else if (frame.type === 'hint') {
          outer.lastEventId = frame.lastEventId ?? outer.lastEventId;
          if (frame.retryMs !== undefined) outer.retry = frame.retryMs;
        }
      },
      error: (error: { code: string }) => {
        expect(error.code).toBe('too-large');
        outer.error = 'limit';
      },
    });
  return { events, ...outer };
}

function bytesOf(testCase: Case): Uint8Array {
  return testCase.bytesBase64 === undefined
    ? new TextEncoder().encode(testCase.bytes)
    : new Uint8Array(Buffer.from(testCase.bytesBase64, 'base64'));
}

describeCollection('parseSSE() reads event streams as the HTML standard says', 215, () => {
  const cases = collectionJson('conformance/sse.json') as Case[];

  it('has all cases', () => {
    expect(cases).toHaveLength(215);
  });

  it.each(cases.map((testCase) => [testCase.id, testCase.title, testCase] as const))(
    '%s: %s',
    (_id, _title, testCase) => {
      const bytes = bytesOf(testCase);
      const options: SseOptions = {
        ...(testCase.options?.lastEventId !== undefined && { lastEventId: testCase.options.lastEventId }),
        ...(testCase.options?.maxBufferBytes !== undefined && { maxFrameBytes: testCase.options.maxBufferBytes }),
      };
      // A bound that a comment exceeds may be reported: this library counts comments, see the documentation of parseSSE.
      const isCommentBound = testCase.id === 'sse-limit-comment';
      const strict = isCommentBound ? testCase.accept!.find(({ error }) => error === 'limit')! : testCase.expect;
      const flushing = isCommentBound ? strict : (testCase.expectFlush ?? testCase.expect);

      for (const [name, chunks] of allChunkings(bytes, testCase.splits)) {
        expect([name, read(chunks, { ...options, flush: false })]).toEqual([name, strict]);
        expect([name, read(chunks, options)]).toEqual([name, flushing]);
      }
    },
  );

  const prompt = cases.flatMap((testCase) => (testCase.prompt ?? []).map((check) => ({ testCase, ...check })));

  it.each(prompt.map((check) => [check.testCase.id, check.afterBytes, check] as const))(
    '%s: delivers what %i bytes complete without waiting for more',
    (_id, _afterBytes, { testCase, afterBytes, events }) => {
      const bytes = bytesOf(testCase).subarray(0, afterBytes);
      for (const chunks of [[bytes], sliceBytes(bytes, 1)]) {
        let delivered = 0;
        const open = from([...chunks]);
        open.pipe(parseSSE({ flush: false })).subscribe((frame) => {
          if (frame.type === 'sse') delivered += 1;
        });
        expect(delivered).toBe(events);
      }
    },
  );
});
