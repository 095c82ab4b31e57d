import { geminiLive, lyria, normalize, type ModelEvent } from 'rx-model-stream';
import { from } from 'rxjs';
import { fixturesOf, recordingsOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const HOLOGRAM = { rays: 3 };

describeProviderContract('geminiLive()', {
  create: geminiLive,
  fixtures: fixturesOf('gemini-live'),
  recordings: recordingsOf('gemini-live', 'ws-jsonl'),
  keepAlives: [{ serverContent: {} }],
  unknowns: [
    { title: 'an unknown message', payloads: [{ hologram: HOLOGRAM }] },
    { title: 'an unknown field of the content', payloads: [{ serverContent: { hologram: HOLOGRAM } }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['serverContent']] },
  ],
});

describeProviderContract('lyria()', {
  create: lyria,
  fixtures: fixturesOf('lyria'),
  keepAlives: [],
  unknowns: [
    { title: 'an unknown message', payloads: [{ hologram: HOLOGRAM }] },
    { title: 'a payload that is no object', payloads: [null, 7, 'text', ['serverContent']] },
  ],
});

describe('a socket that is closed in the middle of a turn', () => {
  it('is truncated, although usage came before the turn', () => {
    const usage = { usageMetadata: { promptTokenCount: 7 } };
    const words = { serverContent: { modelTurn: { parts: [{ text: 'Aye.' }] } } };
    expect(readFrames(geminiLive(), framesOf(usage, words)).error).toMatchObject({ code: 'truncated' });
  });
});

describe('a sound of hours', () => {
  const PIECE = 'A'.repeat(1024 * 1024);
  const PIECES = 40;

  it.each([
    [
      'gemini-live',
      geminiLive(),
      { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: PIECE } }] } } },
    ],
    ['lyria', lyria(), { serverContent: { audioChunks: [{ mimeType: 'audio/pcm', data: PIECE }] } }],
  ])('%s: goes on in a new block once one holds 16 MiB', (_name, provider, message) => {
    const ends: ModelEvent[] = [];
    from(framesOf(...Array.from({ length: PIECES }, () => message), { serverContent: { turnComplete: true } }))
      .pipe(normalize<unknown>(provider))
      .subscribe((event) => {
        if (event.type === 'block-end') ends.push(event);
      });
    const sizes = ends.map(
      (event) => event.type === 'block-end' && event.block.kind === 'media' && event.block.parts.length,
    );
    expect(sizes).toEqual([16, 16, 8]);
  });
});
