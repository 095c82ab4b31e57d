import { openaiResponses } from 'rx-model-stream';
import { fixturesOf } from '../../support/fixtures';
import { BACKGROUND_RESPONSES, finishedText, inBackground, isToldWhole } from '../../support/resumableRuns';
import { describeTrackerContract } from '../../support/trackerContract';

const runs = fixturesOf('openai-responses').flatMap((sample) => {
  const text = finishedText(sample, openaiResponses());
  if (text === undefined || sample.name === 'no-sequence-numbers.sse') return [];
  const body = inBackground(text);
  return [{ name: sample.name, serve: () => BACKGROUND_RESPONSES.run(body).routes }];
});

describeTrackerContract('openaiResponses()', {
  create: openaiResponses,
  path: BACKGROUND_RESPONSES.path,
  runs,
  keepAlives: [{ value: { type: 'keepalive', sequence_number: 10_000 } }, { value: '[DONE]' }],
  fetched: runs.filter(({ name }) => isToldWhole(name)),
});
