/** First in, first out, in constant time: `Array.shift` moves all that is left. */
export interface Queue<T> {
  readonly size: number;
  add(value: T): void;
  /** Takes the oldest value. Only where `size` is not 0. */
  take(): T;
}

export function createQueue<T>(): Queue<T> {
  let values: (T | undefined)[] = [];
  let head = 0;
  return {
    get size() {
      return values.length - head;
    },
    add(value) {
      values.push(value);
    },
    take() {
      const value = values[head] as T;
      values[head] = undefined; // it would be kept until the array is cut
      head += 1;
      if (head > 1024 && head * 2 > values.length) {
        values = values.slice(head);
        head = 0;
      }
      return value;
    },
  };
}
