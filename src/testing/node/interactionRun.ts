import { objectIn, textIn, wordIn } from '../../wire';
import { createFakeRun, type FakeRun, type FakeRunOptions, type RunApi } from './fakeRun';

const PATH = '/v1beta/interactions';

/**
 * A run of Gemini Interactions, for `startFakeProvider`: a stream that can be left and gone on with.
 *
 * 1. `POST /v1beta/interactions` creates the interaction and streams it. It can be asked for again unless it was asked for
 *    with `store: false`.
 * 2. `GET /v1beta/interactions/{id}?stream=true&last_event_id=e` sends the events behind that with the id e, then those to
 *    come; those behind it that have no id themselves are sent again. Without `last_event_id` all of them. An id of an event
 *    that was never sent is answered with 400, another id of an interaction with 404.
 * 3. `GET /v1beta/interactions/{id}` tells how it stands and, once it is finished, the whole interaction.
 * 4. `POST /v1beta/interactions/{id}/cancel` ends it, in the background only, as often as it is asked to.
 *
 * What is answered to ids that are not known, and that a stream can be too old, is not documented.
 *
 * @param body - Its events, as an event stream; those with an `event_id` are places to go on from.
 * @param options - What of it is the test's to say.
 * @returns The run and its routes. A request that creates it again begins it again.
 *
 * @example
 * ```ts
 * import { interactionRun, startFakeProvider } from 'rx-model-stream/testing/node';
 *
 * const body = [
 *   { event_type: 'interaction.created', event_id: 'e-1', interaction: { id: 'int_1', status: 'in_progress' } },
 *   { event_type: 'interaction.completed', interaction: { id: 'int_1', status: 'completed' } },
 * ].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
 * const provider = await startFakeProvider(interactionRun(body).routes);
 * const url = `${provider.url}/v1beta/interactions`;
 *
 * await fetch(url, { method: 'POST', body: '{"background":true,"stream":true}' });
 * const rest = await fetch(`${url}/int_1?stream=true&last_event_id=e-1`);
 * console.log(JSON.parse((await rest.text()).slice(6)).event_type); // interaction.completed
 * await provider.close();
 * ```
 */
export function interactionRun(body: string, options: FakeRunOptions = {}): FakeRun {
  return createFakeRun(API, body, options);
}

const API: RunApi = {
  path: PATH,
  resource: 'interaction',
  idIn: (event) => wordIn(objectIn(event, 'interaction'), 'id') ?? wordIn(event, 'interaction_id'),
  isStored: (request) => request['store'] !== false,
  isCancellable: (request) => request['background'] === true,
  startOf(query, events) {
    const last = query.get('last_event_id');
    if (last === null) return 0;
    const place = events.findIndex(({ value }) => textIn(value, 'event_id') === last);
    return place === -1 ? undefined : place + 1;
  },
  wholeOf: (interaction) => interaction,
  failure: (code, message) => ({ error: { code, message, status: code === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT' } }),
};
