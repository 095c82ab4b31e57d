import type { Observable } from 'rxjs';
import type { ModelEvent } from 'rx-model-stream';

/** Everything an Observable said until it ended. */
export interface Heard<T> {
  readonly values: readonly T[];
  /** Undefined when it completed. */
  readonly error: unknown;
}

export function heardFrom<T>(source: Observable<T>): Promise<Heard<T>> {
  return new Promise((resolve) => {
    const values: T[] = [];
    source.subscribe({
      next: (value) => values.push(value),
      error: (error: unknown) => {
        resolve({ values, error });
      },
      complete: () => {
        resolve({ values, error: undefined });
      },
    });
  });
}

/** The text of the answer that these events are. */
export function textIn(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}
