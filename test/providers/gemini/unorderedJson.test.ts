import { createUnorderedJson } from '../../../providers/gemini/unorderedJson';

describe('createUnorderedJson()', () => {
  it('has every value in its place, members in the order of their first value', () => {
    const json = createUnorderedJson();
    json.put(['b', 1, 'x'], null);
    json.put(['a'], 1);
    json.put(['b', 0], true);
    json.putArray(['c', null]);
    json.append(['d'], 'Par');
    json.put(['1'], 'one');
    json.append(['d'], 'is');
    expect(json.text()).toBe('{"b":[true,{"x":null}],"a":1,"c":[],"d":"Paris","1":"one"}');
  });

  it('has the later of two values', () => {
    const json = createUnorderedJson();
    json.put(['a'], 1);
    json.append(['a'], 'text');
    json.put(['b', 'c'], 1);
    json.put(['b'], 2);
    expect(json.text()).toBe('{"a":"text","b":2}');
  });

  it('keeps keys that objects have anyway', () => {
    const json = createUnorderedJson();
    json.put(['__proto__', 'constructor'], 1);
    json.put(['toString'], 2);
    expect(json.text()).toBe('{"__proto__":{"constructor":1},"toString":2}');
  });

  it.each([
    ['in a leaf', ['leaf', 'x']],
    ['in null', ['null', 'x']],
    ['with a key in an array', ['list', 'x']],
    ['with an index in an object', ['object', 0]],
    ['with an index in the whole', [0]],
  ])('has no place %s, and does nothing then', (_what, segments) => {
    const json = createUnorderedJson();
    json.put(['leaf'], 1);
    json.put(['null'], null);
    json.put(['list', 0], 1);
    json.put(['object', 'a'], 1);
    const before = json.text();
    expect([json.put(segments, 2), json.append(segments, '2'), json.putArray([...segments, null])]).toEqual([
      false,
      false,
      false,
    ]);
    expect(json.text()).toBe(before);
  });

  it('is no text while an element is missing, however far it is', () => {
    const json = createUnorderedJson();
    json.put(['list', 4_294_967_295], 1);
    expect(json.text()).toBeUndefined();
    const other = createUnorderedJson();
    other.put(['list', 1], 1);
    expect(other.text()).toBeUndefined();
    other.put(['list', 0], 0);
    expect(other.text()).toBe('{"list":[0,1]}');
  });
});
