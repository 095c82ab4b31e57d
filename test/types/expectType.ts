/** Whether two types can each stand for the other. `any` could stand for everything, so it equals nothing but itself. */
export type Equal<Left, Right> = [IsAny<Left>, Left, Right] extends [IsAny<Right>, Right, Left] ? true : false;

type IsAny<Type> = 0 extends 1 & Type ? true : false;

/** Compiles only when the type of `value` equals `Expected`; otherwise an argument is missing. */
export declare function expectType<Expected>(): <Actual>(
  value: Actual,
  ...mismatch: Equal<Actual, Expected> extends true ? [] : [mismatch: { expected: Expected; actual: Actual }]
) => void;
