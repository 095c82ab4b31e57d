import { openaiRealtime } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { CANCELLED_REASONS, EVENTS, INCOMPLETE_REASONS, ITEMS, PARTS, STATUSES } from './openaiRealtime';

function endingWith(status: string, details: object | null = null): object {
  return { type: 'response.done', response: { id: 'resp_1', status, status_details: details } };
}

function inResponse(payload: unknown): RawExample {
  const created = { type: 'response.created', response: { id: 'resp_1' } };
  return { payloads: [created, payload, endingWith('completed')], raw: payload };
}

describeSdkWords({
  provider: openaiRealtime(),
  places: [
    {
      title: 'events',
      list: EVENTS,
      paths: [''],
      field: 'type',
      rawExample: (type) => inResponse({ type, item_id: 'item_9', output_index: 9, delta: '~' }),
    },
    {
      title: 'items',
      list: ITEMS,
      paths: ['item', 'response.output.*'],
      field: 'type',
      rawExample: (type) =>
        inResponse({ type: 'response.output_item.done', output_index: 9, item: { type, id: 'item_9' } }),
    },
    {
      title: 'parts',
      list: PARTS,
      paths: ['part', 'item.content.*', 'response.output.*.content.*'],
      field: 'type',
    },
  ],
  reasons: [
    { list: INCOMPLETE_REASONS, payloadsWith: (reason) => [endingWith('incomplete', { reason })] },
    { list: CANCELLED_REASONS, payloadsWith: (reason) => [endingWith('cancelled', { reason })] },
    { list: STATUSES, payloadsWith: (status) => [endingWith(status)] },
  ],
});
