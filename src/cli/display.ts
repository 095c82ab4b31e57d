import type { Observable } from 'rxjs';
import type { Answer } from './answer';

/** Shows answers as they grow, and an empty line below them. Emits their last state when all have ended, and completes. */
export type Display = (
  title: string | undefined,
  answers: Observable<readonly Answer[]>,
) => Observable<readonly Answer[]>;

/** Time between two looks at the answers, in milliseconds: as often as an eye can follow. */
export const REDRAW_MS = 40;
