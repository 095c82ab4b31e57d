import { from, lastValueFrom } from 'rxjs';
import { accumulateBlocks, normalize, parseSSE, textOf, writerCompletions } from 'rx-model-stream';
import { fixturesOf, recordingsAt } from '../../support/fixtures';
import { framesOf, readFrames } from '../../support/frames';
import { describeProviderContract } from '../../support/providerContract';
import { collectionBytes, describeCollection } from '../../support/shared';

const RECORDING = 'compat-writer/completions-value-objects.sse';

describeProviderContract('writerCompletions()', {
  create: writerCompletions,
  fixtures: fixturesOf('writer-completions'),
  recordings: recordingsAt(RECORDING),
  keepAlives: [{ value: '' }],
  unknowns: [
    { title: 'an unknown event', payloads: [{ hologram: { rays: 3 } }, { value: 7 }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', [{ value: 'Hi' }]] },
  ],
});

const read = (...payloads: readonly unknown[]) => readFrames(writerCompletions(), framesOf(...payloads));

describe('writerCompletions()', () => {
  it.each([
    ['text', { value: 'Hi' }, { phase: 'content', ending: 'possible' }],
    ['no text yet', { value: '' }, { phase: 'idle' }],
    ['a sentinel', '[DONE]', { phase: 'content', ending: 'final' }],
    ['something unknown', { hologram: 3 }, { phase: 'content' }],
  ])('tells what %s means for the life of the answer', (_what, value, lifecycle) => {
    expect(writerCompletions().lifecycleOf({ value })).toEqual(lifecycle);
  });

  it('ends with the body, once there is text', () => {
    expect(read({ value: 'Hi' }).events.at(-1)).toEqual({ type: 'finish', reason: 'other' });
    expect(read({ value: '' }).error).toMatchObject({ code: 'truncated' });
  });

  it.each([
    ['InternalServerError', true],
    ['ServiceUnavailable', true],
    ['TooManyRequests', true],
    ['BadRequest', false],
  ])('reports a failure %s, retryable: %s', (tpe, retryable) => {
    const { error } = read({ value: 'Hi' }, { tpe, errors: [{ description: 'It failed.', key: 'k' }] });
    expect(error).toMatchObject({ code: 'provider', message: 'It failed.', providerCode: tpe, retryable });
  });
});

describeCollection('writerCompletions() reads a recorded stream', 1, () => {
  it('whole', async () => {
    const body = collectionBytes(`recordings/${RECORDING}`);
    const events = from([body]).pipe(parseSSE(), normalize(writerCompletions()));
    const snapshot = await lastValueFrom(events.pipe(accumulateBlocks()));
    const lines = new TextDecoder().decode(body).split('\n\n').filter(Boolean);
    const pieces = lines.map((line) => (JSON.parse(line.slice('data: '.length)) as { value: string }).value);
    expect(textOf(snapshot)).toBe(pieces.join(''));
    expect(snapshot).toMatchObject({ status: 'complete', finishReason: 'other' });
  });
});
