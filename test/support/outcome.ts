import type { Observable } from 'rxjs';

/** Everything a synchronous Observable said, errors included, as plain data to compare. */
export function outcomeOf(source: Observable<unknown>): unknown[] {
  const said: unknown[] = [];
  source.subscribe({
    next: (value) => said.push({ next: value }),
    error: (error: unknown) => said.push({ error: plainError(error) }),
    complete: () => said.push('complete'),
  });
  return said;
}

/** An error as data: jest compares errors by message only. */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...Object.fromEntries(Object.entries(error)), name: error.name, message: error.message };
}
