import fc from 'fast-check';
import { bytesOfBase64, joinedBase64 } from '../../src/base64';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('bytesOfBase64()', () => {
  it('gives the bytes that were encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect([...bytesOfBase64(base64(bytes))]).toEqual([...bytes]);
      }),
    );
  });

  it('throws when the text is not base64', () => {
    expect(() => bytesOfBase64('{}')).toThrow();
  });
});

describe('joinedBase64()', () => {
  it('is base64 of all bytes, wherever they were parted', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 10 })), (pieces) => {
        expect(joinedBase64(pieces.map(base64))).toBe(Buffer.concat(pieces).toString('base64'));
      }),
    );
  });

  it.each([[['{}']], [['{}', 'YQ==']]])('leaves what is not base64 as it is: %p', (pieces) => {
    expect(joinedBase64(pieces)).toBe(pieces.join(''));
  });
});
