import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { services, type Question } from './services';

/** What the program was told to do. */
export type Task =
  | { readonly type: 'demo'; readonly paceMs: number }
  | { readonly type: 'question'; readonly question: Question }
  /** Everything is said already: help, or what is missing. */
  | { readonly type: 'exit'; readonly code: number };

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the program says of itself, and where. */
export interface Voice {
  readonly version: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

const WRONG_USE = 2;
const DEFAULT_PACE_MS = 50;
const NAMES = services.map(({ name }) => name).join(', ');
const EXAMPLES = `
Examples:
  npm start                                                  models side by side, from fixtures
  npm start -- --pace 200                                    the same, slower
  npm start -- --provider anthropic --model NAME "prompt"    a real service

Environment:
${services.map(({ keyVariable, baseUrlVariable }) => `  ${keyVariable}, ${baseUrlVariable}`).join('\n')}`;

/** Reads the arguments. What is wrong with them is said in one line; then there is nothing to do but leave. */
export function taskOf(args: readonly string[], env: Environment, { version, write, complain }: Voice): Task {
  const command = new Command('npm start --')
    .description('Streams models side by side: from fixtures, over HTTP on this machine, or one from its real service.')
    .argument('[prompt...]', 'what to ask')
    .option('--provider <name>', `the service to ask: ${NAMES}`)
    .option('--model <name>', 'the model to ask')
    .option('--pace <ms>', 'time between two events of a fixture', paceOf, DEFAULT_PACE_MS)
    .version(version)
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: complain });
  try {
    command.parse(args, { from: 'user' });
    return taskFrom(command, env);
  } catch (error) {
    if (error instanceof CommanderError) return { type: 'exit', code: error.exitCode === 0 ? 0 : WRONG_USE };
    throw error;
  }
}

function taskFrom(command: Command, env: Environment): Task {
  const { provider, model, pace } = command.opts<{ provider?: string; model?: string; pace: number }>();
  const prompt = command.args.join(' ').trim();
  if (provider === undefined && model === undefined && prompt === '') return { type: 'demo', paceMs: pace };

  const refuse = (message: string): never => command.error(`error: ${message}`);
  const service = services.find(({ name }) => name === provider);
  if (provider === undefined) return refuse(`no provider: add --provider with one of ${NAMES}`);
  if (service === undefined) return refuse(`unknown provider "${provider}": known are ${NAMES}`);
  if (!model) return refuse(`no model: add --model with the name of a model of ${service.label}`);
  if (prompt === '') return refuse('no prompt: add what to ask, in quotes');
  const key = valueOf(service.keyVariable, env);
  if (key === undefined) return refuse(`no key: set the environment variable ${service.keyVariable}`);
  const baseUrl = valueOf(service.baseUrlVariable, env) ?? service.baseUrl;
  if (!URL.canParse(baseUrl)) return refuse(`no URL: ${service.baseUrlVariable} is "${baseUrl}"`);
  return { type: 'question', question: { service, baseUrl: baseUrl.replace(/\/+$/, ''), key, model, prompt } };
}

/** A variable that is empty is not set. */
function valueOf(variable: string, env: Environment): string | undefined {
  const value = env[variable]?.trim();
  return value === '' ? undefined : value;
}

function paceOf(text: string): number {
  const paceMs = Number(text);
  const isTime = text.trim() !== '' && paceMs >= 0 && paceMs < Infinity;
  if (!isTime) throw new InvalidArgumentError('It is not a time in milliseconds.');
  return paceMs;
}
