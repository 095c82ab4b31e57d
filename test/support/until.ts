import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the condition holds, and fails when it does not within five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${String(condition)}`);
    await delay(1);
  }
}
