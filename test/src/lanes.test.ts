import type { Lifecycle } from 'rx-model-stream';
import { createLanes, type Lanes } from '../../src/lanes';
import { tiny, tinyFrame, type TinyWire } from '../support/tinyProvider';

const CONTENT: Lifecycle = { phase: 'content' };
const FINAL: Lifecycle = { phase: 'content', ending: 'final' };

const session = (): Lanes => createLanes(tiny({ session: true }));
const at = (lane?: string) => tinyFrame({ say: 'hi', ...(lane !== undefined && { lane }) } satisfies TinyWire);

describe('createLanes()', () => {
  it('finds nothing elsewhere where nobody tells responses apart', () => {
    const lanes = createLanes(tiny());
    lanes.begin(at('a'));
    expect(lanes.isElsewhere(at('b'), CONTENT)).toBe(false);
  });

  it('finds nothing elsewhere while no response runs', () => {
    expect(session().isElsewhere(at('a'), CONTENT)).toBe(false);
  });

  it('finds elsewhere what is in another lane than the response that runs', () => {
    const lanes = session();
    lanes.begin(at('a'));
    expect(['a', 'b', undefined].map((lane) => lanes.isElsewhere(at(lane), CONTENT))).toEqual([false, true, false]);
  });

  it('takes everything for the response that runs, where that has no lane', () => {
    const lanes = session();
    lanes.begin(at());
    expect(['a', 'b', undefined].map((lane) => lanes.isElsewhere(at(lane), CONTENT))).toEqual([false, false, false]);
  });

  it.each<[string, Lifecycle]>([
    ['terminal signal', FINAL],
    ['failure', { phase: 'content', error: { code: 'provider' } as never }],
  ])('passes over a response that began beside another one, up to its %s', (_what, last) => {
    const lanes = session();
    lanes.begin(at('a'));
    expect(lanes.isElsewhere(at('b'), CONTENT)).toBe(true);
    lanes.end();
    expect(lanes.isElsewhere(at('b'), CONTENT)).toBe(true);
    expect(lanes.isElsewhere(at('c'), CONTENT)).toBe(false);
    expect(lanes.isElsewhere(at('b'), last)).toBe(true);
    expect(lanes.isElsewhere(at('b'), CONTENT)).toBe(false);
  });

  it('forgets one that came and went beside the other one', () => {
    const lanes = session();
    lanes.begin(at('a'));
    expect([CONTENT, FINAL].map((life) => lanes.isElsewhere(at('b'), life))).toEqual([true, true]);
    lanes.end();
    expect(lanes.isElsewhere(at('b'), CONTENT)).toBe(false);
  });

  it('remembers no more lanes than run at once anywhere, the latest', () => {
    const lanes = session();
    const names = Array.from({ length: 10_000 }, (_none, place) => `lane ${place}`);
    lanes.begin(at('a'));
    names.forEach((name) => lanes.isElsewhere(at(name), CONTENT));
    lanes.isElsewhere(at('lane 9744'), CONTENT); // the oldest that is remembered still speaks
    lanes.isElsewhere(at('lane 10000'), CONTENT);
    lanes.end();
    const passedOver = [...names, 'lane 10000'].filter((name) => lanes.isElsewhere(at(name), FINAL));
    expect(passedOver.length).toBe(256);
    expect(passedOver.slice(-2)).toEqual(['lane 9999', 'lane 10000']);
    expect(passedOver.slice(0, 2)).toEqual(['lane 9744', 'lane 9746']);
  });
});
