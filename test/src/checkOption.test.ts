import { checkMilliseconds, checkPositive } from '../../src/checkOption';

describe('checkPositive()', () => {
  it.each([1, 0.5, Infinity])('accepts %p', (value) => {
    expect(() => {
      checkPositive('limit', value);
    }).not.toThrow();
  });

  it.each([0, -1, NaN])('refuses %p, with its name and value', (value) => {
    expect(() => {
      checkPositive('limit', value);
    }).toThrow(new RangeError(`Cannot use limit ${value}: expected a positive number`));
  });
});

describe('checkMilliseconds()', () => {
  it.each([0, 250, 2 ** 31 - 1, Infinity])('accepts %p', (value) => {
    expect(() => {
      checkMilliseconds('waitMs', value);
    }).not.toThrow();
  });

  it.each([-1, NaN, 2 ** 31])('refuses %p, which no timer can wait', (value) => {
    expect(() => {
      checkMilliseconds('waitMs', value);
    }).toThrow(RangeError);
  });
});
