import type { Segment } from '../../../providers/gemini/jsonPath';
import { createOrderedJson } from '../../../providers/gemini/orderedJson';

/** Places values one after another, `*` for each that has no place, and closes what is open. */
function written(...values: readonly (readonly [segments: readonly Segment[], json?: string])[]): string {
  const ordered = createOrderedJson();
  const placed = values.map(([segments, json]) => ordered.place(segments, json) ?? '*');
  return ['{', ...placed, ordered.closing()].join('');
}

describe('createOrderedJson() writes', () => {
  it.each([
    ['nothing', written(), '{}'],
    ['members', written([['a'], '1'], [['b'], 'null']), '{"a":1,"b":null}'],
    ['keys as JSON has them', written([['a"b'], '1'], [['__proto__'], '2']), '{"a\\"b":1,"__proto__":2}'],
    ['elements', written([['a', 0], '1'], [['a', 1], '2']), '{"a":[1,2]}'],
    ['a member of a member', written([['a', 'b'], '1'], [['a', 'c'], '2']), '{"a":{"b":1,"c":2}}'],
    [
      'what closes the last value before what opens the next',
      written([['a', 0, 'b'], '1'], [['a', 1, 'b', 'c'], '2'], [['d'], '3']),
      '{"a":[{"b":1},{"b":{"c":2}}],"d":3}',
    ],
    ['elements that are arrays', written([['a', 0, 0], '1'], [['a', 1, 0], '2']), '{"a":[[1],[2]]}'],
    ['an array without elements', written([['a', null]], [['b'], '1']), '{"a":[],"b":1}'],
    ['an array that is there', written([['a', 0, 'b'], '1'], [['a', null]], [['a', 1], '2']), '{"a":[{"b":1},2]}'],
    ['an element that is an empty array', written([['a', 0, null]], [['a', 1], '1']), '{"a":[[],1]}'],
  ])('%s', (_what, text, json) => {
    expect(text).toBe(json);
  });

  it.each([
    ['what is there', written([['a'], '1'], [['a'], '2']), '{"a":1*}'],
    ['what is in a value', written([['a'], '1'], [['a', 'b'], '2']), '{"a":1*}'],
    ['what is behind', written([['a', 'b'], '1'], [['c'], '2'], [['a', 'd'], '3']), '{"a":{"b":1},"c":2*}'],
    ['an element that is there', written([['a', 0], '1'], [['a', 0], '2']), '{"a":[1*]}'],
    ['an element too far ahead', written([['a', 0], '1'], [['a', 2], '2']), '{"a":[1*]}'],
    ['a first element that is not the first', written([['a', 1], '1'], [['a', 0, 1], '1']), '{**}'],
    ['a key in an array', written([['a', 0], '1'], [['a', 'b'], '2']), '{"a":[1*]}'],
    ['an index in an object', written([[0], '1'], [['a', 'b'], '2'], [['a', 0], '3']), '{*"a":{"b":2*}}'],
    ['an array in place of an object', written([['a', 'b'], '1'], [['a', null]]), '{"a":{"b":1*}}'],
  ])('but not %s', (_what, text, json) => {
    expect(text).toBe(json);
  });
});
