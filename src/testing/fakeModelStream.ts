import { map, type Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { isModelStreamError } from '../errors';
import type { ModelEvent } from '../events';
import { fromStage } from '../fromStage';
import { connectionLost } from './connectionLost';
import { createFakeModel } from './fakeModel';
import type { FakeMoment } from './fakeMoment';

/** The answer of a fake model, with the record of its subscriptions that marble tests look at. */
export type FakeModelStream<Turn = unknown> = Observable<ModelEvent<Turn>> &
  Pick<ReturnType<RunHelpers['cold']>, 'subscriptions'>;

/** What these letters say where a test gives them no moment of its own. All others say themselves, as text. */
const LETTERS: Readonly<Record<string, FakeMoment<never>>> = {
  S: { start: {} },
  R: { reasoning: 'R' },
  C: { toolCall: { name: 'C', arguments: {} } },
  U: { usage: { inputTokens: 1, outputTokens: 1 } },
  F: { finish: {} },
};

/**
 * The answer of a model in virtual time, told in marbles: a test draws what is said and when, and gets lawful events.
 *
 * 1. A letter is one moment; `moments` tells what is said in it. All of its events come in its frame and shift nothing, so
 *    that one column stays one moment.
 * 2. What a test does not care about is added: `response-start` before the first word, `block-start` and `block-end` around
 *    what belongs together, `finish` at the `|` where the marbles have none. The events keep the laws of `ModelEvent`.
 * 3. `#` is a connection that fails: `network`, to be retried. Another failure is the `error` of a moment.
 *
 * ```text
 * marbles   --a--b--c--|      a = { text: 'Hel' }, b = { text: 'lo' }, c = { toolCall: { name: 'now', arguments: {} } }
 * events    --v--w--x--y|     v = response-start, block-start, text-delta, w = text-delta,
 *                             x = block-end, block-start, tool-call-delta, block-end, y = finish
 * ```
 *
 * A letter without a moment says itself as text, but for five capitals: `S` starts the response, `R` is reasoning, `C` a
 * tool call, `U` usage, `F` the finish. For events that have no word here (citations, media, `raw`) use `cold` itself.
 *
 * @typeParam Turn - The assistant turn in the provider's own shape.
 * @param cold - The helper of that name, of `TestScheduler.run`.
 * @param marbles - A diagram as `cold` takes it.
 * @param moments - What is said at each letter.
 * @returns A cold Observable of events with its `subscriptions`.
 * @throws {RangeError} When no lawful answer can be made of the marbles, such as text after the finish.
 *
 * @example Test a pipeline of your own
 * ```ts
 * import { deepStrictEqual } from 'node:assert';
 * import { takeUntil } from 'rxjs';
 * import { TestScheduler } from 'rxjs/testing';
 * import { textDeltas } from 'rx-model-stream';
 * import { fakeModelStream } from 'rx-model-stream/testing';
 *
 * new TestScheduler(deepStrictEqual).run(({ cold, expectObservable, expectSubscriptions }) => {
 *   const answer = fakeModelStream(cold, '                 --R--a--b--U--|', { a: { text: 'Hel' }, b: { text: 'lo' } });
 *   const text = answer.pipe(textDeltas(), takeUntil(cold('-------x')));
 *   expectObservable(text).toBe('                          -----a-|', { a: 'Hel' });
 *   expectSubscriptions(answer.subscriptions).toBe('       ^------!');
 * });
 * ```
 *
 * @see {@link coldChunks}, one level down
 */
export function fakeModelStream<Turn = unknown>(
  cold: RunHelpers['cold'],
  marbles: string,
  moments: Readonly<Record<string, FakeMoment<Turn>>> = {},
): FakeModelStream<Turn> {
  function momentOf(letter: string): FakeMoment<Turn> {
    return moments[letter] ?? LETTERS[letter] ?? { text: letter };
  }

  const letters = cold(marbles, undefined, connectionLost());
  const spoken = letters.messages.flatMap(({ notification }) =>
    notification.kind === 'N' ? [String(notification.value)] : [],
  );
  rehearse(spoken.map(momentOf));
  const events = letters.pipe(map(momentOf), fromStage(createFakeModel<Turn>));
  return Object.assign(events, { subscriptions: letters.subscriptions });
}

/** Says everything once, unheard: what is wrong with a script is said where it was written, not in the midst of a pipeline. */
function rehearse<Turn>(moments: readonly FakeMoment<Turn>[]): void {
  const model = createFakeModel<Turn>();
  try {
    for (const moment of moments) model.push(moment, () => undefined);
  } catch (error) {
    if (!isModelStreamError(error)) throw error;
  }
}
