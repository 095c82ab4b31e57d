import { ModelStreamError, parseAwsEventStream, type JsonFrame } from 'rx-model-stream';
import { concatBytes, encodeAwsMessage } from '../support/awsEventStream';
import { marbles } from '../support/marbles';
import { describeOperatorContract } from '../support/operatorContract';

const message = (n: number): Uint8Array => encodeAwsMessage({ headers: { ':event-type': 'a' }, payload: { n } });
const json = (n: number): JsonFrame => ({ type: 'json', value: { n }, name: 'a' });

const TOO_LARGE = new ModelStreamError('too-large', 'Cannot buffer message: it exceeds 30 bytes');
const DAMAGED = new ModelStreamError('malformed', 'Cannot read message 1: its checksum is wrong');

/** The message of which a byte of the payload was changed. */
function damaged(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, place) => (place === bytes.length - 6 ? byte ^ 1 : byte));
}

describeOperatorContract('parseAwsEventStream', {
  create: () => parseAwsEventStream({ maxFrameBytes: 60 }),
  inputs: [concatBytes([message(1), message(2).subarray(0, 5)]), message(2).subarray(5), message(3).subarray(0, 20)],
  failing: { inputs: [message(0), damaged(message(1))], error: DAMAGED },
});

describe('parseAwsEventStream()', () => {
  const chunks = {
    a: concatBytes([message(1), message(2).subarray(0, 10)]),
    b: message(2).subarray(10, 30),
    c: message(2).subarray(30),
  };
  const frames = { x: json(1), y: json(2) };

  it(
    'emits a message with its last byte',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a-----b--c--|', chunks);
      const subscription = ' ^-------------!';
      const result = '       --x--------y--|';
      expectObservable(source.pipe(parseAwsEventStream())).toBe(result, frames);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'gives a payload that is not JSON as a stray frame and reads on',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a----|   ', {
        a: concatBytes([encodeAwsMessage({ headers: {}, payload: 'Bad gateway' }), message(1)]),
      });
      const result = '     --(sx)-|';
      const values = { s: { type: 'stray', text: 'Bad gateway' }, x: json(1) } as const;
      expectObservable(source.pipe(parseAwsEventStream())).toBe(result, values);
    }),
  );

  it(
    'is truncated when the body ends inside a message, after the messages before',
    marbles(({ cold, expectObservable }) => {
      const source = cold('--a--b--|', chunks);
      const result = '     --x-----#';
      const reason = 'Cannot read the last message: the body ends inside it';
      const error = new ModelStreamError('truncated', reason, { retryable: true });
      expectObservable(source.pipe(parseAwsEventStream())).toBe(result, frames, error);
    }),
  );

  it(
    'leaves the source at a message that is damaged, after the messages before it in the same chunk',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a---', { a: concatBytes([message(1), damaged(message(2)), message(3)]) });
      const subscription = ' ^-!   ';
      const result = '       --(x#)';
      expectObservable(source.pipe(parseAwsEventStream())).toBe(result, frames, DAMAGED);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'leaves the source when a message says that it will exceed maxFrameBytes',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('  --a--b---', { a: message(1).subarray(0, 11), b: message(1).subarray(11, 12) });
      const subscription = ' ^----!   ';
      const result = '       -----#   ';
      expectObservable(source.pipe(parseAwsEventStream({ maxFrameBytes: 30 }))).toBe(result, undefined, TOO_LARGE);
      expectSubscriptions(source.subscriptions).toBe(subscription);
    }),
  );

  it(
    'flushes nothing when its source fails',
    marbles(({ cold, expectObservable }) => {
      const lost = new ModelStreamError('network', 'Connection lost');
      const source = cold('--a--b--#', chunks, lost);
      const result = '     --x-----#';
      expectObservable(source.pipe(parseAwsEventStream())).toBe(result, frames, lost);
    }),
  );

  it.each([0, -1, NaN])('refuses maxFrameBytes %p when it is called', (maxFrameBytes) => {
    expect(() => parseAwsEventStream({ maxFrameBytes })).toThrow(RangeError);
  });
});
