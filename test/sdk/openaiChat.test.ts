import { openaiChat } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { CALL_FIELDS, CHOICE_FIELDS, CHUNK_FIELDS, DELTA_FIELDS, REASONS } from './openaiChat';

function inAnswer(chunk: object, raw: unknown = chunk): RawExample {
  const hello = { id: 'chat_1', choices: [{ index: 0, delta: { content: 'Hello' } }] };
  const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  return { payloads: [hello, chunk, stop, '[DONE]'], raw };
}

describeSdkWords({
  provider: openaiChat(),
  places: [
    {
      title: 'fields of a chunk',
      list: CHUNK_FIELDS,
      paths: [''],
      rawExample: (field) => inAnswer({ choices: [], [field]: 'rays' }),
    },
    {
      title: 'fields of a choice',
      list: CHOICE_FIELDS,
      paths: ['choices.*'],
      rawExample: (field) => inAnswer({ choices: [{ index: 0, delta: {}, [field]: { rays: 3 } }] }),
    },
    {
      title: 'fields of a delta',
      list: DELTA_FIELDS,
      paths: ['choices.*.delta'],
      rawExample: (field) => inAnswer({ choices: [{ index: 0, delta: { [field]: 'rays' } }] }),
    },
    {
      title: 'fields of a call',
      list: CALL_FIELDS,
      paths: ['choices.*.delta.tool_calls.*'],
      rawExample: (field) => {
        const piece = { [field]: 'hologram' };
        return inAnswer({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] }, piece);
      },
    },
  ],
  reasons: [
    {
      list: REASONS,
      payloadsWith: (reason) => [{ choices: [{ index: 0, delta: {}, finish_reason: reason }] }, '[DONE]'],
    },
  ],
});
