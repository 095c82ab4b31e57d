import fc from 'fast-check';
import { ModelStreamError, type Block } from 'rx-model-stream';
import { linesOf, passagesOf } from '../../src/cli/passages';
import { snapshotWith } from './answers';

/** Passages as they are read: each line after its mark. */
function readingOf(...blocks: Block[]): string[] {
  return passagesOf(snapshotWith({ blocks })).flatMap((passage) =>
    [...linesOf(passage), ...passage.notes].map(({ mark, text }) => mark + text),
  );
}

const call = { kind: 'tool-call', id: 'c', name: 'look', arguments: '{"at":1}', format: 'json' } as const;

describe('passagesOf', () => {
  it('joins neighbouring texts, which a citation may have parted', () => {
    expect(readingOf({ kind: 'text', text: 'One sen' }, { kind: 'text', text: 'tence.' })).toEqual(['One sentence.']);
  });

  it('keeps commentary, answer and refusal apart', () => {
    const texts = [{ phase: 'commentary' }, { phase: 'final' }, { refusal: true }] as const;
    const passages = passagesOf(snapshotWith({ blocks: texts.map((kind) => ({ kind: 'text', text: 'a', ...kind })) }));
    expect(passages.map(({ tone }) => tone)).toEqual(['text', 'text', 'refusal']);
  });

  it('names each source once in an answer, by the number of its first citation', () => {
    const [sea, sky] = ['sea', 'sky'].map((name) => ({ title: name, url: `https://${name}.example`, raw: {} }));
    const reading = readingOf(
      { kind: 'text', text: 'Blue.', citations: [sea!, sky!, sea!] },
      { kind: 'reasoning', text: 'Really?' },
      { kind: 'text', text: 'Yes.', citations: [sky!, { quote: 'so it is', raw: {} }] },
    );
    expect(reading).toEqual([
      'Blue.',
      '[1] sea https://sea.example',
      '[2] sky https://sky.example',
      '~ Really?',
      'Yes.',
      '[3] so it is',
    ]);
  });

  it('shows calls with their arguments, who runs them, and that one may not be run', () => {
    expect(readingOf({ ...call, arguments: '{"at"', state: 'open' })).toEqual(['→ look {"at"']);
    expect(readingOf({ ...call, state: 'whole', providerExecuted: true })).toEqual([
      '→ look (run by the provider) {"at":1}',
    ]);
    expect(readingOf({ ...call, arguments: '{"a', state: 'cut' })).toEqual(['→ look {"a', '  (cut)']);
    expect(readingOf({ ...call, state: 'cancelled' })).toEqual(['→ look {"at":1}', '  (cancelled)']);
  });

  it('tells of results by their titles, else by the beginning of their JSON', () => {
    expect(readingOf({ kind: 'tool-result', name: 'search', content: [{ title: 'A' }, { title: 'B' }, 1] })).toEqual([
      '← search A · B',
    ]);
    expect(readingOf({ kind: 'tool-result', content: { temperature: 3 } })).toEqual(['← {"temperature":3}']);
    expect(readingOf({ kind: 'tool-result', content: undefined, name: 'search' })).toEqual(['← search']);
    expect(readingOf({ kind: 'tool-result', content: 'x'.repeat(1000) })[0]!.length).toBeLessThan(250);
  });

  it('tells of pictures, and of reasoning that is withheld', () => {
    const picture = { kind: 'media', mimeType: 'image/png', parts: ['aGk='] } as const;
    expect(readingOf(picture, { kind: 'reasoning', text: '', redacted: true })).toEqual([
      '◆ image/png in 1 parts',
      '~ (withheld by the provider)',
    ]);
  });

  it('ends with the failure: its code, the word of the provider, its message', () => {
    const error = new ModelStreamError('provider', 'Too busy', { providerCode: 'overloaded_error' });
    const passages = passagesOf(snapshotWith({ blocks: [{ kind: 'text', text: 'So' }], status: 'failed', error }));
    expect(passages.at(-1)).toMatchObject({ tone: 'failure', text: 'provider overloaded_error: Too busy' });
  });

  it('keeps what is to be read, and shows in its place what a terminal would obey', () => {
    const readable = fc.constantFrom('word', ' ', '\n', 'ß', '漢', '🌠');
    const commanding = fc.constantFrom('\u0000', '\u0007', '\b', '\r', '\u001b', '\u007f', '\u009b');
    fc.assert(
      fc.property(fc.array(fc.oneof(readable, commanding)), (parts) => {
        const [passage] = passagesOf(snapshotWith({ blocks: [{ kind: 'text', text: `.${parts.join('')}.` }] }));
        // eslint-disable-next-line no-control-regex
        expect(passage!.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
        const kept = parts.filter((part, index) => part !== '\r' || parts[index + 1] !== '\n');
        // eslint-disable-next-line no-control-regex
        expect(passage!.text).toBe(`.${kept.join('')}.`.replace(/[\u0000\u0007\b\r\u001b\u007f\u009b]/g, '\ufffd'));
      }),
    );
  });
});

describe('linesOf', () => {
  it('puts the mark before the first line and sets the others in by as much', () => {
    expect(linesOf({ tone: 'reasoning', mark: '~ ', text: 'a\n\nb' })).toEqual([
      { tone: 'reasoning', mark: '~ ', text: 'a' },
      { tone: 'reasoning', mark: '  ', text: '' },
      { tone: 'reasoning', mark: '  ', text: 'b' },
    ]);
  });
});
