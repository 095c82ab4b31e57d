import type { OperatorFunction } from 'rxjs';
import { checkPositive } from '../src/checkOption';
import type { JsonFrame, StrayFrame } from '../src/frame';
import { createAwsEventStream, type AwsEventStreamOptions } from '../src/framing/awsEventStream';
import { DEFAULT_MAX_FRAME_BYTES } from '../src/framing/maxFrameBytes';
import { fromStage } from '../src/fromStage';

/**
 * Cuts the bytes of an AWS event stream (`application/vnd.amazon.eventstream`) into a frame for each message.
 *
 * 1. The same bytes give the same frames and the same error for every chunking.
 * 2. A message is emitted with its last byte, after both of its checksums were verified. A byte that was changed on the way
 *    never gives a frame.
 * 3. Its length is believed only when the checksum of the lengths is right, and nothing is allocated for bytes that have
 *    not come.
 * 4. `name` is the header `:event-type`, or `:exception-type` where the message reports a failure; `value` is the payload,
 *    decoded; a payload without bytes is `{}`. Other headers are read over, of whatever type.
 * 5. A message of the type `error` has its failure in headers: it is named `error`, and `value` is `{ code, message }`.
 * 6. A payload that is not JSON comes as a `stray` frame, since it may mean something to a provider; that of an exception as
 *    `{ message }`. A message without a name and a payload keeps the connection alive and gives no frame.
 *
 * ```text
 * bytes    --a-----b--c|     a = one message and the head of a second, b = its middle, c = its end
 * frames   --x--------y|     x, y = { type: 'json', name: 'contentBlockDelta', value: { … } }, …
 * ```
 *
 * Fails, after the messages before it, with `malformed` when a message is not what its checksums or the format say,
 * `truncated` (retryable) when the body ends inside one, `too-large` when one exceeds `maxFrameBytes`.
 *
 * @param options.maxFrameBytes - Bound on one message, headers and checksums included, in bytes. Default 32 MiB.
 * @returns An operator that emits the messages that each chunk completes as the chunk arrives and completes with its source.
 * @throws {RangeError} When `maxFrameBytes` is not a positive number.
 *
 * @example Read a message
 * ```ts
 * import { of } from 'rxjs';
 * import { parseAwsEventStream } from 'rx-model-stream';
 *
 * const lengths = [0, 0, 0, 30, 0, 0, 0, 0, 186, 242, 246, 138]; // 30 bytes, 0 of headers, checksum
 * const payload = new TextEncoder().encode('{"foo": "bar"}');
 * const bytes = Uint8Array.of(...lengths, ...payload, 174, 114, 88, 228); // checksum of all
 * of(bytes).pipe(parseAwsEventStream()).subscribe(console.log); // { type: 'json', value: { foo: 'bar' } }
 * ```
 *
 * @see {@link https://smithy.io/2.0/aws/amazon-eventstream.html}, {@link parseSSE} for event streams of text
 */
export function parseAwsEventStream(
  options: AwsEventStreamOptions = {},
): OperatorFunction<Uint8Array, JsonFrame | StrayFrame> {
  checkPositive('maxFrameBytes', options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES);
  return fromStage(() => createAwsEventStream(options));
}
