import type { OperatorFunction } from 'rxjs';
import { parseSSE } from '../../operators';
import type { ModelStreamErrorCode } from '../errors';
import type { Frame } from '../frame';
import type { Provider } from '../provider';
import { ANSWER_LAWS } from './contract/answerLaws';
import { CUT_LAW, keepAliveLaw, unknownLaw } from './contract/placeLaws';
import { framesIn, framesOf } from './contract/reading';
import { STREAM_LAWS } from './contract/streamLaws';
import type { Subject } from './contract/subject';
import { NEVER_HEARD, type UnknownPayloads } from './contract/unknownPayloads';

/** A stream of the service, on which the laws are checked. */
export type ContractStream = ContractBody | ContractPayloads;

/** A stream as it stands on the wire. */
export interface ContractBody extends ContractSample {
  readonly body: string | Uint8Array;
  /** What cuts the body into frames. Default `parseSSE()`. */
  readonly framing?: OperatorFunction<Uint8Array, Frame>;
}

/** A stream as decoded messages, such as those of a WebSocket. No chunking is checked. */
export interface ContractPayloads extends ContractSample {
  readonly payloads: readonly unknown[];
}

interface ContractSample {
  readonly name: string;
  /** The code with which the stream fails. Default it does not: it is whole. */
  readonly fails?: ModelStreamErrorCode | undefined;
  /**
   * At how many places the stream is cut and something is put into it, the same ones every time. Default all of them, which
   * takes long where there are thousands.
   */
  readonly maxPlaces?: number;
}

/** What the contract has to know of a service. */
export interface ProviderContract {
  /** The more of what the service says is in them, the more is checked: text, calls, usage, a failure. */
  readonly streams: readonly ContractStream[];
  /** Payloads that only keep the connection alive. */
  readonly keepAlives?: readonly unknown[];
  /** What nobody knows yet, in the words of the service, beside what no service says. */
  readonly unknowns?: readonly UnknownPayloads[];
}

/** One law and one stream: a test. */
export interface ContractTest {
  readonly law: string;
  /** The name of the stream. */
  readonly stream: string;
  /** Throws an error that says what is wrong. */
  readonly check: () => void;
}

/**
 * What every provider owes its caller, law by law, as tests for any framework: they are functions that throw.
 *
 * 1. All providers of this library keep it. `normalize` and everything behind it relies on it.
 * 2. Chunks: the same events and the same error, however the bytes are cut.
 * 3. State: a mapper keeps nothing from one stream to the next, shares nothing with one that runs beside it, and changes
 *    no payload; `lifecycleOf` says the same of a payload whenever it is asked.
 * 4. Events: one response begins and ends once; blocks have dense indexes, open empty, grow while they are open, end once as
 *    what their deltas say; the same for each response of a session.
 * 5. Endings: a whole stream completes; one that is cut before its terminal signal is `truncated`, wherever the cut is.
 * 6. The unknown: it comes out as `raw` in its place and changes nothing else. Keep-alives change nothing at all.
 *    Whatever a payload holds, the laws of events are kept, and only a `ModelStreamError` comes out.
 * 7. The next request: JSON carries the turn, and each call is answered. The input has the cached tokens in it.
 *
 * What a word of the service means no law knows: for that, compare the events of your streams with what you expect.
 *
 * @param create - Makes the provider, as its user does.
 * @param contract.streams - What the service says. A stream is read when it is checked.
 * @param contract.keepAlives - Payloads that keep the connection alive. Default none.
 * @param contract.unknowns - Payloads that nobody knows yet. Default none but those that no service says.
 * @returns A test for each law and stream, law by law.
 *
 * @example In any framework: `for (const { law, stream, check } of tests) it(`${law}: ${stream}`, check)`
 * ```ts
 * import { anthropic } from 'rx-model-stream';
 * import { providerContract } from 'rx-model-stream/testing';
 *
 * const hello = [
 *   { type: 'message_start', message: { id: 'msg_1', model: 'm' } },
 *   { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
 *   { type: 'message_stop' },
 * ];
 * const tests = providerContract(anthropic, {
 *   streams: [{ name: 'hello', payloads: hello }],
 *   keepAlives: [{ type: 'ping' }],
 *   unknowns: [{ title: 'an unknown event', payloads: [{ type: 'message_hologram' }] }],
 * });
 * for (const { check } of tests) check();
 * console.log(tests.map(({ law }) => law).includes('takes no notice of a keep-alive, wherever it comes')); // true
 * ```
 */
export function providerContract(create: () => Provider, contract: ProviderContract): ContractTest[] {
  const { streams, keepAlives = [], unknowns = [] } = contract;
  const samples = streams.map((stream) => [stream.name, sampleOf(stream)] as const);
  const laws = [
    ...STREAM_LAWS,
    ...ANSWER_LAWS,
    CUT_LAW,
    keepAliveLaw(keepAlives),
    ...[...NEVER_HEARD, ...unknowns].map(unknownLaw),
  ];
  return laws.flatMap(({ law, check }) =>
    samples.map(([stream, sample]) => ({
      law,
      stream,
      check: () => {
        check({ provider: create(), ...sample() });
      },
    })),
  );
}

type Sample = Omit<Subject, 'provider'>;

/** What there is to check, read when it is needed first. */
function sampleOf(stream: ContractStream): () => Sample {
  let sample: Sample | undefined;
  return () => {
    sample ??= { maxPlaces: stream.maxPlaces ?? Infinity, fails: stream.fails, ...contentsOf(stream) };
    return sample;
  };
}

function contentsOf(stream: ContractStream): Pick<Sample, 'frames' | 'wire'> {
  if ('payloads' in stream) return { frames: framesOf(...stream.payloads) };
  const { body: given, framing = parseSSE() } = stream;
  const body = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  return { frames: framesIn(framing, body), wire: { body, framing } };
}
