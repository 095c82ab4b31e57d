import { openaiRealtime } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { EVENTS, ITEMS, REASONS } from './openaiRealtime';

const CREATED = { type: 'response.created', response: { id: 'resp_1' } };
const CANCELLATIONS: ReadonlySet<string> = new Set(['turn_detected', 'client_cancelled']);

function inResponse(payload: unknown): RawExample {
  const done = { type: 'response.done', response: { id: 'resp_1', status: 'completed' } };
  return { payloads: [CREATED, payload, done], raw: payload };
}

describeSdkWords({
  provider: openaiRealtime(),
  places: [
    { title: 'events', list: EVENTS, paths: [''], field: 'type', rawExample: (type) => inResponse({ type }) },
    {
      title: 'items',
      list: ITEMS,
      paths: ['item', 'response.output.*'],
      field: 'type',
      rawExample: (type) =>
        inResponse({ type: 'response.output_item.done', output_index: 0, item: { type, id: 'item_1' } }),
    },
  ],
  reasons: [
    {
      list: REASONS,
      payloadsWith: (reason) => {
        const status = CANCELLATIONS.has(reason) ? 'cancelled' : 'incomplete';
        return [CREATED, { type: 'response.done', response: { id: 'resp_1', status, status_details: { reason } } }];
      },
    },
  ],
});
