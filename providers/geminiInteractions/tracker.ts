import { ModelStreamError } from '../../src/errors';
import type { Payload } from '../../src/payload';
import type { ResumeProtocol, ResumeTracker } from '../../src/resume';
import { createSentAgain } from '../../src/sentAgain';
import { objectIn, objectOf, present, without, wordIn, type WireObject } from '../../src/wire';
import { eventTypeOf } from './eventTypes';
import { interactionsLifecycleOf } from './lifecycle';

/** Statuses of an interaction that is not finished. */
const UNFINISHED: ReadonlySet<string> = new Set(['queued', 'in_progress']);

/** Statuses of an answer in place of the stream that was asked for: the id is not known, or too old to be streamed. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404]);

/**
 * How an interaction goes on: `GET …/{id}?stream=true&last_event_id=…`, which sends what comes behind that event. In the
 * background only some events have an `event_id`; those behind the last one are sent again. Where no event had one, all are.
 * What cannot be streamed any more is fetched whole.
 */
export function interactionsResume(provider: string): ResumeProtocol {
  return { createTracker: () => createInteractionsTracker(provider) };
}

function createInteractionsTracker(provider: string): ResumeTracker {
  const again = createSentAgain();
  let id: string | undefined;
  let cursor: string | undefined;
  let isOver = false;
  let isContinuation = false;
  let mustBeFetched = false; // it cannot be streamed any more
  let isFetched = false; // what comes is the whole interaction
  let isRunning = false; // the whole interaction was not finished

  function readEvent(payload: Payload, event: WireObject): Payload | undefined {
    const said = without(event, 'event_id'); // a stream from the start may have ids where the one before had none
    if (again.isExpecting) {
      if (again.take(said)) return undefined;
      mustBeFetched = true;
      throw notSentAgain(provider);
    }
    const eventId = wordIn(event, 'event_id');
    if (eventId !== undefined && eventId === cursor) return undefined;
    id ??= wordIn(objectIn(event, 'interaction'), 'id') ?? wordIn(event, 'interaction_id');
    const { error, ending } = interactionsLifecycleOf(payload, provider);
    isOver = error !== undefined || ending === 'final';
    if (isOver) return payload;
    if (eventId === undefined) again.add(said);
    else {
      cursor = eventId;
      again.clear();
    }
    return payload;
  }

  function readWhole(payload: Payload, interaction: WireObject): Payload {
    const status = wordIn(interaction, 'status');
    if (status === undefined) return payload;
    isRunning = UNFINISHED.has(status);
    if (isRunning) throw unfinished(provider);
    isOver = true;
    return { value: { event_type: 'interaction.completed', interaction } };
  }

  return {
    read(payload) {
      const event = objectOf(payload.value);
      if (!event) return payload;
      if (eventTypeOf(event) !== undefined) return readEvent(payload, event);
      return isFetched ? readWhole(payload, event) : payload;
    },
    pointAfter(failure) {
      if (id === undefined || isOver) return undefined;
      if (failure.code === 'http' && REFUSALS.has(failure.status ?? 0)) {
        if (isFetched) return undefined;
        mustBeFetched = true;
      } else if (!failure.retryable) return undefined;
      const isSilent = failure.code === 'timeout' && isContinuation && !isFetched; // some continuations never end
      isContinuation = true;
      isFetched = mustBeFetched || again.isLost || isSilent;
      again.expect();
      const path = `/${encodeURIComponent(id)}`;
      if (isFetched) {
        const wasRunning = isRunning; // asked for once: what fails after that is a failure
        isRunning = false;
        return { responseId: id, path, query: {}, isWhole: true, ...(wasRunning && { isRunning: true }) };
      }
      const place = present({ cursor });
      const query = { stream: 'true', ...(cursor !== undefined && { last_event_id: cursor }) };
      return { responseId: id, ...place, path, query };
    },
    cancelPoint() {
      if (id === undefined || isOver) return undefined;
      return { responseId: id, path: `/${encodeURIComponent(id)}/cancel` };
    },
  };
}

function notSentAgain(provider: string): ModelStreamError {
  const message = 'Cannot go on with the stream: it does not go on where the one before ended';
  return new ModelStreamError('malformed', message, { provider, retryable: true });
}

function unfinished(provider: string): ModelStreamError {
  return new ModelStreamError('provider', 'The interaction is not finished yet', { provider, retryable: true });
}
