import { readFileSync } from 'node:fs';
import { combineLatest, lastValueFrom, type TimestampProvider } from 'rxjs';
import { timed } from './answer';
import { ask } from './ask';
import { startDemo, type Scenario } from './demo';
import { liveDisplay, type Screen } from './live';
import { plainDisplay } from './plain';
import { resultTable, type Result } from './results';
import { taskOf, type Environment } from './task';

/** What the program runs in. */
export interface Surroundings {
  /** The folder of the package, with a slash at its end. */
  readonly root: URL;
  readonly env: Environment;
  readonly clock: TimestampProvider;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Absent where the output is no terminal. */
  readonly screen?: Screen | undefined;
  /** Aborted when the program is to leave. */
  readonly leave: AbortSignal;
}

const FAILED = 1;
/** As shells report a program that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * Does what the arguments say.
 *
 * @returns A promise of the exit code, fulfilled when every connection is closed.
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { root, env, write, complain } = surroundings;
  const task = taskOf(args, env, { version: versionIn(root), write, complain });
  switch (task.type) {
    case 'exit':
      return task.code;
    case 'question':
      return show([{ questions: [task.question] }], surroundings);
    case 'demo': {
      const demo = await startDemo(new URL('fixtures/', root), task.paceMs);
      try {
        return await show(demo.scenarios, surroundings);
      } finally {
        await demo.close();
      }
    }
  }
}

async function show(scenarios: readonly Scenario[], { clock, write, screen, leave }: Surroundings): Promise<number> {
  const display = screen ? liveDisplay(screen, clock) : plainDisplay(write);
  const results: Result[] = [];
  for (const { title, questions } of scenarios) {
    if (leave.aborted) break;
    const answers = combineLatest(
      questions.map((question) => ask(question, leave).pipe(timed(question.service.label, clock))),
    );
    results.push({ title, answers: await lastValueFrom(display(title, answers)) });
  }
  if (results.length > 0) write(`${resultTable(results, screen?.space().columns ?? Infinity)}\n`);
  if (leave.aborted) return INTERRUPTED;
  return results.some(({ answers }) => answers.some(({ snapshot }) => snapshot.status === 'failed')) ? FAILED : 0;
}

function versionIn(root: URL): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return version;
}
