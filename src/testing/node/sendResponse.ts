import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { writesOf } from '../writesOf';
import type { FakeResponse } from './fakeResponse';

/** What is to be seen of an answer while it is sent. */
export interface SendProgress {
  bytesWritten: number;
  isPaused: boolean;
}

/**
 * Sends a response at its pace, and no faster than the client takes it, with its fault.
 *
 * @param left - Aborted when the connection is gone: no timer and no listener outlives it.
 * @returns A promise that is fulfilled when the answer was sent as told, and rejects when the connection went away before.
 */
export async function sendResponse(
  response: FakeResponse,
  to: ServerResponse,
  progress: SendProgress,
  left: AbortSignal,
): Promise<void> {
  const { status = 200, headers = {}, everyMs = 0, headersAfterMs = 0, fault, keepOpen = false } = response;

  async function write(bytes: Uint8Array): Promise<void> {
    left.throwIfAborted();
    progress.bytesWritten += bytes.length;
    progress.isPaused = !to.write(bytes);
    if (!progress.isPaused) return;
    await once(to, 'drain', { signal: left });
    progress.isPaused = false;
  }

  async function respond(): Promise<void> {
    to.statusCode = status;
    to.setHeader('content-type', 'text/event-stream');
    for (const [name, value] of Object.entries(headers)) to.setHeader(name, value);
    to.flushHeaders();
    for await (const bytes of writesOf(response)) {
      if (progress.bytesWritten > 0 && everyMs > 0) await delay(everyMs, undefined, { signal: left });
      await write(bytes);
    }
  }

  if (headersAfterMs > 0) await delay(headersAfterMs, undefined, { signal: left });
  if (fault === undefined || fault.afterBytes !== undefined) await respond();
  if (fault?.type === 'reset') {
    await reset(to);
    return;
  }
  if (fault?.type !== 'stall' && !keepOpen) to.end();
  await once(to, 'finish', { signal: left });
}

/** Breaks the connection once what was written is on its way. */
async function reset({ socket }: ServerResponse): Promise<void> {
  await new Promise((sent) => socket?.write('', sent));
  socket?.resetAndDestroy();
}
