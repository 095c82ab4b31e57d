import { ModelStreamError } from 'rx-model-stream';
import { differenceBetween } from '../../../src/testing/contract/difference';

describe('differenceBetween()', () => {
  it.each([
    ['a value and itself', 'a', 'a'],
    ['not a number', NaN, NaN],
    ['objects, whatever the order of their fields', { a: 1, b: [null] }, { b: [null], a: 1 }],
    ['a field that is named like a method of every object', { constructor: 1 }, { constructor: 1 }],
    ['errors that say the same', new ModelStreamError('network', 'Lost'), new ModelStreamError('network', 'Lost')],
  ])('finds none between %s', (_what, actual, expected) => {
    expect(differenceBetween(actual, expected)).toBeUndefined();
  });

  it.each([
    ['a value', 1, '1', 'it is 1, not "1"'],
    ['nothing', undefined, null, 'it is undefined, not null'],
    ['a field inside', [{ a: { b: 1 } }], [{ a: { b: 2 } }], '0.a.b is 1, not 2'],
    ['a field that is missing', {}, { a: undefined }, 'a is missing, which is undefined'],
    ['a field too many', { a: { b: [1] } }, { a: {} }, 'a.b is too much, which is [1]'],
    ['an inherited name', {}, { constructor: 1 }, 'constructor is missing, which is 1'],
    ['a list and an object', [], {}, 'it is [], not {}'],
    ['classes', new Map(), {}, 'it is {}, not {}'],
    ['long texts', 'a'.repeat(1000), 'b', `it is "${'a'.repeat(119)}…, not "b"`],
    ['the messages of errors', new Error('a'), new Error('b'), 'message is "a", not "b"'],
    [
      'the codes of errors',
      new ModelStreamError('network', 'Lost'),
      new ModelStreamError('timeout', 'Lost'),
      'code is "network", not "timeout"',
    ],
  ])('says where %s differ', (_what, actual, expected, difference) => {
    expect(differenceBetween(actual, expected)).toBe(difference);
  });
});
