import { from, lastValueFrom } from 'rxjs';
import {
  accumulateBlocks,
  fromModel,
  normalize,
  parseSSE,
  replicate,
  textOf,
  type Frame,
  type ModelStreamError,
} from 'rx-model-stream';
import { fixturesOf, recordingsAt } from '../../support/fixtures';
import { framesOf, readBody, readFrames } from '../../support/frames';
import { describeProviderContract } from '../../support/providerContract';
import { collectionBytes, describeCollection } from '../../support/shared';

const RECORDING = 'compat-replicate/plain-text-multiline-data-ids.sse';

describeProviderContract('replicate()', {
  create: replicate,
  fixtures: fixturesOf('replicate'),
  recordings: recordingsAt(RECORDING),
  keepAlives: [],
  unknowns: [
    { title: 'an unknown payload', payloads: [{ hologram: { rays: 3 } }, 'text'] },
    { title: 'a payload that is neither', payloads: [null, 7, ['{}']] },
  ],
});

const event = (name: string, data: string): Frame => ({ type: 'sse', name, data });
const read = (...frames: readonly Frame[]) => readFrames(replicate(), frames);

describe('replicate().lifecycleOf tells what an event means', () => {
  it.each([
    ['output', 'Hi', { phase: 'content' }],
    ['output', ' ', { phase: 'content' }],
    ['output', '[DONE]', { phase: 'content' }],
    ['output', '', { phase: 'idle' }],
    ['done', '{}', { phase: 'content', ending: 'final' }],
    ['done', '{"reason":"canceled"}', { phase: 'content', ending: 'final' }],
    ['done', '{"reason":', { phase: 'content' }],
    ['done', '', { phase: 'content' }],
    ['logs', 'loading', { phase: 'content' }],
  ])('%s: %j', (name, value, lifecycle) => {
    expect(replicate().lifecycleOf({ name, value })).toEqual(lifecycle);
  });

  it.each([
    ['an error', { name: 'error', value: '{"detail":"It failed."}' }, 'It failed.'],
    ['an error in plain text', { name: 'error', value: 'It failed.' }, 'It failed.'],
    ['an end that is one', { name: 'done', value: '{"reason":"error"}' }, 'The prediction failed'],
    ['the answer to a request it refuses', { value: { detail: 'No key.', status: 401 } }, 'No key.'],
  ])('%s is a failure', (_what, payload, message) => {
    const error: ModelStreamError | undefined = replicate().lifecycleOf(payload).error;
    expect(error?.toJSON()).toMatchObject({ code: 'provider', provider: 'replicate', message, retryable: false });
  });
});

describe('replicate() of a body that ends inside an event', () => {
  const cut = (name: string, data: string) => read({ type: 'sse', name, data, incomplete: true });

  it('delivers half of a text', () => {
    const { events, error } = cut('output', 'Hal');
    expect(events.at(-1)).toEqual({ type: 'text-delta', index: 0, text: 'Hal' });
    expect(error).toMatchObject({ code: 'truncated' });
  });

  it('does not deliver half of a character', () => {
    const wire = new TextEncoder().encode('event: output\ndata: Boots 🥾');
    for (const missing of [1, 2, 3]) {
      const { events } = readBody(replicate(), parseSSE, [wire.subarray(0, wire.length - missing)]);
      expect(events.at(-1)).toEqual({ type: 'text-delta', index: 0, text: 'Boots ' });
    }
  });

  it.each([
    ['error', '{"detail":"It fai'],
    ['error', 'It fai'],
    ['done', '{"reason":"canc'],
    ['logs', 'load'],
  ])('takes half of %s for nothing: %j', (name, data) => {
    expect(cut(name, data)).toMatchObject({ events: [], error: { code: 'truncated' } });
  });

  it('knows a report that is whole', () => {
    expect(cut('error', '{"detail":"It failed."}').error).toMatchObject({ code: 'provider', message: 'It failed.' });
  });
});

describe('replicate() joins text as it comes', () => {
  it('blank, with line ends, and whatever it would mean elsewhere', () => {
    const pieces = ['', ' ', '\n\n', '7', '{"a":1}', '[DONE]', ':x', 'null'];
    const { events } = read(...pieces.map((data) => event('output', data)), event('done', '{}'));
    const deltas = events.flatMap((said) => (said.type === 'text-delta' ? [said.text] : []));
    expect(deltas).toEqual(pieces.slice(1));
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it('also where it was decoded before', () => {
    const said = framesOf('Hi').map((frame) => ({ ...frame, name: 'output' }) as Frame);
    expect(read(...said, event('done', '{}')).events).toEqual(read(event('output', 'Hi'), event('done', '{}')).events);
  });

  it('in the form that fromModel opens', async () => {
    const body = 'event: output\ndata: Hi\ndata:  there\n\nevent: done\ndata: {}\n\n';
    const send = () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const snapshot = await lastValueFrom(fromModel(replicate(), send).pipe(accumulateBlocks()));
    expect(textOf(snapshot)).toBe('Hi\n there');
  });
});

describeCollection('replicate() reads a recorded stream', 1, () => {
  it('whole', async () => {
    const body = collectionBytes(`recordings/${RECORDING}`);
    const snapshot = await lastValueFrom(from([body]).pipe(parseSSE(), normalize(replicate()), accumulateBlocks()));
    expect(snapshot).toMatchObject({ status: 'complete', finishReason: 'stop', provider: 'replicate' });
    expect(textOf(snapshot)).toBe(textWritten(new TextDecoder().decode(body)));
  });
});

/** The data of all events `output`, by a reading too plain to be wrong. */
function textWritten(body: string): string {
  return body
    .split('\n\n')
    .filter((block) => block.startsWith('event: output\n'))
    .map((block) =>
      block
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice('data: '.length))
        .join('\n'),
    )
    .join('');
}
