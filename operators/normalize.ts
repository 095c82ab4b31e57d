import {
  concat,
  defer,
  EMPTY,
  NEVER,
  Subject,
  switchMap,
  takeUntil,
  timer,
  type Observable,
  type OperatorFunction,
} from 'rxjs';
import { checkMilliseconds, checkPositive } from '../src/checkOption';
import { currentDemand, type Demand } from '../src/demand';
import type { ModelEvent } from '../src/events';
import type { Frame } from '../src/frame';
import { fromStage } from '../src/fromStage';
import { createNormalizer, type RawEvents } from '../src/normalizer';
import type { Provider } from '../src/provider';
import { DEFAULT_MAX_BLOCKS } from '../src/responseBound';

/** How events are made of frames. */
export interface NormalizeOptions {
  /**
   * Which payloads come out as `raw`: `unmapped` (default), those that gave no other event; `all`, every payload, each
   * before the events it gave.
   */
  readonly raw?: RawEvents;
  /**
   * How long the stream waits for the body to end after the terminal signal, in milliseconds. Default 250. Some services
   * keep the connection open; closing one that is about to end costs a new connection for the next request. `Infinity`
   * waits for the body.
   */
  readonly lingerMs?: number;
  /**
   * Bound on the blocks of one response, on its citations, and tenfold on its payloads that say nothing of a block. Default
   * 100,000. Exceeding it fails with `too-large`: a service that never ends must not fill the memory.
   */
  readonly maxBlocks?: number;
}

/**
 * Translates the frames of a provider into the one event vocabulary.
 *
 * 1. A response begins with `response-start` and has exactly one ending: `finish`, or an error.
 * 2. The ending is decided at the terminal signal. A finish reason seen before it is only remembered; a body that ends
 *    without it is `truncated`, never a `finish`.
 * 3. After the terminal signal the stream completes with the body, or when it could have been read for `lingerMs` and did
 *    not end; what comes in between, errors included, is ignored.
 * 4. Every payload that gave no other event comes out as `raw`, in its place. Keep-alives and sentinels give nothing.
 * 5. A failure that the provider reports in its stream takes the error channel; what was complete before it, and the
 *    usage it carries, is emitted first.
 * 6. A `restart` frame begins a fresh response and comes out as a `restart` event.
 *
 * ```text
 * frames   --a--b--c-----             a = message_start, b = text delta, c = message_stop
 * events   --s--t--f 250ms |          s = response-start, t = text-delta, f = finish; the body stays open
 * ```
 *
 * Fails with `provider` when the service reports a failure, `truncated` when the body ends too early, `malformed` when a
 * frame is not JSON or contradicts the protocol, `too-large` when a response exceeds `maxBlocks`. Errors of the source pass unchanged.
 *
 * @param provider - Whose words the frames are.
 * @param options.raw - Which payloads come out as `raw`. Default `unmapped`.
 * @param options.lingerMs - How long to wait for the end of the body, in milliseconds. Default 250.
 * @param options.maxBlocks - Bound on the blocks of one response. Default 100,000.
 * @returns An operator that emits the events of each frame as the frame arrives.
 * @throws {RangeError} When `lingerMs` is negative, or `maxBlocks` not a positive number.
 *
 * @example From frames to events
 * ```ts
 * import { of } from 'rxjs';
 * import { anthropic, normalize, type Frame } from 'rx-model-stream';
 *
 * const frames: Frame[] = [
 *   { type: 'json', value: { type: 'message_start', message: { id: 'msg_1', model: 'm' } } },
 *   { type: 'json', value: { type: 'message_delta', delta: { stop_reason: 'end_turn' } } },
 *   { type: 'json', value: { type: 'message_stop' } },
 * ];
 * of(...frames).pipe(normalize(anthropic())).subscribe((event) => console.log(event.type)); // response-start, raw, finish
 * ```
 */
export function normalize<Turn>(
  provider: Provider<Turn>,
  { raw = 'unmapped', lingerMs = 250, maxBlocks = DEFAULT_MAX_BLOCKS }: NormalizeOptions = {},
): OperatorFunction<Frame, ModelEvent<Turn>> {
  checkMilliseconds('lingerMs', lingerMs);
  checkPositive('maxBlocks', maxBlocks);
  return (source) =>
    defer(() => {
      const ended = new Subject<Demand | undefined>();
      return source.pipe(
        fromStage(() =>
          createNormalizer(
            provider,
            raw,
            () => {
              ended.next(currentDemand());
            },
            maxBlocks,
          ),
        ),
        takeUntil(ended.pipe(switchMap((demand) => lingered(demand, lingerMs)))),
      );
    });
}

/** The wait counts only while the source may read: a slow consumer must not cost the connection of a body that ended. */
function lingered(demand: Demand | undefined, lingerMs: number): Observable<unknown> {
  return concat(demand?.idle ?? EMPTY, lingerMs === Infinity ? NEVER : timer(lingerMs));
}
