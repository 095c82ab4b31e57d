import { createFraming } from '../../../src/framing/framing';
import type { Frame } from '../../../src/frame';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('createFraming()', () => {
  it('asks for the content type when the first bytes come, and once', () => {
    const contentType = jest.fn(() => 'application/json');
    const framing = createFraming(contentType);
    expect(contentType).not.toHaveBeenCalled();
    const frames: Frame[] = [];
    for (const text of ['[', '1,', '2]']) framing.push(encode(text), (frame) => frames.push(frame));
    framing.end((frame) => frames.push(frame));
    expect(contentType).toHaveBeenCalledTimes(1);
    expect(frames).toEqual([1, 2].map((value) => ({ type: 'json', value })));
  });

  it('reads a body without bytes by its content type too', () => {
    expect(() => {
      createFraming(() => 'application/json').end(() => {});
    }).toThrow('Cannot read array: the body ends before it does');
    createFraming(() => 'application/x-ndjson').end(() => {});
    createFraming(() => 'application/vnd.amazon.eventstream').end(() => {});
    createFraming(() => '').end(() => {});
  });
});
