import { lyria } from 'rx-model-stream/providers';
import { describeSdkWords } from '../support/sdkWords';
import { CONTENT_FIELDS, MESSAGE_FIELDS } from './lyria';

describeSdkWords({
  provider: lyria(),
  places: [
    {
      title: 'fields of a message',
      list: MESSAGE_FIELDS,
      paths: [''],
      rawExample: (field) => {
        const message = { [field]: { rays: 3 } };
        return { payloads: [{ serverContent: { audioChunks: [{ data: 'AAEC' }] } }, message], raw: message };
      },
    },
    { title: 'fields of serverContent', list: CONTENT_FIELDS, paths: ['serverContent'] },
  ],
});
