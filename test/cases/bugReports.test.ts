import { from } from 'rxjs';
import {
  accumulateBlocks,
  emptySnapshot,
  normalize,
  parseSSE,
  textOf,
  toolCallsOf,
  type Snapshot,
} from 'rx-model-stream';
import { gemini, openaiChat, openaiResponses } from 'rx-model-stream/providers';
import { sliceBytes } from 'rx-model-stream/testing';
import { brokenLaws } from '../../src/testing/contract/eventLaws';
import { marbles } from '../support/marbles';
import { readProjectFile } from '../support/project';
import { collectionJson, describeCollection } from '../support/shared';
import { chunkingsOf, isAnswerable, resultOf, type BugReport, type Result } from './bugReport';
import { expectResult, isMet, type Expectation } from './expectation';
import { ASSERTIONS, PROHIBITIONS } from './wordedChecks';

/** What is said in words and checked below, or over a real connection in `test/http`. */
const CHECKED_ELSEWHERE: readonly string[] = [
  'the observable completes within 1 s of [DONE]',
  'the body reader is cancelled (or the fetch aborted) after completion',
  "the first value is emitted before the second chunk group arrives (no wait for ']')",
  // One of two allowed answers to BR-P94; the other one is given.
  'a restart marker (or a new message start) is visible to the consumer, and accumulators are reset by it',
];

const COUNT = 77;

/** Reports that are played by themselves, by the file that does so: their services are described in words, or answer often. */
const PLAYED_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ['test/cases/bugReports.test.ts', ['BR-P77', 'BR-P93']],
  ['test/cases/reconnectReports.test.ts', ['BR-P71', 'BR-P72', 'BR-P73', 'BR-P74', 'BR-P76', 'BR-P88', 'BR-P89']],
  ['test/http/bugReports.test.ts', ['BR-P12', 'BR-P13', 'BR-P17', 'BR-P67', 'BR-P68', 'BR-P69', 'BR-P70']],
]);

/** Reports that are not answered, and why. */
const UNANSWERED: ReadonlyMap<string, string> = new Map([
  ['BR-P79', 'it judges a recipe for Angular, which is not there yet'],
]);

function expectationsOf({ expect: one, expectAny = [] }: BugReport): readonly Expectation[] {
  return one ? [one, ...expectAny] : expectAny;
}

/** What a report says in words and the result does not keep. */
function brokenWords(result: Result, report: BugReport): string[] {
  const met = expectationsOf(report).filter((expected) => isMet(result, expected));
  return met.flatMap(({ assert = [], assertAny = [], never = [] }) => [
    ...assert.filter((words) => ASSERTIONS.get(words)?.(result) === false),
    ...(assertAny.some((words) => ASSERTIONS.get(words)?.(result)) ? [] : assertAny),
    ...never.filter((words) => PROHIBITIONS.get(words)?.(result) === true),
  ]);
}

