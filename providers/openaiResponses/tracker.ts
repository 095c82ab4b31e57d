import { ModelStreamError } from '../../src/errors';
import type { Payload } from '../../src/payload';
import type { ResumePoint, ResumeTracker } from '../../src/resume';
import { numberIn, objectIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';

/** Statuses of a run that has not ended. */
const RUNNING: ReadonlySet<string> = new Set(['queued', 'in_progress']);

/** The service cannot stream a run that is too old (400), or one that it does not know (404): what it has may be fetched. */
const NOT_STREAMED: ReadonlySet<number | undefined> = new Set([400, 404]);

/**
 * Follows a background run: its events are numbered, and `starting_after` gives those with a greater number.
 *
 * 1. Only a run with `background: true` outlives its connection; any other cannot be resumed.
 * 2. Where the service cannot stream it any more, the response is fetched whole, again while it is running, and becomes
 *    the terminal event, of which the mapper makes the missing rest.
 * 3. A failed run does not go on.
 */
export function createResponsesTracker(): ResumeTracker {
  let responseId: string | undefined;
  let cursor = -1;
  let isFetched = false;
  let isRunning = false;
  let isOver = false;

  function read(payload: Payload): Payload | undefined {
    const event = objectOf(payload.value);
    if (isFetched && event?.['object'] === 'response') return terminalOf(event);
    const response = objectIn(event, 'response');
    if (response?.['background'] === true) responseId ??= textIn(response, 'id');
    const type = textIn(event, 'type');
    if (type === 'response.failed') isOver = true;
    const number = numberIn(event, 'sequence_number');
    if (number === undefined) return payload;
    if (number <= cursor) return undefined;
    if (type !== 'keepalive' && type !== 'error') cursor = number;
    return payload;
  }

  /** The whole response as the event that ends its stream. */
  function terminalOf(response: WireObject): Payload {
    const status = wordIn(response, 'status') ?? 'completed';
    isRunning = RUNNING.has(status);
    if (isRunning) {
      throw new ModelStreamError('provider', 'Response is not finished yet', {
        providerCode: status,
        retryable: true,
        responseId,
      });
    }
    isOver = true;
    return { value: { type: `response.${status}`, response } };
  }

  function pointAfter(failure: ModelStreamError): ResumePoint | undefined {
    if (responseId === undefined || isOver) return undefined;
    const isUnavailable = failure.code === 'http' && NOT_STREAMED.has(failure.status);
    if (isUnavailable && isFetched) return undefined;
    if (isUnavailable) isFetched = true;
    else if (!failure.retryable) return undefined;
    const at = { responseId, cursor: String(cursor), path: `/${encodeURIComponent(responseId)}` };
    if (isFetched) {
      const wasRunning = isRunning; // asked for once: what fails after that is a failure
      isRunning = false;
      return { ...at, query: {}, isWhole: true, ...(wasRunning && { isRunning: true }) };
    }
    return { ...at, query: { stream: 'true', starting_after: String(cursor) } };
  }

  return {
    read,
    pointAfter,
    cancelPoint() {
      if (responseId === undefined || isOver) return undefined;
      return { responseId, path: `/${encodeURIComponent(responseId)}/cancel` };
    },
  };
}
