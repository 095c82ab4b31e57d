import { from, lastValueFrom } from 'rxjs';
import {
  accumulateBlocks,
  normalize,
  parseSSE,
  textOf,
  watsonxText,
  type FinishEvent,
  type ModelEvent,
  type TokenUsage,
} from 'rx-model-stream';
import { fixturesOf, recordingsAt } from '../../support/fixtures';
import { framesOf, readFrames } from '../../support/frames';
import { describeProviderContract } from '../../support/providerContract';
import { collectionBytes, describeCollection } from '../../support/shared';

const RECORDING = 'compat-watsonx/text-sse-ids.sse';

const event = (result: object) => ({ model_id: 'm-1', results: [result] });
const text = (generated_text: string, stop_reason = 'not_finished') => event({ generated_text, stop_reason });

describeProviderContract('watsonxText()', {
  create: watsonxText,
  fixtures: fixturesOf('watsonx-text'),
  recordings: recordingsAt(RECORDING),
  keepAlives: [],
  unknowns: [
    { title: 'an unknown event', payloads: [{ hologram: { rays: 3 } }, { results: [] }, { results: ['text'] }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', [text('Hi', 'eos_token')]] },
  ],
});

const read = (...payloads: readonly unknown[]) => readFrames(watsonxText(), framesOf(...payloads));
const finishIn = (events: readonly ModelEvent[]) => events.find((said): said is FinishEvent => said.type === 'finish');
const usagesOf = (...payloads: readonly unknown[]): TokenUsage[] =>
  read(...payloads).events.flatMap((said) => (said.type === 'usage' ? [said.usage] : []));

describe('watsonxText() ends as the service says', () => {
  it.each([
    ['eos_token', 'stop'],
    ['EOS_TOKEN', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['token_limit', 'length'],
    ['time_limit', 'other'],
    ['cancelled', 'cancelled'],
    ['hologram', 'other'],
  ])('%s is %s', (word, reason) => {
    expect(finishIn(read(text('Hi', word)).events)).toEqual({ type: 'finish', reason, rawReason: word });
  });

  it('and not before', () => {
    for (const word of ['not_finished', 'NOT_FINISHED', '']) {
      expect(read(text('Hi', word)).error).toMatchObject({ code: 'truncated' });
    }
  });

  it.each([
    ['a failure', { errors: [{ code: 'c', message: 'It failed.' }], status_code: 500 }, 'c', 'It failed.', true],
    ['too many requests', { errors: [{ code: 'c', message: 'Wait.' }], status_code: 429 }, 'c', 'Wait.', true],
    ['a request it refuses', { errors: [{ code: 'c', message: 'No.' }], status_code: 400 }, 'c', 'No.', false],
    ['one without a status', { errors: [{ code: 'c', message: 'No.' }] }, 'c', 'No.', false],
    ['the word for one', text('', 'ERROR'), 'ERROR', 'The service reported a failure without a message', true],
  ])('%s is a failure', (_what, value, providerCode, message, retryable) => {
    const error = watsonxText().lifecycleOf({ value }).error;
    expect(error?.toJSON()).toMatchObject({
      code: 'provider',
      provider: 'watsonx-text',
      providerCode,
      message,
      retryable,
    });
  });
});

describe('watsonxText() counts tokens', () => {
  it('of the input once, of the output as a total', () => {
    const counts = (input_token_count: unknown, generated_token_count: unknown) =>
      event({ generated_text: 'x', input_token_count, generated_token_count });
    expect(usagesOf(counts(9, 0), counts(0, 1), counts(undefined, 2))).toEqual(
      [0, 1, 2].map((outputTokens) => ({
        inputTokens: 9,
        outputTokens,
        totalTokens: 9 + outputTokens,
        raw: { input_token_count: 9, generated_token_count: outputTokens },
      })),
    );
  });

  it('only those that are told', () => {
    expect(usagesOf(text('Hi'))).toEqual([]);
    expect(usagesOf(event({ generated_token_count: 2 }))).toEqual([
      { outputTokens: 2, raw: { generated_token_count: 2 } },
    ]);
    expect(usagesOf(event({ input_token_count: 2 }))).toEqual([{ inputTokens: 2, raw: { input_token_count: 2 } }]);
  });

  it('of one answer at a time', () => {
    const provider = watsonxText();
    readFrames(provider, framesOf(event({ input_token_count: 9, generated_token_count: 1 })));
    const { events } = readFrames(provider, framesOf(event({ generated_token_count: 1 })));
    expect(events).toContainEqual({ type: 'usage', usage: { outputTokens: 1, raw: { generated_token_count: 1 } } });
  });
});

describeCollection('watsonxText() reads a recorded stream', 1, () => {
  it('whole', async () => {
    const body = collectionBytes(`recordings/${RECORDING}`);
    const snapshot = await lastValueFrom(from([body]).pipe(parseSSE(), normalize(watsonxText()), accumulateBlocks()));
    const pieces = [...new TextDecoder().decode(body).matchAll(/"generated_text":"([^"]*)"/g)].map(
      ([, piece]) => piece,
    );
    expect(textOf(snapshot)).toBe(pieces.join(''));
    expect(snapshot).toMatchObject({
      status: 'complete',
      finishReason: 'stop',
      rawFinishReason: 'eos_token',
      model: 'google/flan-ul2',
      usage: { inputTokens: 8, outputTokens: 11, totalTokens: 19 },
    });
  });
});