describeCollection('what others reported as broken works here', COUNT, () => {
  const all = collectionJson('cases/bug-reports.json') as BugReport[];
  const reports = all.filter(isAnswerable);
  const unanswered = [...UNANSWERED].map(([id, reason]) => `${id} (${reason})`).join(', ');

  it(`answers ${all.length - UNANSWERED.size} of ${all.length} reports; not ${unanswered}`, () => {
    const answered = [...reports.map(({ id }) => id), ...[...PLAYED_IN.values()].flat()];
    expect([...answered, ...UNANSWERED.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
    for (const [file, ids] of PLAYED_IN) {
      const text = readProjectFile(file);
      for (const id of ids) expect([id, text.includes(`(${id})`) || text.includes(`'${id}: `)]).toEqual([id, true]);
    }
  });

  it('has reports to answer', () => {
    expect(reports.length).toBeGreaterThanOrEqual(COUNT);
  });

  it('checks everything they say in words', () => {
    const words = reports.flatMap(expectationsOf).flatMap(({ assert = [], never = [] }) => [...assert, ...never]);
    const isChecked = (text: string): boolean => ASSERTIONS.has(text) || PROHIBITIONS.has(text);
    expect(words.filter((text) => !isChecked(text) && !CHECKED_ELSEWHERE.includes(text))).toEqual([]);
  });

  it.each(reports.map((report) => [report.id, report.title, report] as const))(
    '%s: %s',
    async (_id, _title, report) => {
      for (const chunks of chunkingsOf(report)) {
        const result = await resultOf(report, chunks);
        if (report.expect) expectResult(result, report.expect);
        if (report.expectAny) expect(report.expectAny.some((expected) => isMet(result, expected))).toBe(true);
        expect(brokenWords(result, report)).toEqual([]);
        expect(textOf(result.snapshot)).not.toContain('undefined');
        const isComplete = result.snapshot.status === 'complete';
        const [start] = result.events.flatMap((event) => (event.type === 'response-start' ? [event.provider] : []));
        expect(brokenLaws(start ?? '', result.events, isComplete)).toEqual([]);
      }
    },
  );

  it('gives an element of a JSON array before the array goes on (BR-P63)', async () => {
    const report = reports.find(({ id }) => id === 'BR-P63')!;
    const [given = []] = chunkingsOf(report);
    const counts: number[] = [];
    for (const place of given.keys()) {
      const { frames } = await resultOf({ ...report, end: 'open' }, given.slice(0, place + 1));
      counts.push(frames.length);
    }
    expect(counts).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
  });
});

describe('a chat that stays open after its sentinel (BR-P19)', () => {
  it(
    'completes a quarter of a second later and leaves the connection',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const frame = (value: unknown) => ({ type: 'json', value }) as const;
      const chunk = (delta: object, finish_reason: string | null) =>
        frame({ id: 'c-1', choices: [{ delta, finish_reason }] });
      const frames = cold('    ab---', { a: chunk({}, 'stop'), b: frame('[DONE]') });
      const subs = '           ^ 250ms !';
      const finish = { type: 'finish', reason: 'stop', rawReason: 'stop', turn: { role: 'assistant', content: '' } };
      const events = '         ab 249ms |';
      expectObservable(frames.pipe(normalize(openaiChat()))).toBe(events, {
        a: { type: 'response-start', provider: 'openai-chat', responseId: 'c-1' },
        b: finish,
      });
      expectSubscriptions(frames.subscriptions).toBe(subs);
    }),
  );
});

describe('accumulateBlocks() folds a hundred thousand argument deltas (BR-P77)', () => {
  it('keeps every character and reads no snapshot on the way', () => {
    const count = 100_000;
    const event = (body: object): Uint8Array => new TextEncoder().encode(`data: ${JSON.stringify(body)}\n\n`);
    const delta = (text: string): Uint8Array =>
      event({ type: 'response.function_call_arguments.delta', output_index: 0, delta: text });
    const whole = `{"body":"${'x'.repeat(count)}"}`;
    const item = { type: 'function_call', call_id: 'call_q', name: 'write' };
    function* body(): Generator<Uint8Array> {
      yield event({ type: 'response.created', response: { id: 'resp_q' } });
      yield event({ type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } });
      yield delta('{"body":"');
      for (let sent = 0; sent < count; sent += 1) yield delta('x');
      yield delta('"}');
      yield event({ type: 'response.function_call_arguments.done', output_index: 0, arguments: whole });
      yield event({ type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: whole } });
      yield event({ type: 'response.completed', response: { id: 'resp_q', output: [{ ...item, arguments: whole }] } });
    }
    let last: Snapshot = emptySnapshot;
    from(body())
      .pipe(parseSSE(), normalize(openaiResponses()), accumulateBlocks())
      .subscribe((snapshot) => {
        last = snapshot;
      });
    expect(toolCallsOf(last)).toEqual([
      { kind: 'tool-call', id: 'call_q', name: 'write', arguments: whole, format: 'json', state: 'whole' },
    ]);
    expect(last.finishReason).toBe('tool-calls');
  });
});

describe('gemini() takes a picture of 4 MiB in one event (BR-P93)', () => {
  it('with the default bounds, and hands it on unchanged', () => {
    const data = 'A'.repeat(4 * 1024 * 1024);
    const event = (part: object, finishReason?: string): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason, index: 0 }] })}\r\n\r\n`;
    const body = event({ inlineData: { mimeType: 'image/png', data } }) + event({ text: 'done' }, 'STOP');
    let last: Snapshot = emptySnapshot;
    from(sliceBytes(new TextEncoder().encode(body), 16 * 1024))
      .pipe(parseSSE(), normalize(gemini()), accumulateBlocks())
      .subscribe((snapshot) => {
        last = snapshot;
      });
    const [picture] = last.blocks;
    expect(picture).toMatchObject({ kind: 'media', mimeType: 'image/png' });
    expect(picture?.kind === 'media' && picture.parts.length === 1 && picture.parts[0] === data).toBe(true);
    expect([textOf(last), last.finishReason, last.status]).toEqual(['done', 'stop', 'complete']);
  });
});
