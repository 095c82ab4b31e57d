import fc from 'fast-check';
import { segmentsOf, type Segment } from '../../../providers/gemini/jsonPath';
import { normalizedPath } from '../../support/partialArgs';

describe('segmentsOf', () => {
  it.each<[string, readonly Segment[]]>([
    ['$.city', ['city']],
    ['$.stops[1].name', ['stops', 1, 'name']],
    ['$.a[0][12]', ['a', 0, 12]],
    ['$.list[]', ['list', null]],
    ["$['to go']", ['to go']],
    ["$['a'][0]['b']", ['a', 0, 'b']],
    ['$["a.b"].c', ['a.b', 'c']],
    ["$['it\\'s']", ["it's"]],
    ['$[\'say "hi"\']', ['say "hi"']],
    ['$["say \\"hi\\""]', ['say "hi"']],
    ["$['\\u00c9vora\\n\\\\']", ['Évora\n\\']],
    ["$['']", ['']],
    ["$['0']", ['0']],
    ['$.Évora-2 Süd', ['Évora-2 Süd']],
    ['$.__proto__', ['__proto__']],
  ])('%s', (path, segments) => {
    expect(segmentsOf(path)).toEqual(segments);
  });

  it.each([
    ...['', '$', '.city', 'city', '$city', '$.', '$..city', '$.a.', '$[', '$[1', '$[-1]', '$[1.5]', '$[*]', '$[1:2]'],
    ...["$['a", "$['a']b", "$['a'", '$["\\x"]', "$['\n']", '$.a b]', '$.list[].name', '$.list[][]'],
  ])('%j leads nowhere', (path) => {
    expect(segmentsOf(path)).toBeUndefined();
  });

  it('reads every normalized path', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.nat()), { minLength: 1 }), (segments) => {
        expect(segmentsOf(normalizedPath(segments))).toEqual(segments);
      }),
    );
  });
});
