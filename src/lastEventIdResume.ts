import type { ResumeProtocol } from './resume';
import { createSentAgain } from './sentAgain';

/**
 * How an answer goes on that comes over a relay of your own, one whose events have an `id:`: the request is made again
 * with the header `Last-Event-ID`, as the HTML standard says, and the relay sends what comes behind that event.
 *
 * 1. The id stays the last one until another one comes, with an event or without, over all connections. The empty id takes
 *    it back: then there is no way on. An id that the end of a body cut short is none.
 * 2. Events without an id are sent again with a continuation, since they are behind the last id. They are known by what they
 *    say, and handed on once. Beyond 4096 of them there is no way on.
 * 3. A failure that asking again cannot mend, and one that the provider reports in its stream, forbid going on.
 *
 * Fit for any provider whose words the relay passes on. What the relay sends in answer to an id is its own affair.
 *
 * @returns What `Provider.resume` is.
 *
 * @example
 * ```ts
 * import { anthropic, lastEventIdResume, ModelStreamError } from 'rx-model-stream';
 *
 * const relayed = { ...anthropic(), resume: lastEventIdResume() };
 * const tracker = relayed.resume.createTracker();
 * tracker.read({ value: { type: 'message_start' }, lastEventId: '41' });
 * const lost = new ModelStreamError('network', 'Connection lost', { retryable: true });
 * console.log(tracker.pointAfter(lost)?.headers); // { 'Last-Event-ID': '41' }
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.3 and 9.2.6, read 2026-11-30
 */
export function lastEventIdResume(): ResumeProtocol {
  return {
    createTracker() {
      const again = createSentAgain();
      let cursor = '';
      let hasId = false; // on this connection: before its first id that of the connection before counts

      function move(lastEventId: string): void {
        hasId = true;
        if (lastEventId === cursor) return;
        cursor = lastEventId;
        again.clear();
      }

      return {
        read(payload) {
          const { value, incomplete } = payload;
          const lastEventId = incomplete ? cursor : (payload.lastEventId ?? (hasId ? '' : cursor));
          if (lastEventId !== cursor) {
            move(lastEventId);
            return payload;
          }
          if (cursor === '') return payload;
          hasId ||= payload.lastEventId !== undefined && !incomplete;
          if (again.isExpecting && again.take(value)) return undefined;
          again.add(value);
          return { ...payload, lastEventId };
        },
        hint({ lastEventId }) {
          if (lastEventId !== undefined) move(lastEventId);
        },
        pointAfter(failure) {
          if (cursor === '' || again.isLost || !failure.retryable || failure.code === 'provider') return undefined;
          hasId = false;
          again.expect();
          return { cursor, path: '', query: {}, headers: { 'Last-Event-ID': headerValueOf(cursor) }, isRepeat: true };
        },
      };
    },
  };
}

/** A header holds bytes: those of the id in UTF-8, each as a character. */
function headerValueOf(id: string): string {
  return Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join('');
}
