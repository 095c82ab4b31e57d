import { gemini } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { BLOCK_REASONS, CANDIDATE_FIELDS, CHUNK_FIELDS, PART_FIELDS, REASONS } from './gemini';

function inAnswer(chunk: object, raw: unknown = chunk): RawExample {
  const hello = { responseId: 'g_1', candidates: [{ content: { parts: [{ text: 'Hello' }] } }] };
  return { payloads: [hello, chunk, { candidates: [{ finishReason: 'STOP' }] }], raw };
}

describeSdkWords({
  provider: gemini(),
  places: [
    {
      title: 'fields of a chunk',
      list: CHUNK_FIELDS,
      paths: [''],
      rawExample: (field) => inAnswer({ [field]: 'rays' }),
    },
    {
      title: 'fields of a candidate',
      list: CANDIDATE_FIELDS,
      paths: ['candidates.*'],
      rawExample: (field) => {
        const candidate = { [field]: { rays: 3 } };
        const chunk = { candidates: [candidate] };
        return inAnswer(chunk, field === 'urlContextMetadata' ? candidate : chunk);
      },
    },
    {
      title: 'fields of a part',
      list: PART_FIELDS,
      paths: ['candidates.*.content.parts.*'],
      rawExample: (field) => {
        const part = { [field]: { rays: 3 } };
        return inAnswer({ candidates: [{ content: { parts: [part] } }] }, part);
      },
    },
  ],
  reasons: [
    { list: REASONS, payloadsWith: (finishReason) => [{ candidates: [{ finishReason }] }] },
    {
      list: BLOCK_REASONS, // a prompt that is not blocked has an answer
      payloadsWith: (blockReason) => {
        const chunk = { promptFeedback: { blockReason } };
        return blockReason.endsWith('UNSPECIFIED') ? [chunk, { candidates: [{ finishReason: 'OTHER' }] }] : [chunk];
      },
    },
  ],
});
