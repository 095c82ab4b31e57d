import type { WriteStream } from 'node:tty';
import { Chalk } from 'chalk';
import { createLogUpdate } from 'log-update';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Screen } from './live';
import type { Tone } from './passages';

/** The screen behind the output of the program. */
export function createScreen(output: WriteStream): Screen {
  // Where nobody sits, as behind `script`, the size is 0; log-update looks here too.
  output.columns ||= 80;
  output.rows ||= 24;
  const log = createLogUpdate(output);
  const paint = painters(output.hasColors());
  return {
    typesetting: {
      wrap: (line, width) => wrapAnsi(line, width, { hard: true }).split('\n'),
      widthOf: (text) => stringWidth(text),
      paint: (tone, text) => paint[tone](text),
    },
    // Below a drawing there is a row for the cursor.
    space: () => ({ columns: output.columns, rows: output.rows - 1 }),
    draw(text) {
      log(text);
    },
    print(text) {
      log.clear();
      log.done();
      output.write(`${text}\n`);
    },
  };
}

function painters(hasColors: boolean): Readonly<Record<Tone, (text: string) => string>> {
  const chalk = new Chalk({ level: hasColors ? 1 : 0 });
  return {
    heading: chalk.bold,
    quiet: chalk.dim,
    text: (text) => text,
    refusal: chalk.yellow,
    reasoning: chalk.dim.italic,
    call: chalk.cyan,
    result: chalk.green,
    citation: chalk.blue,
    failure: chalk.red,
  };
}
