import { openaiResponses } from 'rx-model-stream';
import { fixturesOf } from '../../support/fixtures';
import { BACKGROUND_RESPONSES, finishedText, inBackground } from '../../support/resumableRuns';
import { describeTrackerContract } from '../../support/trackerContract';

/** Responses that cannot be told whole as they were streamed, and why. */
const NOT_WHOLE = [
  'agents.sse', // several agents count places of their own, the whole response has one list
  'image-generation.sse', // a text without words, which is a block only where it is streamed
];

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
  fetched: runs.filter(({ name }) => !NOT_WHOLE.includes(name)),
});
