/** How numbers are written for people. */

export function secondsOf(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

export function countOf(count: number): string {
  return count.toLocaleString('en-US');
}

/** Answers cost fractions of a cent: two digits that count, wherever they stand. */
export function dollarsOf(dollars: number): string {
  return `$${dollars < 1 ? dollars.toLocaleString('en-US', { maximumSignificantDigits: 2 }) : dollars.toFixed(2)}`;
}
