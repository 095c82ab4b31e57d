import { services } from '../../src/cli/services';
import { taskOf, type Environment, type Task } from '../../src/cli/task';

interface Reply {
  readonly task: Task;
  readonly written: string;
  readonly complaint: string;
}

function reply(args: readonly string[], env: Environment = {}): Reply {
  let written = '';
  let complaint = '';
  const task = taskOf(args, env, {
    version: '1.2.3',
    write: (text) => {
      written += text;
    },
    complain: (text) => {
      complaint += text;
    },
  });
  return { task, written, complaint };
}

const asking = ['--provider', 'anthropic', '--model', 'm-1'];
const env = { ANTHROPIC_API_KEY: 'secret' };

describe('taskOf', () => {
  it('is the demonstration without arguments, at a pace that may be set', () => {
    expect(reply([]).task).toMatchObject({ type: 'demo' });
    expect(reply(['--pace', '0']).task).toEqual({ type: 'demo', paceMs: 0 });
  });

  it.each(services)('is a question to $name, with the key of its variable', ({ name, baseUrl, keyVariable }) => {
    const { task } = reply(['--provider', name, '--model', 'm-1', 'Why', 'so?'], { [keyVariable]: ' secret\n' });
    expect(task).toMatchObject({
      type: 'question',
      question: { service: { name }, baseUrl, key: 'secret', model: 'm-1', prompt: 'Why so?' },
    });
  });

  it.each(services)('asks $name where its variable says', ({ name, keyVariable, baseUrlVariable }) => {
    const there = { [keyVariable]: 'secret', [baseUrlVariable]: 'http://127.0.0.1:1/v9/' };
    const { task } = reply(['--provider', name, '--model', 'm-1', 'Why?'], there);
    expect(task).toMatchObject({ question: { baseUrl: 'http://127.0.0.1:1/v9' } });
  });

  const names = services.map(({ name }) => name).join(', ');
  it.each<[string, readonly string[], Environment, string]>([
    ['no provider', ['Why?'], env, `no provider: add --provider with one of ${names}`],
    ['an unknown provider', ['--provider', 'acme', 'Why?'], env, `unknown provider "acme": known are ${names}`],
    [
      'no model',
      ['--provider', 'anthropic', 'Why?'],
      env,
      'no model: add --model with the name of a model of Anthropic',
    ],
    ['no prompt', asking, env, 'no prompt: add what to ask, in quotes'],
    ['an empty prompt', [...asking, ' '], env, 'no prompt: add what to ask, in quotes'],
    ['no key', [...asking, 'Why?'], {}, 'no key: set the environment variable ANTHROPIC_API_KEY'],
    ['an empty key', [...asking, 'Why?'], { ANTHROPIC_API_KEY: '' }, 'set the environment variable ANTHROPIC_API_KEY'],
    ['a wrong address', [...asking, 'Why?'], { ...env, ANTHROPIC_BASE_URL: 'here' }, 'ANTHROPIC_BASE_URL is "here"'],
    ['a wrong pace', ['--pace', 'fast'], env, "argument 'fast' is invalid"],
    ['a negative pace', ['--pace', '-1'], env, "argument '-1' is invalid"],
    ['an unknown option', ['--what'], env, "unknown option '--what'"],
  ])('says in one line that there is %s, and leaves with 2', (_, args, environment, message) => {
    const { task, written, complaint } = reply(args, environment);
    expect(task).toEqual({ type: 'exit', code: 2 });
    expect(complaint).toContain(message);
    expect(complaint).toMatch(/^error: .*\n$/);
    expect(complaint).not.toContain('secret');
    expect(written).toBe('');
  });

  it('says its version', () => {
    expect(reply(['--version'])).toEqual({ task: { type: 'exit', code: 0 }, written: '1.2.3\n', complaint: '' });
  });

  it('helps with examples and the variables of every service', () => {
    const { task, written } = reply(['--help']);
    expect(task).toEqual({ type: 'exit', code: 0 });
    expect(written).toContain('npm start -- --provider anthropic --model NAME "prompt"');
    for (const { keyVariable, baseUrlVariable } of services)
      expect(written).toContain(`${keyVariable}, ${baseUrlVariable}`);
  });
});
