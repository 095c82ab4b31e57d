import { getEventListeners } from 'node:events';
import { abortOf } from '../../../src/sources/abortOf';

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

describe('abortOf()', () => {
  it('fails everybody who waits, with the reason of the signal', () => {
    const controller = new AbortController();
    const errors: unknown[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      abortOf(controller.signal).subscribe({ error: (error: unknown) => errors.push(error) });
    }
    controller.abort('reason');
    expect(errors).toHaveLength(20);
    for (const error of errors) expect(error).toMatchObject({ code: 'aborted', retryable: false, cause: 'reason' });
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('fails at once where the signal is aborted already, and listens to nothing', () => {
    const signal = AbortSignal.abort('reason');
    const errors: unknown[] = [];
    abortOf(signal).subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toMatchObject([{ code: 'aborted', cause: 'reason' }]);
    expect(listenersOf(signal)).toBe(0);
  });

  it('has one listener while anybody waits, and none after', () => {
    const { signal } = new AbortController();
    for (let round = 0; round < 3; round += 1) {
      const waiting = Array.from({ length: 100 }, () => abortOf(signal).subscribe());
      expect(listenersOf(signal)).toBe(1);
      waiting.pop()?.unsubscribe();
      expect(listenersOf(signal)).toBe(1);
      for (const subscription of waiting) subscription.unsubscribe();
      expect(listenersOf(signal)).toBe(0);
    }
  });

  it('does not fail who has left, be it while the others are told', () => {
    const controller = new AbortController();
    const said: string[] = [];
    const left = abortOf(controller.signal).subscribe({ error: () => said.push('left') });
    abortOf(controller.signal).subscribe({
      error: () => {
        said.push('first');
        last.unsubscribe();
      },
    });
    const last = abortOf(controller.signal).subscribe({ error: () => said.push('last') });
    left.unsubscribe();
    controller.abort();
    expect(said).toEqual(['first']);
  });

  it('keeps signals apart', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const said: string[] = [];
    abortOf(one.signal).subscribe({ error: () => said.push('one') });
    abortOf(other.signal).subscribe({ error: () => said.push('other') });
    other.abort();
    expect(said).toEqual(['other']);
  });
});
