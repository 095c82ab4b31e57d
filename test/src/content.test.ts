import { from } from 'rxjs';
import { anthropic, isContent, isContentOf, normalize, openaiResponses, replicate, type Frame } from 'rx-model-stream';
import { answers } from '../support/answers';

function json(value: unknown): Frame {
  return { type: 'json', value };
}

describe('isContent()', () => {
  it.each(answers)('begins with the first block of %s and ends before its ending', (_name, answer) => {
    const said: [type: string, isContent: boolean][] = [];
    from([...answer.opening, ...answer.text, ...answer.closing].map(json))
      .pipe(normalize(answer.provider))
      .subscribe((event) => said.push([event.type, isContent(event)]));
    const content = said.flatMap(([type, is]) => (is ? [type] : []));
    expect(content).toEqual(['block-start', 'text-delta', 'text-delta', 'block-end']);
  });
});

describe('isContentOf()', () => {
  it.each<[string, Frame, boolean]>([
    ['a keep-alive', json({ type: 'ping' }), false],
    ['the beginning of the response', json({ type: 'message_start', message: {} }), false],
    ['the beginning of a block', json({ type: 'content_block_start', index: 0, content_block: {} }), true],
    ['text, not yet decoded', { type: 'sse', data: '{"type":"content_block_delta","index":0,"delta":{}}' }, true],
    ['an event without data', { type: 'sse', data: '' }, false],
    ['an ending', json({ type: 'message_stop' }), true],
    ['a failure', json({ type: 'error', error: { type: 'overloaded_error' } }), true],
    ['what the provider does not know', json({ type: 'unheard_of' }), true],
    ['what cannot be read, which is for its reader to say', { type: 'sse', data: '{' }, true],
    ['text beside the frames', { type: 'stray', text: 'hm' }, false],
    ['a hint', { type: 'hint', retryMs: 1 }, false],
  ])('says of %s', (_what, frame, expected) => {
    expect(isContentOf(anthropic())(frame)).toBe(expected);
  });

  it('reads data as its provider does', () => {
    const frame: Frame = { type: 'sse', data: 'a word', name: 'output' };
    expect(isContentOf(replicate())(frame)).toBe(true);
  });

  it('goes by the words of its provider', () => {
    expect(isContentOf(openaiResponses())(json({ type: 'keepalive' }))).toBe(false);
  });
});
