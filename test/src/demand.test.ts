import { of } from 'rxjs';
import { currentDemand, pullChunks, type Demand, type Hold } from 'rx-model-stream';
import { createDemand, runUnder } from '../../src/demand';
import { outcomeOf } from '../support/outcome';

/** Whether the source of this demand may read on now. */
function isIdle(demand: Demand): boolean {
  return outcomeOf(demand.idle).includes('complete');
}

/** The demand that is current while the held value is dealt with. */
function demandWithin(hold: Hold): Demand {
  let demand: Demand | undefined;
  hold.run(() => {
    demand = currentDemand();
  });
  return demand!;
}

describe('currentDemand()', () => {
  it('is the demand of the source whose value is being emitted, and of no other moment', () => {
    const seen: (Demand | undefined)[] = [currentDemand()];
    let hasMore = true;
    const read = () => {
      seen.push(currentDemand());
      const result = of(hasMore ? { done: false, value: 'a' } : { done: true, value: undefined });
      hasMore = false;
      return result;
    };
    pullChunks(read).subscribe({ next: () => seen.push(currentDemand()), complete: () => seen.push(currentDemand()) });
    expect(seen).toEqual([undefined, undefined, expect.any(Object), undefined, undefined]);
  });

  it('is the one that was current before, after a throw too', () => {
    const [outer, inner] = [createDemand(), createDemand()];
    runUnder(outer, () => {
      expect(() => {
        runUnder(inner, () => {
          throw new Error('act');
        });
      }).toThrow('act');
      expect(currentDemand()).toBe(outer);
      runUnder(undefined, () => {
        expect(currentDemand()).toBeUndefined();
      });
    });
    expect(currentDemand()).toBeUndefined();
  });
});

describe('Demand', () => {
  it('is idle when everything that was held is released', () => {
    const demand = createDemand();
    expect(isIdle(demand)).toBe(true);
    const [first, second] = [demand.hold(), demand.hold()];
    let completed = 0;
    demand.idle.subscribe({ complete: () => (completed += 1) });
    first.release();
    expect([isIdle(demand), completed]).toEqual([false, 0]);
    second.release();
    expect([isIdle(demand), completed]).toEqual([true, 1]);
  });

  it('counts a hold that is released twice once', () => {
    const demand = createDemand();
    const [first] = [demand.hold(), demand.hold()];
    first.release();
    first.release();
    expect(isIdle(demand)).toBe(false);
  });

  it('is not idle for those who come late when somebody holds on at once', () => {
    const demand = createDemand();
    const hold = demand.hold();
    const said: string[] = [];
    demand.idle.subscribe({
      complete: () => {
        said.push('first');
        demand.hold();
      },
    });
    demand.idle.subscribe({ complete: () => said.push('second') });
    hold.release();
    expect(said).toEqual(['first']);
  });

  it('forgets who no longer waits for it', () => {
    const demand = createDemand();
    const hold = demand.hold();
    let completed = false;
    demand.idle.subscribe({ complete: () => (completed = true) }).unsubscribe();
    hold.release();
    expect(completed).toBe(false);
  });
});

describe('Hold.run()', () => {
  it('makes the demand of the held value current', () => {
    const demand = createDemand();
    expect(demandWithin(demand.hold())).toBe(demand);
    expect(currentDemand()).toBeUndefined();
  });

  it('names a demand that is current anyway once', () => {
    const demand = createDemand();
    runUnder(demand, () => {
      expect(demandWithin(demand.hold())).toBe(demand);
    });
  });

  it('adds to the demand that is current anyway: what is held then holds both sources', () => {
    const [outer, inner] = [createDemand(), createDemand()];
    const held = outer.hold();
    let both: Demand | undefined;
    runUnder(inner, () => {
      both = demandWithin(held);
    });
    held.release();
    const hold = both!.hold();
    expect([isIdle(outer), isIdle(inner), isIdle(both!)]).toEqual([false, false, false]);
    hold.release();
    hold.release();
    expect([isIdle(outer), isIdle(inner), isIdle(both!)]).toEqual([true, true, true]);
  });

  it('adds again to two that were added before', () => {
    const [first, second, third] = [createDemand(), createDemand(), createDemand()];
    const holds = [first.hold(), second.hold()];
    let all: Demand | undefined;
    runUnder(third, () => {
      const both = demandWithin(holds[1]!);
      runUnder(undefined, () => {
        const hold = both.hold();
        hold.run(() => {
          all = demandWithin(holds[0]!);
        });
        hold.release();
      });
    });
    holds.forEach((hold) => {
      hold.release();
    });
    const hold = all!.hold();
    expect([first, second, third].map(isIdle)).toEqual([false, false, false]);
    hold.release();
    expect([first, second, third].map(isIdle)).toEqual([true, true, true]);
  });

  it.each(['outer', 'inner'] as const)(
    'of two sources is idle only when neither is held, %s first',
    (firstReleased) => {
      const demands = { outer: createDemand(), inner: createDemand() };
      const { outer, inner } = demands;
      const outerHold = outer.hold();
      let both: Demand | undefined;
      runUnder(inner, () => {
        both = demandWithin(outerHold);
      });
      const holds = { outer: outerHold, inner: inner.hold() };
      const secondReleased = firstReleased === 'outer' ? 'inner' : 'outer';
      let isDone = false;
      both!.idle.subscribe({ complete: () => (isDone = true) });
      holds[firstReleased].release();
      const again = demands[firstReleased].hold();
      holds[secondReleased].release();
      expect(isDone).toBe(false);
      again.release();
      expect(isDone).toBe(true);
    },
  );
});
