import { openaiResponses } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { ANNOTATIONS, EVENTS, ITEMS, PARTS, REASONS } from './openaiResponses';

const CREATED = { type: 'response.created', response: { id: 'resp_1' } };

function inResponse(payload: unknown): RawExample {
  return { payloads: [CREATED, payload, { type: 'response.completed', response: { id: 'resp_1' } }], raw: payload };
}

describeSdkWords({
  provider: openaiResponses(),
  alsoIn: 'xai',
  places: [
    {
      title: 'events',
      list: EVENTS,
      paths: [''],
      field: 'type',
      rawExample: (type) => inResponse({ type, output_index: 9, delta: '~' }),
    },
    {
      title: 'items',
      list: ITEMS,
      paths: ['item', 'response.output.*'],
      field: 'type',
      rawExample: (type) =>
        inResponse({ type: 'response.output_item.done', output_index: 9, item: { type, id: 'item_1' } }),
    },
    {
      title: 'parts',
      list: PARTS,
      paths: ['part', 'item.content.*', 'item.summary.*', 'response.output.*.content.*', 'response.output.*.summary.*'],
      field: 'type',
    },
    {
      title: 'annotations',
      list: ANNOTATIONS,
      paths: [
        'annotation',
        'part.annotations.*',
        'item.content.*.annotations.*',
        'response.output.*.content.*.annotations.*',
      ],
      field: 'type',
    },
  ],
  reasons: [
    {
      list: REASONS,
      payloadsWith: (reason) => [
        CREATED,
        { type: 'response.incomplete', response: { incomplete_details: { reason } } },
      ],
    },
  ],
});
