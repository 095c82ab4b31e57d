import type { WriteStream } from 'node:tty';
import { Chalk } from 'chalk';
import { createLogUpdate } from 'log-update';

/** How far a long run is: a bar in a terminal, elsewhere a line for every tenth. */
export interface Progress {
  show(done: number, faults: number): void;
  end(): void;
}

const WIDTH = 40;

export function createProgress(output: WriteStream, total: number): Progress {
  return output.isTTY ? createBar(output, total) : createLines(output, total);
}

function createBar(output: WriteStream, total: number): Progress {
  const log = createLogUpdate(output);
  const chalk = new Chalk({ level: output.hasColors() ? 1 : 0 });
  return {
    show(done, faults) {
      const filled = Math.round((WIDTH * done) / total);
      const bar = chalk.green('█'.repeat(filled)) + chalk.dim('░'.repeat(WIDTH - filled));
      log(`${bar} ${done} of ${total}${faults > 0 ? chalk.red(`, ${faults} faults`) : ''}`);
    },
    end() {
      log.clear();
      log.done();
    },
  };
}

function createLines(output: WriteStream, total: number): Progress {
  let tenths = 0;
  return {
    show(done, faults) {
      const reached = Math.floor((10 * done) / total);
      if (reached <= tenths) return;
      tenths = reached;
      output.write(`${done} of ${total}, ${faults} faults\n`);
    },
    end() {
      // every line stays
    },
  };
}
