import fc from 'fast-check';
import { crc32 } from '../../../src/framing/crc32';
import { slowCrc32 } from '../../support/awsEventStream';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('crc32()', () => {
  it.each([
    ['no bytes', new Uint8Array(0), 0],
    ['its check value', utf8('123456789'), 0xcbf43926],
    ['a sentence', utf8('The quick brown fox jumps over the lazy dog'), 0x414fa339],
    ['zeros', new Uint8Array(32), 0x190a55ad],
    ['ones', new Uint8Array(32).fill(0xff), 0xff6cab0b],
  ])('knows %s', (_what, bytes, checksum) => {
    expect(crc32(bytes)).toBe(checksum);
  });

  it('is what its definition says, of a part of a buffer too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, start) => {
        const part = bytes.subarray(start);
        expect(crc32(part)).toBe(slowCrc32(part));
      }),
    );
  });

  it('goes on from the checksum of the bytes before', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (bytes, cut) => {
        expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(crc32(bytes));
      }),
    );
  });
});
