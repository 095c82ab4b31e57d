import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startFakeProvider, type FakeProvider } from 'rx-model-stream/testing/node';
import { KEY } from '../messages/canaries';
import { ROOT } from '../support/project';

const BUILD_TIMEOUT_MS = 120_000;

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly complaint: string;
}

/** A beginning of an answer, and lines of it without end. */
function* endlessAnswer(): Generator<Uint8Array> {
  const eventOf = (event: object): Uint8Array => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
  yield eventOf({ type: 'message_start', message: { id: 'msg_1', model: 'm-1' } });
  yield eventOf({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  for (;;)
    yield eventOf({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'On and on.\n' } });
}

describe('the program behind npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  const program = join(folder, 'build/cli/main.mjs');
  let provider: FakeProvider;

  beforeAll(async () => {
    const rollup = join(ROOT, 'node_modules/rollup/dist/bin/rollup');
    const options = ['--config', '--silent', '--configCli', '--dir', join(folder, 'build')];
    execFileSync(process.execPath, [rollup, ...options], { cwd: ROOT });
    for (const name of ['package.json', 'fixtures']) symlinkSync(join(ROOT, name), join(folder, name));
    provider = await startFakeProvider({ '/v1/messages': () => ({ body: endlessAnswer(), everyMs: 5 }) });
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await provider.close();
    rmSync(folder, { recursive: true });
  });

  function start(...args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    const env = { ...process.env, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.url, OPENAI_API_KEY: '' };
    return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async function outcomeOf(child: ReturnType<typeof start>): Promise<Outcome> {
    const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, output, complaint };
  }

  it('shows the demonstration in plain lines where there is no terminal', async () => {
    const { code, output, complaint } = await outcomeOf(start('--pace', '0'));
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(output).toMatch(/^OpenAI Responses +│ → web_search .*Évora/m);
    expect(output).toMatch(/^ {2}Anthropic Messages +tool-calls +[\d,]+/m);
    expect(output).toMatch(/^ {2}xAI Chat +stop +[\d,]+ .*\$0\.00095/m);
    expect(output).not.toContain('\u001b');
  });

  it('says what is missing in one line, and leaves with 2', async () => {
    const { code, output, complaint } = await outcomeOf(
      start('--provider', 'openai-responses', '--model', 'm', 'Why?'),
    );
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(complaint).toBe('error: no key: set the environment variable OPENAI_API_KEY\n');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'closes its connections after %s, shows what came, and leaves with 130',
    async (signal) => {
      const child = start('--provider', 'anthropic', '--model', 'm-1', 'Why?');
      const outcome = outcomeOf(child);
      await once(child.stdout, 'data');
      child.kill(signal);
      const { code, output, complaint } = await outcome;
      expect({ code, complaint }).toEqual({ code: 130, complaint: '' });
      expect(output).toMatch(/^Anthropic Messages +│ On and on\.$/m);
      expect(output).toMatch(/^Anthropic Messages +stopped/m);
      expect(await provider.requests.at(-1)!.closedBy).toBe('client');
    },
  );

  it('ends the demonstration after SIGINT', async () => {
    const child = start('--pace', '60000');
    const outcome = outcomeOf(child);
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await outcome).toMatchObject({ code: 130, complaint: '' });
  });

  it('closes its connections when nobody reads its output any more', async () => {
    const child = start('--provider', 'anthropic', '--model', 'm-1', 'Why?');
    const outcome = Promise.all([text(child.stderr), once(child, 'close')]);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect((await outcome)[0]).toBe('');
    expect(await provider.requests.at(-1)!.closedBy).toBe('client');
  });
});
