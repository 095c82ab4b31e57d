import { isModelStreamError, ModelStreamError, withDetails } from './errors';
import type { ModelEvent, RawEvent } from './events';
import type { RawEvents } from './normalizer';
import type { Payload } from './payload';
import type { Lifecycle, Provider } from './provider';
import { createResponseBound } from './responseBound';
import type { Emit, Stage } from './stage';

/** Reads the payloads of one response. */
export interface ResponseReader<Turn> {
  /** Whether `response-start` was emitted. */
  readonly isBegun: boolean;
  /** What the end of the body would mean. */
  readonly ending: NonNullable<Lifecycle['ending']>;
  /** Translates a payload; one that gives no event comes out as `raw`, unless it is a keep-alive or half of something. */
  read(payload: Payload, life: Lifecycle, emit: Emit<ModelEvent<Turn>>): void;
  /** Emits the ending. */
  end(emit: Emit<ModelEvent<Turn>>): void;
  /** Emits the ending of a response that failed; false when its provider knows none. */
  fail(error: ModelStreamError, emit: Emit<ModelEvent<Turn>>): boolean;
  /** The failure, with what is known of the response. */
  located(error: ModelStreamError): ModelStreamError;
}

/** Of these more is to come: after an ending that was possible, none is any more. */
export const CONTENT: ReadonlySet<ModelEvent['type']> = new Set([
  'block-start',
  'text-delta',
  'reasoning-delta',
  'tool-call-delta',
  'media-delta',
]);

export function createResponseReader<Turn>(
  provider: Provider<Turn>,
  mapper: Stage<Payload, ModelEvent<Turn>>,
  raw: RawEvents,
  maxBlocks: number,
): ResponseReader<Turn> {
  const bound = createResponseBound(maxBlocks);
  let ending: ResponseReader<Turn>['ending'] = 'open';
  let responseId: string | undefined;
  let isBegun = false;

  /** What a mapper cannot take in, such as a value nested too deep to be written as JSON, is no fault of the program. */
  function guarded(act: () => void): void {
    try {
      act();
    } catch (cause) {
      if (isModelStreamError(cause)) throw withDetails(cause, { responseId });
      const message = 'Cannot map payload: it is not what the provider says it is';
      throw new ModelStreamError('malformed', message, { provider: provider.name, responseId, cause });
    }
  }

  /** Whether it may be a part of a text: JSON that parses is whole. */
  function isHalf(payload: Payload): boolean {
    return payload.incomplete === true && provider.eventData === 'text';
  }

  return {
    get isBegun() {
      return isBegun;
    },
    get ending() {
      return ending;
    },
    read(payload, life, emit) {
      const isWholeOut = raw === 'all';
      if (isWholeOut) emit(rawOf(provider, payload));
      let isMapped = isWholeOut || life.phase === 'idle';
      let contents = 0;
      const take: Emit<ModelEvent<Turn>> = (event) => {
        if (isWholeOut && event.type === 'raw') return;
        if (event.type === 'response-start') {
          responseId = event.responseId;
          isBegun = true;
        }
        isMapped = true;
        if (CONTENT.has(event.type)) contents += 1;
        bound.count(event);
        emit(event);
      };
      if (life.phase !== 'idle' || life.error) {
        guarded(() => {
          mapper.push(payload, take);
        });
      }
      if (life.error) return;
      if (contents === 0 && life.phase !== 'idle') bound.countSilent();
      ending = life.ending ?? (contents > 0 ? 'open' : ending);
      if (ending !== 'final' && !isMapped && !isHalf(payload)) emit(rawOf(provider, payload));
    },
    end(emit) {
      guarded(() => {
        mapper.end(emit);
      });
    },
    fail(error, emit) {
      if (!mapper.fail) return false;
      guarded(() => mapper.fail?.(withDetails(error, { responseId }), emit));
      return true;
    },
    located: (error) => withDetails(error, { responseId }),
  };
}

/** A payload as the provider wrote it. */
export function rawOf(provider: Provider, { value }: Payload): RawEvent {
  return { type: 'raw', provider: provider.name, event: value };
}
