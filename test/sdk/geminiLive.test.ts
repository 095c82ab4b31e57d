import { geminiLive } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { CONTENT_FIELDS, MESSAGE_FIELDS, REASONS } from './geminiLive';

const HELLO = { serverContent: { modelTurn: { parts: [{ text: 'Hello' }] } } };

function inTurn(message: object, raw: unknown = message): RawExample {
  return { payloads: [HELLO, message, { serverContent: { turnComplete: true } }], raw };
}

describeSdkWords({
  provider: geminiLive(),
  places: [
    {
      title: 'fields of a message',
      list: MESSAGE_FIELDS,
      paths: [''],
      rawExample: (field) => inTurn({ [field]: { rays: 3 } }),
    },
    {
      title: 'fields of serverContent',
      list: CONTENT_FIELDS,
      paths: ['serverContent'],
      rawExample: (field) => {
        const serverContent = { [field]: { rays: 3 } };
        return inTurn({ serverContent }, field === 'urlContextMetadata' ? serverContent : { serverContent });
      },
    },
  ],
  reasons: [
    {
      list: REASONS,
      payloadsWith: (turnCompleteReason) => [HELLO, { serverContent: { turnComplete: true, turnCompleteReason } }],
    },
  ],
});
