import { geminiInteractions } from 'rx-model-stream/providers';
import { describeSdkWords, type RawExample } from '../support/sdkWords';
import { ANNOTATIONS, CONTENTS, DELTAS, EVENTS, STATUSES, STEPS } from './geminiInteractions';

const CREATED = { event_type: 'interaction.created', interaction: { id: 'i_1' } };

function completed(status: string): object {
  return { event_type: 'interaction.completed', interaction: { id: 'i_1', status } };
}

function inAnswer(payload: unknown): RawExample {
  return { payloads: [CREATED, payload, completed('completed')], raw: payload };
}

const STEP_PATHS = ['step', 'interaction.steps.*', 'interaction.outputs.*', 'content'];
const CONTENT_PATHS = STEP_PATHS.map((path) => `${path}.content.*`);

describeSdkWords({
  provider: geminiInteractions(),
  places: [
    {
      title: 'events',
      list: EVENTS,
      paths: [''],
      field: 'event_type',
      rawExample: (event_type) => inAnswer({ event_type, interaction_id: 'i_1' }),
    },
    {
      title: 'steps',
      list: STEPS,
      paths: STEP_PATHS,
      field: 'type',
      rawExample: (type) => inAnswer({ event_type: 'step.start', index: 9, step: { type } }),
    },
    { title: 'deltas', list: DELTAS, paths: ['delta'], field: 'type' },
    { title: 'contents', list: CONTENTS, paths: CONTENT_PATHS, field: 'type' },
    {
      title: 'annotations',
      list: ANNOTATIONS,
      paths: ['delta.annotations.*', ...CONTENT_PATHS.map((path) => `${path}.annotations.*`)],
      field: 'type',
      rawExample: (type) => {
        const text = { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hello' } };
        const annotations = [{ type, start_index: 0, end_index: 5 }];
        const raw = { event_type: 'step.delta', index: 0, delta: { type: 'text_annotation_delta', annotations } };
        return { payloads: [CREATED, text, raw, completed('completed')], raw };
      },
    },
  ],
  reasons: [{ list: STATUSES, payloadsWith: (status) => [CREATED, completed(status)] }],
});
