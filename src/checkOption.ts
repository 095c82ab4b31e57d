/**
 * Checks an option that bounds something, when the operator is called and not at subscription: a wrong option is a
 * mistake in the program.
 *
 * @throws {RangeError} When the value is not a positive number.
 */
export function checkPositive(name: string, value: number): void {
  if (!(value > 0)) throw new RangeError(`Cannot use ${name} ${value}: expected a positive number`);
}

/**
 * Checks an option that counts milliseconds, when the operator is called.
 *
 * @throws {RangeError} When the value is negative or not a number.
 */
export function checkMilliseconds(name: string, value: number): void {
  if (!(value >= 0)) throw new RangeError(`Cannot use ${name} ${value}: expected milliseconds, 0 or more`);
}
