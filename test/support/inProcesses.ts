import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * Lets as many processes as there are cores work off the tasks, each the next one when it is done with the last. The results
 * come in any order.
 *
 * @param script - Answers each message, a task, with a message, its result.
 */
export async function inProcesses(
  script: URL,
  tasks: readonly object[],
  take: (result: unknown) => void,
): Promise<void> {
  const waiting = tasks.values();
  const count = Math.min(availableParallelism(), tasks.length);
  const path = fileURLToPath(script);
  const workers = Array.from({ length: count }, () => fork(path, { serialization: 'advanced' }));
  try {
    await Promise.all(workers.map((worker) => workOff(worker, waiting, take)));
  } finally {
    for (const worker of workers) worker.kill();
  }
}

function workOff(
  worker: ChildProcess,
  waiting: Iterator<object, unknown>,
  take: (result: unknown) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const task = waiting.next();
      if (task.done) resolve();
      else worker.send(task.value);
    };
    worker.on('message', (result) => {
      take(result);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      reject(new Error(`A process that works on tasks ended with code ${String(code)}`));
    });
    next();
  });
}
