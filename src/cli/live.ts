import {
  auditTime,
  connect,
  endWith,
  ignoreElements,
  interval,
  merge,
  takeLast,
  takeUntil,
  tap,
  withLatestFrom,
  type MonoTypeOperatorFunction,
  type TimestampProvider,
} from 'rxjs';
import type { Answer } from './answer';
import { REDRAW_MS, type Display } from './display';
import { drawingOf, type Space, type Typesetting } from './drawing';

/** A terminal that can be drawn on. */
export interface Screen {
  readonly typesetting: Typesetting;
  /** As it is now: windows change. */
  space(): Space;
  /** Draws in place of what was drawn before. */
  draw(text: string): void;
  /** Writes in place of what was drawn before, to stay. */
  print(text: string): void;
}

/** Clocks on the screen go on while nothing comes. */
const TICK_MS = 100;

/** Draws answers as they grow, as much of them as there is room for, and whole when all have ended. */
export function liveDisplay(screen: Screen, clock: TimestampProvider): Display {
  return (title, answers) => {
    const drawn = (latest: readonly Answer[], space: Space): string =>
      drawingOf({ title, answers: latest, now: clock.now() }, space, screen.typesetting);
    return answers.pipe(
      ticking(TICK_MS),
      auditTime(REDRAW_MS),
      tap((latest) => {
        screen.draw(drawn(latest, screen.space()));
      }),
      takeLast(1),
      tap((last) => {
        screen.print(drawn(last, { ...screen.space(), rows: Infinity }));
      }),
    );
  };
}

/** Repeats the latest value as time passes, until the source completes. */
function ticking<T>(everyMs: number): MonoTypeOperatorFunction<T> {
  return connect((values) =>
    merge(
      values,
      interval(everyMs).pipe(
        withLatestFrom(values, (_, latest) => latest),
        takeUntil(values.pipe(ignoreElements(), endWith(undefined))),
      ),
    ),
  );
}
