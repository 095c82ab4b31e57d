import { listIn, numberIn, objectIn, objectOf, present, textIn, wordIn } from '../../src/wire';

const wire = objectOf(
  JSON.parse('{"text":"a","empty":"","number":1,"list":[1],"object":{"x":1},"nothing":null,"__proto__":{"text":"b"}}'),
);

describe('fields of decoded JSON', () => {
  it.each([undefined, null, 1, 'a', [1]])('are absent from %p, which is no object', (value) => {
    expect(objectOf(value)).toBeUndefined();
    expect(textIn(objectOf(value), 'length')).toBeUndefined();
  });

  it('are given when they have the type that is asked for', () => {
    expect(textIn(wire, 'text')).toBe('a');
    expect(textIn(wire, 'empty')).toBe('');
    expect(numberIn(wire, 'number')).toBe(1);
    expect(listIn(wire, 'list')).toEqual([1]);
    expect(objectIn(wire, 'object')).toEqual({ x: 1 });
  });

  it('are absent when they are missing, null or of another type', () => {
    expect([textIn(wire, 'number'), textIn(wire, 'nothing'), textIn(wire, 'missing')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([numberIn(wire, 'text'), objectIn(wire, 'list'), wordIn(wire, 'empty')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(listIn(wire, 'object')).toEqual([]);
  });

  it('are absent when they are a number that JSON can hold and not write down', () => {
    const wire = objectOf(JSON.parse('{"more":1e999,"less":-1e999}'));
    expect([numberIn(wire, 'more'), numberIn(wire, 'less')]).toEqual([undefined, undefined]);
  });

  it('never come from a prototype', () => {
    expect(textIn(wire, 'toString')).toBeUndefined();
    expect(objectIn(wire, 'constructor')).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('text');
  });
});

describe('present()', () => {
  it('leaves out what is undefined, and nothing else', () => {
    expect(Object.keys(present({ a: undefined, b: 0, c: '', d: false }))).toEqual(['b', 'c', 'd']);
  });
});
