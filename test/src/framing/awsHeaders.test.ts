import { createHeaderReader, textHeadersOf } from '../../../src/framing/awsHeaders';
import { concatBytes, headerOf, textHeader, uint } from '../../support/awsEventStream';

/** A header of each type, by its number. */
const ONE_OF_EACH: readonly Uint8Array[] = [
  headerOf('true', 0, new Uint8Array(0)),
  headerOf('false', 1, new Uint8Array(0)),
  headerOf('int8', 2, uint(0xff, 1)),
  headerOf('int16', 3, uint(0xffff, 2)),
  headerOf('int32', 4, uint(0xffffffff, 4)),
  headerOf('int64', 5, uint(2 ** 40, 8)),
  headerOf('bytes', 6, concatBytes([uint(300, 2), new Uint8Array(300)])),
  textHeader('text', 'é😀'),
  headerOf('moment', 8, uint(1_764_000_000_000, 8)),
  headerOf('uuid', 9, new Uint8Array(16).fill(0xab)),
];

const entriesOf = (bytes: Uint8Array): unknown => [...textHeadersOf(bytes)!];

describe('textHeadersOf()', () => {
  it('finds nothing in no bytes', () => {
    expect(entriesOf(new Uint8Array(0))).toEqual([]);
  });

  it.each([...ONE_OF_EACH.keys()])('reads over a value of type %i', (type) => {
    const between = [textHeader('before', 'a'), ONE_OF_EACH[type]!, textHeader('after', '')];
    const expected = type === 7 ? [['text', 'é😀']] : [];
    expect(entriesOf(concatBytes(between))).toEqual([['before', 'a'], ...expected, ['after', '']]);
  });

  it('takes the longest name and the longest text there can be', () => {
    const [name, value] = ['n'.repeat(255), 'v'.repeat(0xffff)];
    expect(entriesOf(textHeader(name, value))).toEqual([[name, value]]);
  });

  it.each([10, 0x7f, 0xff])('knows no type %i', (type) => {
    expect(
      textHeadersOf(concatBytes([textHeader('before', 'a'), headerOf('strange', type, uint(0, 2))])),
    ).toBeUndefined();
  });

  it('takes headers that are cut for none, wherever they are cut', () => {
    const headers = concatBytes(ONE_OF_EACH);
    const ends = ONE_OF_EACH.map((_, index) => concatBytes(ONE_OF_EACH.slice(0, index)).length);
    for (let length = 0; length < headers.length; length += 1) {
      const isWhole = textHeadersOf(headers.subarray(0, length)) !== undefined;
      expect([length, isWhole]).toEqual([length, ends.includes(length)]);
    }
  });
});

describe('createHeaderReader()', () => {
  it('reads every message by itself, whether its headers are those of the message before or not', () => {
    const [a, b] = [textHeader('name', 'a'), textHeader('name', 'b')];
    const read = createHeaderReader();
    const names = [a, a, b, a, new Uint8Array(0), b, b].map((bytes) => read(bytes)!.get('name'));
    expect(names).toEqual(['a', 'a', 'b', 'a', undefined, 'b', 'b']);
    expect(read(uint(7, 1))).toBeUndefined();
    expect(read(a)!.get('name')).toBe('a');
  });

  it('keeps nothing of the bytes: the source may use its buffer again', () => {
    const buffer = textHeader('name', 'a');
    const read = createHeaderReader();
    expect(read(buffer)!.get('name')).toBe('a');
    buffer[buffer.length - 1] = 'b'.charCodeAt(0);
    expect(read(buffer)!.get('name')).toBe('b');
  });
});
