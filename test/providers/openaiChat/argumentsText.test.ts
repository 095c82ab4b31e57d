import fc from 'fast-check';
import { createArgumentsText } from '../../../providers/openaiChat/argumentsText';

describe('createArgumentsText', () => {
  const anyArguments = fc
    .dictionary(fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', '🌠') }), fc.jsonValue())
    .map((value) => JSON.stringify(value));

  it('is closed after the last character and never before, however it is cut', () => {
    fc.assert(
      fc.property(anyArguments, (json) => {
        const text = createArgumentsText();
        const closed = Array.from(json, (character) => {
          text.read(character);
          return text.isClosed;
        });
        const whole = createArgumentsText();
        whole.read(json);
        expect(closed).toEqual(closed.map((_, place) => place === closed.length - 1));
        expect(whole.isClosed).toBe(true);
      }),
    );
  });

  it.each(['', '  ', 'null', '7', '"{}"', '{"a":[}'])('is not closed by %j', (json) => {
    const text = createArgumentsText();
    text.read(json);
    expect(text.isClosed).toBe(false);
  });

  it('stays closed when nothing but space follows', () => {
    const text = createArgumentsText();
    for (const piece of ['{}', '', ' \n']) text.read(piece);
    expect(text.isClosed).toBe(true);
  });
});
