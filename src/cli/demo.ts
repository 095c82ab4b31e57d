import { readFileSync } from 'node:fs';
import { parse } from 'node:path';
import { startFakeProvider, type FakeResponse } from '../testing/node';
import { services, type Question, type Service } from './services';

/** Questions whose answers are shown side by side. */
export interface Scenario {
  readonly title?: string;
  readonly questions: readonly Question[];
}

/** A demonstration that is ready to be asked. */
export interface Demo {
  readonly scenarios: readonly Scenario[];
  /** Ends every connection. */
  close(): Promise<void>;
}

/** A model takes so many times longer for its first event than for each of the others. */
const PACES_BEFORE_FIRST_EVENT = 10;

/**
 * Starts a provider on this machine that serves the fixtures of all services, where each service would answer.
 *
 * @param folder - The folder `fixtures`, with a slash at its end.
 * @param paceMs - Time between two events of a stream, in milliseconds.
 */
export async function startDemo(folder: URL, paceMs: number): Promise<Demo> {
  const parts = services.flatMap((service) => service.fixtures.map((fixture) => ({ service, fixture })));
  const routes = parts.map(({ service, fixture }): [string, FakeResponse] => [
    pathOf(questionTo(service, `http://demo/${fixture}`)),
    responseOf(fixture, readFileSync(new URL(fixture, folder)), paceMs),
  ]);
  const provider = await startFakeProvider(Object.fromEntries(routes));
  const titles = new Set(parts.map(({ fixture }) => titleOf(fixture)));
  return {
    scenarios: [...titles].map((title) => ({
      title,
      questions: parts
        .filter(({ fixture }) => titleOf(fixture) === title)
        .map(({ service, fixture }) => questionTo(service, `${provider.url}/${fixture}`)),
    })),
    close: () => provider.close(),
  };
}

function questionTo(service: Service, baseUrl: string): Question {
  return { service, baseUrl, key: 'demo', model: 'demo', prompt: 'demo' };
}

function pathOf(question: Question): string {
  return new URL(question.service.requestFor(question).url).pathname;
}

/** `openai-responses/tool-call.sse` is the tool call of its service. */
function titleOf(fixture: string): string {
  const { name } = parse(fixture);
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}

/** What each kind of file is served as, and where it is cut: behind an event, or behind an element of an array. */
const FRAMINGS = {
  '.sse': { contentType: 'text/event-stream', end: /(?<=\n\r?\n)/ },
  '.json': { contentType: 'application/json', end: /(?<=\n,\r?\n)/ },
} as const;

function responseOf(fixture: string, bytes: Buffer, paceMs: number): FakeResponse {
  const { contentType, end } = FRAMINGS[parse(fixture).ext === '.json' ? '.json' : '.sse'];
  return {
    headers: { 'content-type': contentType },
    body: piecesOf(bytes, end),
    everyMs: paceMs,
    headersAfterMs: PACES_BEFORE_FIRST_EVENT * paceMs,
  };
}

/** Each byte is one character meanwhile, so that none changes. */
function piecesOf(bytes: Buffer, end: RegExp): readonly Uint8Array[] {
  return bytes
    .toString('latin1')
    .split(end)
    .map((piece) => Buffer.from(piece, 'latin1'));
}
