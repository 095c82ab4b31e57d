import { listIn, numberIn, objectIn, textIn, wordIn, type WireObject } from '../../wire';
import { createFakeRun, type FakeRun, type FakeRunOptions, type RunApi, type RunEvent } from './fakeRun';

const PATH = '/v1/responses';

/**
 * A background run of OpenAI Responses, for `startFakeProvider`: a stream that can be left and gone on with.
 *
 * 1. `POST /v1/responses` creates the run and streams it. It can be asked for again only if it was asked for with both
 *    `background` and `stream`; a plain stream is lost with its connection.
 * 2. `GET /v1/responses/{id}?stream=true&starting_after=n` sends the events whose number is greater than n, with their own
 *    numbers, then those to come; without `starting_after` all of them. Too late, it is answered with 400; another id
 *    with 404.
 * 3. `GET /v1/responses/{id}` tells how it stands and, once it is finished, the whole response.
 * 4. `POST /v1/responses/{id}/cancel` ends it, as often as it is asked to. Which event, if any, ends a stream that is read
 *    meanwhile is not documented: here none does.
 *
 * @param body - Its events, as an event stream whose events are numbered.
 * @param options - What of it is the test's to say.
 * @returns The run and its routes. A request that creates it again begins it again.
 *
 * @example A connection that breaks, and how it goes on
 * ```ts
 * import { openaiBackgroundRun, startFakeProvider } from 'rx-model-stream/testing/node';
 *
 * const body = [
 *   { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', status: 'in_progress' } },
 *   { type: 'response.completed', sequence_number: 1, response: { id: 'resp_1', status: 'completed' } },
 * ].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
 * const run = openaiBackgroundRun(body, { answers: [{ fault: { type: 'truncate', afterBytes: 60 } }] });
 * const provider = await startFakeProvider(run.routes);
 * const url = `${provider.url}/v1/responses`;
 *
 * const request = { method: 'POST', body: '{"background":true,"stream":true}' };
 * console.log((await (await fetch(url, request)).text()).length); // 60
 * const rest = await fetch(`${url}/resp_1?stream=true&starting_after=0`);
 * console.log(JSON.parse((await rest.text()).slice(6)).type); // response.completed
 * await provider.close();
 * ```
 */
export function openaiBackgroundRun(body: string, options: FakeRunOptions = {}): FakeRun {
  return createFakeRun(API, body, options);
}

const API: RunApi = {
  path: PATH,
  resource: 'response',
  idIn: (event) => wordIn(objectIn(event, 'response'), 'id'),
  isStored: isInBackground,
  isCancellable: isInBackground,
  startOf(query, events) {
    const after = query.get('starting_after') ?? '-1';
    if (!/^-?\d+$/.test(after)) return undefined;
    const place = events.findIndex(({ value }) => (numberIn(value, 'sequence_number') ?? -1) > Number(after));
    return place === -1 ? events.length : place;
  },
  wholeOf(response, events) {
    const output = listIn(response, 'output');
    return { object: 'response', ...response, output: output.length > 0 ? output : itemsIn(events) };
  },
  failure: (_status, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
};

function isInBackground(request: WireObject): boolean {
  return request['background'] === true && request['stream'] === true;
}

/** The items of the answer, as each was when it was done. */
function itemsIn(events: readonly RunEvent[]): WireObject[] {
  const items = new Map<number, WireObject>();
  for (const { value } of events) {
    const item = objectIn(value, 'item');
    if (item && textIn(value, 'type') === 'response.output_item.done') {
      items.set(numberIn(value, 'output_index') ?? items.size, item);
    }
  }
  return [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
}
