/**
 * Checks an option that bounds something, when the operator is called and not at subscription: a wrong option is a
 * mistake in the program.
 *
 * @throws {RangeError} When the value is not a positive number.
 */
export function checkPositive(name: string, value: number): void {
  if (!(value > 0)) throw new RangeError(`Cannot use ${name} ${value}: expected a positive number`);
}

/** The longest time a timer can wait, some 24 days; one that is longer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Checks an option that counts milliseconds, when the operator is called. `Infinity` means for ever.
 *
 * @throws {RangeError} When the value is negative, not a number, or more than a timer can wait.
 */
export function checkMilliseconds(name: string, value: number): void {
  if (value === Infinity || (value >= 0 && value <= MAX_TIMER_MS)) return;
  throw new RangeError(`Cannot use ${name} ${value}: expected 0 to ${MAX_TIMER_MS} milliseconds, or Infinity`);
}

/**
 * Checks an option that counts, when the operator is called. `Infinity` means without a bound.
 *
 * @throws {RangeError} When the value is not a whole number from 0.
 */
export function checkCount(name: string, value: number): void {
  if (value === Infinity || (Number.isInteger(value) && value >= 0)) return;
  throw new RangeError(`Cannot use ${name} ${value}: expected a whole number from 0, or Infinity`);
}
