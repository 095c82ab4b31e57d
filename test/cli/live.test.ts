import { asyncScheduler, type TimestampProvider } from 'rxjs';
import type { Block } from 'rx-model-stream';
import { liveDisplay, type Screen } from '../../src/cli/live';
import { marbles } from '../support/marbles';
import { answerWith } from './answers';

/** A screen of seven rows that notes what is done to it, and when. */
function createNotedScreen(clock: TimestampProvider): { readonly screen: Screen; readonly notes: string[] } {
  const notes: string[] = [];
  const noted =
    (action: string) =>
    (text: string): void => {
      notes.push(`${clock.now()} ${action} ${text.replaceAll('\n', '/')}`);
    };
  return {
    notes,
    screen: {
      typesetting: { wrap: (line) => [line], widthOf: (text) => text.length, paint: (_, text) => text },
      space: () => ({ columns: 80, rows: 7 }),
      draw: noted('draw'),
      print: noted('print'),
    },
  };
}

function said(text: string): Block {
  return { kind: 'text', text };
}

describe('liveDisplay', () => {
  it(
    'draws at most every 40 ms, lets the clock run while nothing comes, and prints the whole when all has ended',
    marbles(({ cold, expectObservable, flush }) => {
      const { screen, notes } = createNotedScreen(asyncScheduler);
      const states = {
        a: [answerWith([])],
        b: [answerWith([said('b')])],
        c: [answerWith([said('c\nd\ne')], { endedAt: 220 })],
      };
      const answers = cold('a 19ms b 199ms (c|)', states);
      expectObservable(liveDisplay(screen, asyncScheduler)('Title', answers)).toBe('240ms (c|)', states);
      flush();
      expect(notes).toEqual([
        '40 draw Title//Model/● streaming · 0.04 s//b/',
        '140 draw Title//Model/● streaming · 0.14 s//b/',
        '240 draw Title//Model/● streaming · 0.22 s/⋮/e/',
        '240 print Title//Model/● streaming · 0.22 s//c/d/e/',
      ]);
    }),
  );

  it(
    'leaves the screen alone when nobody looks on any more',
    marbles(({ cold, expectObservable, flush }) => {
      const { screen, notes } = createNotedScreen(asyncScheduler);
      const answers = cold('a', { a: [answerWith([])] });
      expectObservable(liveDisplay(screen, asyncScheduler)('Title', answers), '^ 49ms !').toBe('-');
      flush();
      expect(notes.length).toBe(1);
    }),
  );
});
