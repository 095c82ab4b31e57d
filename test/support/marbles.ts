import { TestScheduler, type RunHelpers } from 'rxjs/testing';

/**
 * A test in virtual time. What was said is compared as data, so that two errors are equal only when their name, their
 * message and their own fields are, wherever in a value they stand.
 */
export function marbles(test: (helpers: RunHelpers) => void): () => void {
  return () => {
    const scheduler = new TestScheduler((actual, expected) => {
      expect(asData(actual)).toEqual(asData(expected));
    });
    scheduler.run(test);
  };
}

/** A copy in which every error is a plain object without its stack: jest itself compares only the messages of errors. */
export function asData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(asData);
  const fields = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, asData(field)]));
  return value instanceof Error ? { ...fields, name: value.name, message: value.message } : fields;
}
