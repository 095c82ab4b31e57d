import { openaiRealtime } from 'rx-model-stream';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { rays: 3 };

describeProviderContract('openaiRealtime()', {
  create: openaiRealtime,
  fixtures: fixturesOf('openai-realtime'),
  recordings: recordingsOf('openai-realtime', 'ws-jsonl'),
  keepAlives: [{ type: 'ping', timestamp: 7 }],
  unknowns: [
    { title: 'an unknown event', payloads: [{ type: 'weather.changed', hologram: HOLOGRAM }] },
    {
      title: 'an item of an unknown type',
      payloads: [
        { type: 'response.output_item.added', output_index: 9, item: { id: 'item_h', type: 'hologram', rays: 3 } },
        { type: 'response.hologram.delta', item_id: 'item_h', output_index: 9, delta: 'ray' },
        { type: 'response.output_item.done', output_index: 9, item: { id: 'item_h', type: 'hologram', rays: 3 } },
      ],
    },
    { title: 'an error that answers the client', payloads: [{ type: 'error', error: { message: 'No such item' } }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['type']] },
  ],
});

describe('laneOf', () => {
  const laneOf = openaiRealtime().laneOf!;

  it.each([
    ['the response that an event names', { type: 'response.output_text.delta', response_id: 'resp_1' }, 'resp_1'],
    ['the response that begins or ends', { type: 'response.created', response: { id: 'resp_2' } }, 'resp_2'],
    ['none for an event of the session', { type: 'session.created', session: { id: 'sess_1' } }, undefined],
  ])('is %s', (_what, value, lane) => {
    expect(laneOf({ value })).toBe(lane);
  });
});
