import { pathToFileURL } from 'node:url';
import { startFakeProvider, type FakeProvider, type FakeResponse } from 'rx-model-stream/testing/node';
import { run, type Surroundings } from '../../src/cli/run';
import { services, type Service } from '../../src/cli/services';
import { fixtureBytes } from '../support/fixtures';
import { ROOT } from '../support/project';
import { until } from '../support/until';
import { emptyPrintout, nextPrintout } from '../../src/cli/plain';
import { growingAnswers } from './answers';

interface Outcome {
  readonly code: number;
  readonly lines: readonly string[];
  readonly complaint: string;
}

/** Runs the program without a terminal. Its clock goes on by a second whenever it is looked at. */
async function outcomeOf(args: readonly string[], surroundings: Partial<Surroundings> = {}): Promise<Outcome> {
  let output = '';
  let complaint = '';
  let now = 0;
  const code = await run(args, {
    root: pathToFileURL(`${ROOT}/`),
    env: {},
    clock: { now: () => (now += 1000) },
    write: (text) => {
      output += text;
    },
    complain: (text) => {
      complaint += text;
    },
    leave: new AbortController().signal,
    ...surroundings,
  });
  return { code, lines: output.split('\n'), complaint };
}

/** All that is printed of a hand-written stream. */
function linesOfFixture(path: string): readonly string[] {
  const { snapshots } = growingAnswers.find(({ name }) => name === path)!;
  return nextPrintout(emptyPrintout, snapshots.at(-1)!).lines;
}

function linesAfter(label: string, lines: readonly string[]): readonly string[] {
  const begin = new RegExp(`^${label} *│ `);
  return lines.filter((line) => begin.test(line)).map((line) => line.replace(begin, ''));
}

describe('run without arguments', () => {
  it('streams every service from its fixtures over HTTP, prints what each says, and the figures of all', async () => {
    const { code, lines, complaint } = await outcomeOf(['--pace', '0']);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    for (const { label, fixtures } of services) {
      expect(linesAfter(label, lines)).toEqual(fixtures.flatMap(linesOfFixture));
      const figures = lines.filter((line) => line.startsWith(`  ${label}`));
      expect(figures.length).toBe(fixtures.length);
      for (const line of figures) expect(line).toMatch(/ (stop|tool-calls) +[\d,]+ .* \d+\.00 s +\d+\.00 s$/);
    }
    // eslint-disable-next-line no-control-regex
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f]/);
  });

  it('asks nobody when it is to leave at once', async () => {
    const { code, lines } = await outcomeOf(['--pace', '0'], { leave: AbortSignal.abort() });
    expect({ code, lines }).toEqual({ code: 130, lines: [''] });
  });
});

describe('run with a question', () => {
  const KEY = 'key-that-its-service-repeats'; // and so no canary
  let provider: FakeProvider | undefined;

  /** Asks a service on this machine that answers like this. */
  async function ask(service: Service, response: FakeResponse, leave = new AbortController().signal): Promise<Outcome> {
    const place = { service, baseUrl: 'http://there', key: '', model: 'm-1', prompt: '' };
    const { pathname } = new URL(service.requestFor(place).url);
    provider = await startFakeProvider({ [pathname]: response });
    const env = { [service.keyVariable]: KEY, [service.baseUrlVariable]: provider.url };
    return outcomeOf(['--provider', service.name, '--model', 'm-1', 'Why?'], { env, leave });
  }

  /** Its first fixture as the service would answer it. */
  function answerOf({ fixtures }: Service): FakeResponse & { readonly body: Uint8Array } {
    const contentType = fixtures[0]!.endsWith('.json') ? 'application/json' : 'text/event-stream';
    return { headers: { 'content-type': contentType }, body: fixtureBytes(fixtures[0]!) };
  }

  afterEach(() => provider?.close());

  it.each(services)('asks $name with its key, model and prompt, and prints the answer', async (service) => {
    const { label, fixtures } = service;
    const { code, lines } = await ask(service, answerOf(service));
    expect(code).toBe(0);
    expect(linesAfter(label, lines)).toEqual(linesOfFixture(fixtures[0]!));
    const { headers, path, body } = provider!.requests[0]!;
    expect(Object.values(headers).filter((value) => value?.includes(KEY))).toHaveLength(1);
    expect(path + body).toContain('m-1');
    expect(path + body).toMatch(/:streamGenerateContent|"stream":true/);
    expect(body).toContain('"Why?"');
  });

  it.each(services)('reports that $name refuses the key, without the key', async (service) => {
    const { code, lines } = await ask(service, {
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { type: 'invalid_key', message: `Wrong key: ${KEY}` } }),
    });
    expect(code).toBe(1);
    expect(linesAfter(service.label, lines)).toEqual([
      '✗ http invalid_key: Cannot stream: the service answered with status 401: Wrong key: [key]',
    ]);
    expect(lines.join()).toContain('failed: http');
    expect(lines.join()).not.toContain(KEY);
  });

  it.each(services)('keeps what $name said before it broke off', async (service) => {
    const answer = answerOf(service);
    const { code, lines } = await ask(service, {
      ...answer,
      fault: { type: 'truncate', afterBytes: Math.floor(answer.body.length / 2) },
    });
    expect(code).toBe(1);
    expect(linesAfter(service.label, lines).length).toBeGreaterThan(1);
    expect(linesAfter(service.label, lines).at(-1)).toMatch(/^✗ truncated: /);
  });

  it('says where nobody listens, without the key', async () => {
    const gone = await startFakeProvider({});
    await gone.close();
    const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: gone.url };
    const { code, lines } = await outcomeOf(['--provider', 'anthropic', '--model', 'm-1', 'Why?'], { env });
    expect(code).toBe(1);
    expect(lines.join()).toContain(`ECONNREFUSED ${new URL(gone.url).host}`);
  });

  it('keeps a key to itself that cannot be sent', async () => {
    const env = { OPENAI_API_KEY: `${KEY}\n${KEY}` };
    const { code, lines } = await outcomeOf(['--provider', 'openai-responses', '--model', 'm-1', 'Why?'], { env });
    expect(code).toBe(1);
    expect(lines.join()).toContain('network: ');
    expect(lines.join()).not.toContain(KEY);
  });

  it.each(services)(
    'closes the connection to $name when it is to leave, and shows how far it came',
    async (service) => {
      const answer = answerOf(service);
      const leave = new AbortController();
      const fault = { type: 'stall', afterBytes: Math.floor(answer.body.length / 2) } as const;
      const outcome = ask(service, { ...answer, fault }, leave.signal);
      await until(() => provider?.requests[0]?.bytesWritten === fault.afterBytes);
      leave.abort();
      const { code, lines } = await outcome;
      expect(code).toBe(130);
      expect(lines.join()).toContain('stopped');
      expect(await provider!.requests[0]!.closedBy).toBe('client');
    },
  );
});
