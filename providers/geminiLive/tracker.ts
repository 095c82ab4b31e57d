import type { Payload } from '../../src/payload';
import type { ResumeProtocol } from '../../src/resume';
import { objectIn, objectOf, wordIn, type WireObject } from '../../src/wire';

/**
 * How a session goes on: a new socket whose `setup.sessionResumption` has the latest handle that came with `resumable: true`.
 * The service sends nothing again: a turn that the connection cut is lost, and ends as one that was interrupted when the
 * next connection is set up, so that whoever plays its sound stops.
 */
export const liveResume: ResumeProtocol = {
  createTracker() {
    let handle: string | undefined;
    let isInTurn = false;
    let isCut = false;

    return {
      read(payload) {
        const message = objectOf(payload.value);
        if (!message) return payload;
        const update = objectIn(message, 'sessionResumptionUpdate');
        if (update?.['resumable'] === true) handle = wordIn(update, 'newHandle') ?? handle;
        const content = objectIn(message, 'serverContent');
        if (isCut && 'setupComplete' in message) {
          isCut = false;
          isInTurn = false;
          return withEndOfTurn(payload, message);
        }
        if (content?.['turnComplete'] === true) isInTurn = false;
        else isInTurn ||= 'toolCall' in message || says(content);
        return payload;
      },
      pointAfter(failure) {
        if (handle === undefined || !failure.retryable) return undefined;
        isCut = isInTurn;
        return { cursor: handle, path: '', query: {} };
      },
    };
  },
};

function says(content: WireObject | undefined): boolean {
  return content !== undefined && ('modelTurn' in content || 'outputTranscription' in content);
}

function withEndOfTurn(payload: Payload, message: WireObject): Payload {
  return { ...payload, value: { ...message, serverContent: { interrupted: true, turnComplete: true } } };
}
