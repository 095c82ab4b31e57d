import { anthropic } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { BLOCKS, CITATIONS, DELTAS, EVENTS, REASONS } from './anthropic';

const START = { type: 'message_start', message: { id: 'msg_1' } };
const STOP = { type: 'message_stop' };

function inMessage(payload: unknown): RawExample {
  return { payloads: [START, payload, STOP], raw: payload };
}

describeSdkWords({
  provider: anthropic(),
  places: [
    {
      title: 'events',
      list: EVENTS,
      paths: [''],
      field: 'type',
      rawExample: (type) => inMessage({ type, index: 9 }),
    },
    {
      title: 'blocks',
      list: BLOCKS,
      paths: ['content_block', 'message.content.*'],
      field: 'type',
      rawExample: (type) =>
        inMessage({ type: 'content_block_start', index: 0, content_block: { type, id: 'block_1' } }),
    },
    {
      title: 'deltas',
      list: DELTAS,
      paths: ['delta'],
      field: 'type',
      rawExample: (type) => inMessage({ type: 'content_block_delta', index: 0, delta: { type, content: '~' } }),
    },
    { title: 'citations', list: CITATIONS, paths: ['delta.citation'], field: 'type' },
  ],
  reasons: [
    {
      list: REASONS,
      payloadsWith: (reason) => [START, { type: 'message_delta', delta: { stop_reason: reason } }, STOP],
    },
  ],
});
