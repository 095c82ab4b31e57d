import { text } from 'node:stream/consumers';
import type { FakeExchange, FakeProvider } from 'rx-model-stream/testing/node';
import { httpBody } from './httpBody';

const QUIET_ROUNDS = 20;

/**
 * Waits until a client holds an answer back, and stays so: `write` has returned `false`, and while the service answers
 * twenty other requests not one byte of this answer is written.
 *
 * @returns How many bytes were written.
 */
export async function heldBack(service: FakeProvider, exchange: FakeExchange): Promise<number> {
  for (let quiet = 0; quiet < QUIET_ROUNDS;) {
    const before = exchange.bytesWritten;
    await text(await httpBody(`${service.url}/meanwhile`));
    quiet = exchange.isPaused && exchange.bytesWritten === before ? quiet + 1 : 0;
  }
  return exchange.bytesWritten;
}
