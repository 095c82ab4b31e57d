import type { OperatorFunction } from 'rxjs';
import type { ModelEvent } from '../src/events';
import { fromStage } from '../src/fromStage';
import { priced, type PriceTable } from '../src/prices';
import type { Emit, Stage } from '../src/stage';
import type { TokenUsage } from '../src/usage';

/** What to do with usage. */
export interface UsageOptions {
  /** Prices by model id, or a function that knows them. Without it only costs that a provider reports are there. */
  readonly prices?: PriceTable;
}

/**
 * Gathers the usage of a response into one event, right before its ending.
 *
 * 1. Running totals are held back; the last one is emitted directly before `finish`.
 * 2. It is priced in US dollars where `prices` knows the model; a cost that the provider reports itself stands.
 * 3. When the stream fails, or is left by its source before an ending, the usage so far is emitted with
 *    `partial: true` before that.
 * 4. The usage of an attempt that was given up (`restart`) is set aside into `abandoned`, in order, and never added: not when
 *    the next attempt has no usage, nor when that one fails, nor when it was set aside by another `withUsage` before.
 * 5. No usage on the wire gives no usage event: unknown is not 0.
 * 6. In a session this holds for each response; usage that comes between two of them is passed on at once, and usage that
 *    comes before the first when that begins.
 *
 * ```text
 * events   --a--u--b--v--f|      u, v = usage, f = finish
 * result   --a-----b-----(vf)|
 * ```
 *
 * Errors pass unchanged. A consumer who unsubscribes hears nothing more, usage included: to stop an answer and still learn
 * what it used, put `takeUntil` before this operator.
 *
 * @param options.prices - Prices by model id, or a function from a model id to its price. Default none.
 * @returns An operator that passes all other events on as they come.
 *
 * @example What an answer cost
 * ```ts
 * import { of } from 'rxjs';
 * import { withUsage, type ModelEvent } from 'rx-model-stream';
 *
 * const events: ModelEvent[] = [
 *   { type: 'response-start', provider: 'demo', model: 'm-1' },
 *   { type: 'usage', usage: { inputTokens: 1000, outputTokens: 0 } },
 *   { type: 'usage', usage: { inputTokens: 1000, outputTokens: 500 } },
 *   { type: 'finish', reason: 'stop' },
 * ];
 * of(...events)
 *   .pipe(withUsage({ prices: { 'm-1': { input: 2, output: 8 } } }))
 *   .subscribe((event) => event.type === 'usage' && console.log(event.usage.costUsd)); // 0.006
 * ```
 */
export function withUsage<Turn>({ prices }: UsageOptions = {}): OperatorFunction<ModelEvent<Turn>, ModelEvent<Turn>> {
  return fromStage<ModelEvent<Turn>, ModelEvent<Turn>>(() => createUsageGatherer(prices));
}

function createUsageGatherer<Turn>(prices: PriceTable | undefined): Stage<ModelEvent<Turn>, ModelEvent<Turn>> {
  let held: TokenUsage | undefined;
  let model: string | undefined;
  let abandoned: readonly TokenUsage[] = [];
  let isRunning = true; // between two responses of a session there is no ending to wait for

  function release(emit: Emit<ModelEvent<Turn>>, partial: boolean): void {
    const usage = told(partial);
    held = undefined;
    abandoned = [];
    if (usage) emit({ type: 'usage', usage });
  }

  function told(partial: boolean): TokenUsage | undefined {
    const { abandoned: before = [], ...own } = held ?? {};
    const all = [...abandoned, ...before];
    if (held === undefined && all.length === 0) return undefined;
    return {
      ...priced(own, model, prices),
      ...(partial && { partial: true }),
      ...(all.length > 0 && { abandoned: all }),
    };
  }

  function setAside(): void {
    if (held) {
      const { abandoned: before = [], ...own } = held;
      abandoned = [...abandoned, ...before, { ...priced(own, model, prices), partial: true }];
    }
    held = undefined;
    model = undefined;
  }

  return {
    push(event, emit) {
      switch (event.type) {
        case 'usage':
          if (isRunning) held = event.usage;
          else emit({ type: 'usage', usage: priced(event.usage, model, prices) });
          return;
        case 'response-start':
          if (held) emit({ type: 'usage', usage: held }); // not of this response: a session told it before its first
          held = undefined;
          model = event.model;
          isRunning = true;
          break;
        case 'restart':
          setAside();
          break;
        case 'finish':
          release(emit, false);
          isRunning = false;
          break;
        case 'error':
          release(emit, true);
          break;
        default:
      }
      emit(event);
    },
    end(emit) {
      release(emit, true);
    },
    fail(error, emit) {
      release(emit, true);
      throw error;
    },
  };
}
