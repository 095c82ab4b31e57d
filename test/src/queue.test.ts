import fc from 'fast-check';
import { createQueue } from '../../src/queue';

describe('createQueue()', () => {
  it('gives values in the order in which they came, whatever the order of calls', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 5000 }), (adds) => {
        const queue = createQueue<number>();
        const model: number[] = [];
        adds.forEach((isAdd, value) => {
          if (isAdd) {
            queue.add(value);
            model.push(value);
          } else if (queue.size > 0) expect(queue.take()).toBe(model.shift());
          expect(queue.size).toBe(model.length);
        });
      }),
    );
  });

  it('lets go of what was taken once most of it is gone', () => {
    const queue = createQueue<number>();
    for (let value = 0; value < 5000; value += 1) queue.add(value);
    for (let value = 0; value < 4000; value += 1) expect(queue.take()).toBe(value);
    for (let value = 5000; value < 6000; value += 1) queue.add(value);
    for (let value = 4000; value < 6000; value += 1) expect(queue.take()).toBe(value);
    expect(queue.size).toBe(0);
  });
});
