import { ModelStreamError } from './errors';
import type { ModelEvent } from './events';
import type { Frame } from './frame';
import { createLanes } from './lanes';
import { payloadOf, type Payload } from './payload';
import type { Provider } from './provider';
import { DEFAULT_MAX_BLOCKS } from './responseBound';
import { createResponseReader, rawOf, type ResponseReader } from './responseReader';
import type { Emit, Stage } from './stage';

/** Which payloads come out as `raw`: those that gave no other event, or all of them. */
export type RawEvents = 'unmapped' | 'all';

/**
 * The machine behind `normalize`: frames to events, with all that concerns the life of an answer in one place.
 *
 * 1. A stream carries one response; a session carries one after another, and each has a reader of its own.
 * 2. A failure that is reported in band ends the stream; in a session it ends the response, where its provider can say so.
 *
 * @param ended - Told once the terminal signal of a stream was read.
 * @param maxBlocks - Bound on the blocks of one response.
 */
export function createNormalizer<Turn>(
  provider: Provider<Turn>,
  raw: RawEvents,
  ended: () => void,
  maxBlocks = DEFAULT_MAX_BLOCKS,
): Stage<Frame, ModelEvent<Turn>> {
  const isSession = provider.session === true;
  let lanes = createLanes(provider);
  let session = sessionOf(provider);
  let response = nextResponse();
  let isOver = false;

  function nextResponse(): ResponseReader<Turn> {
    return createResponseReader(provider, session.createMapper(), raw, maxBlocks);
  }

  function read(payload: Payload, emit: Emit<ModelEvent<Turn>>): void {
    const life = provider.lifecycleOf(payload);
    if (isSession && life.phase !== 'idle' && lanes.isElsewhere(payload, life)) {
      emit(rawOf(provider, payload));
      return;
    }
    const isBegun = response.isBegun;
    response.read(payload, life, emit);
    if (!isBegun && response.isBegun) lanes.begin(payload);
    if (life.error) {
      if (!isSession || !response.fail(life.error, emit)) throw response.located(life.error);
      next();
    } else if (response.ending === 'final') {
      response.end(emit);
      next();
    }
  }

  /** After a response: the next one of a session, or nothing more. */
  function next(): void {
    if (isSession) {
      response = nextResponse();
      lanes.end();
    } else {
      isOver = true;
      ended();
    }
  }

  return {
    push(frame, emit) {
      if (isOver) return; // late data
      if (frame.type === 'restart') {
        if (frame.payload) response.read(frame.payload, provider.lifecycleOf(frame.payload), emit);
        lanes = createLanes(provider);
        session = sessionOf(provider);
        response = nextResponse();
        emit({ type: 'restart', attempt: frame.attempt, cause: frame.cause });
        return;
      }
      const payload = payloadOf(frame, provider.eventData);
      if (payload) read(payload, emit);
      else if (frame.type === 'stray') emit({ type: 'raw', provider: provider.name, event: frame.text });
    },
    end(emit) {
      if (isOver || (isSession && !response.isBegun)) return;
      if (response.ending === 'possible') response.end(emit);
      else throw response.located(truncated(provider));
    },
    fail(error) {
      if (!isOver) throw error; // after the terminal signal nothing can be lost any more
    },
  };
}

/** Makes the mappers of one connection. */
function sessionOf<Turn>(provider: Provider<Turn>): Pick<Provider<Turn>, 'createMapper'> {
  return provider.createSession?.() ?? provider;
}

function truncated(provider: Provider): ModelStreamError {
  return new ModelStreamError('truncated', 'Stream ended before its terminal signal', {
    provider: provider.name,
    retryable: true,
  });
}
