import { isModelStreamError, ModelStreamError, withDetails } from './errors';
import type { ModelEvent } from './events';
import type { Frame } from './frame';
import { payloadOf, type Payload } from './payload';
import type { Lifecycle, Provider } from './provider';
import type { Emit, Stage } from './stage';

/** Which payloads come out as `raw`: those that gave no other event, or all of them. */
export type RawEvents = 'unmapped' | 'all';

/**
 * The machine behind `normalize`: frames to events, with all that concerns the life of an answer in one place.
 *
 * @param ended - Told once the terminal signal was read.
 */
export function createNormalizer<Turn>(
  provider: Provider<Turn>,
  raw: RawEvents,
  ended: () => void,
): Stage<Frame, ModelEvent<Turn>> {
  let mapper = provider.createMapper();
  let ending: Lifecycle['ending'] = 'open';
  let responseId: string | undefined;

  function read(payload: Payload, emit: Emit<ModelEvent<Turn>>): void {
    const life = provider.lifecycleOf(payload);
    const rawEvent = { type: 'raw', provider: provider.name, event: payload.value } as const;
    if (raw === 'all') emit(rawEvent);
    let isMapped = raw === 'all' || life.phase === 'idle';
    const take: Emit<ModelEvent<Turn>> = (event) => {
      if (raw === 'all' && event.type === 'raw') return; // the payload is out already, whole
      if (event.type === 'response-start') responseId = event.responseId;
      isMapped = true;
      emit(event);
    };
    if (life.phase !== 'idle' || life.error) map(payload, take);
    if (life.error) throw withDetails(life.error, { responseId });
    ending = life.ending ?? ending;
    if (ending === 'final') {
      finish(emit);
      ended();
    } else if (!isMapped) emit(rawEvent);
  }

  function map(payload: Payload, take: Emit<ModelEvent<Turn>>): void {
    try {
      mapper.push(payload, take);
    } catch (cause) {
      throw mappingFailure(cause);
    }
  }

  function finish(emit: Emit<ModelEvent<Turn>>): void {
    try {
      mapper.end(emit);
    } catch (cause) {
      throw mappingFailure(cause);
    }
  }

  /** What a mapper cannot take in, such as a value nested too deep to be written as JSON, is no fault of the program. */
  function mappingFailure(cause: unknown): ModelStreamError {
    if (isModelStreamError(cause)) return withDetails(cause, { responseId });
    const message = 'Cannot map payload: it is not what the provider says it is';
    return new ModelStreamError('malformed', message, { provider: provider.name, responseId, cause });
  }

  return {
    push(frame, emit) {
      if (ending === 'final') return; // late data
      if (frame.type === 'restart') {
        mapper = provider.createMapper();
        ending = 'open';
        responseId = undefined;
        emit({ type: 'restart', attempt: frame.attempt, cause: frame.cause });
        return;
      }
      const payload = payloadOf(frame);
      if (payload) read(payload, emit);
      else if (frame.type === 'stray') emit({ type: 'raw', provider: provider.name, event: frame.text });
    },
    end(emit) {
      if (ending === 'possible') finish(emit);
      if (ending === 'open') {
        throw new ModelStreamError('truncated', 'Stream ended before its terminal signal', {
          provider: provider.name,
          responseId,
          retryable: true,
        });
      }
    },
    fail(error) {
      if (ending !== 'final') throw error; // after the terminal signal nothing can be lost any more
    },
  };
}
