import { createScreen } from './terminal';
import { run } from './run';

const leave = new AbortController();

function interrupt(): void {
  leave.abort();
}

process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
process.stdout.on('error', interrupt); // nobody reads it any more, as after `| head`

const canBeDrawnOn = process.stdout.isTTY && process.env['TERM'] !== 'dumb';

process.exitCode = await run(process.argv.slice(2), {
  // As deep below it in the build as here.
  root: new URL('../../', import.meta.url),
  env: process.env,
  clock: performance,
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  screen: canBeDrawnOn ? createScreen(process.stdout) : undefined,
  leave: leave.signal,
});
