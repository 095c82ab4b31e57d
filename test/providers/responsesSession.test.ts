import { from, groupBy, mergeMap, toArray } from 'rxjs';
import {
  accumulateBlocks,
  normalize,
  openaiResponses,
  textOf,
  xai,
  type ModelEvent,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import { brokenSessionLaws } from '../../src/testing/contract/eventLaws';
import { fixturesOf } from '../support/fixtures';
import { framesOf, readFrames } from '../support/frames';
import { describeProviderContract } from '../support/providerContract';

const UNKNOWNS = [
  { title: 'an unknown event', payloads: [{ type: 'response.hologram.delta', output_index: 0, delta: '~' }] },
  { title: 'an unknown event of another stream', payloads: [{ type: 'response.hologram.delta', stream_id: 'h' }] },
  { title: 'a payload that is no object', payloads: [null, 7, 'text', ['a', { type: 'response.completed' }]] },
];

describeProviderContract('openaiResponses({ session: true })', {
  create: () => openaiResponses({ session: true }),
  fixtures: fixturesOf('openai-responses-session'),
  keepAlives: [{ type: 'keepalive', sequence_number: 7 }],
  unknowns: UNKNOWNS,
});

describeProviderContract('xai({ session: true })', {
  create: () => xai({ session: true }),
  fixtures: fixturesOf('xai-session'),
  keepAlives: [{ type: 'ping' }],
  unknowns: UNKNOWNS,
});

/** The events of one response over a WebSocket; xAI leaves out the name of the stream. */
function answer(text: string, { stream_id, id = 'resp_1' }: { stream_id?: string; id?: string } = {}): object[] {
  const lane = stream_id === undefined ? {} : { stream_id };
  return [
    { type: 'response.created', ...lane, sequence_number: 0, response: { id, status: 'in_progress', output: [] } },
    { type: 'response.output_text.delta', ...lane, item_id: 'm', output_index: 0, content_index: 0, delta: text },
    { type: 'response.completed', ...lane, sequence_number: 2, response: { id, status: 'completed' } }, // without its output
  ];
}

function snapshotsOf(provider: Provider, payloads: readonly object[]): readonly Snapshot[] {
  const ended: Snapshot[] = [];
  from(framesOf(...payloads))
    .pipe(normalize(provider), accumulateBlocks())
    .subscribe((snapshot) => {
      if (snapshot.finishReason !== undefined) ended.push(snapshot);
    });
  return ended;
}

function lineOf({ ordinal, finishReason, ...rest }: Snapshot): string {
  return `${ordinal} ${finishReason}: ${textOf({ ordinal, ...rest })}`;
}

const notFound = { type: 'invalid_request_error', code: 'previous_response_not_found', message: 'gone', param: null };

describe.each([
  ['openaiResponses', openaiResponses({ session: true }) as Provider],
  ['xai', xai({ session: true }) as Provider],
])('%s({ session: true })', (_name, provider) => {
  it('gives every response its own ending, also where all have one id', () => {
    const ended = snapshotsOf(provider, [...answer('One.'), ...answer('Two.'), ...answer('Three.')]);
    expect(ended.map(lineOf)).toEqual(['0 stop: One.', '1 stop: Two.', '2 stop: Three.']);
  });

  it.each([
    ['of the protocol, with a status', { type: 'error', status: 400, error: notFound }],
    ['flat', { ...notFound, type: 'error', sequence_number: 3 }],
    ['without a type', { error: { ...notFound, type: 'api_error' } }],
  ])('makes a failed response of an error that answers a request: %s', (_form, error) => {
    const [failed, next] = snapshotsOf(provider, [error, ...answer('Again.')]);
    expect(failed).toMatchObject({ status: 'failed', finishReason: 'error', blocks: [] });
    expect(failed!.error).toMatchObject({
      code: 'provider',
      providerCode: 'previous_response_not_found',
      retryable: false,
    });
    expect(lineOf(next!)).toBe('1 stop: Again.');
  });

  it('keeps what a response had said before it failed, and goes on', () => {
    const [created, delta] = answer('Half of', { id: 'resp_7' });
    const failure = {
      type: 'response.failed',
      response: { id: 'resp_7', error: { code: 'server_error', message: 'x' } },
    };
    const ended = snapshotsOf(provider, [created!, delta!, failure, ...answer('Whole.')]);
    expect(ended.map(lineOf)).toEqual(['0 error: Half of', '1 stop: Whole.']);
    expect(ended[0]!.error).toMatchObject({ providerCode: 'server_error', responseId: 'resp_7', retryable: true });
  });

  it('ends a response that is steered with a pause; its successor follows by itself', () => {
    const steered = {
      type: 'response.incomplete',
      response: { id: 'resp_1', status: 'incomplete', incomplete_details: { reason: 'steered' } },
    };
    const accepted = { type: 'response.steer.accepted', steer: { id: 'steer_1' } };
    const { events } = readFrames(
      provider,
      framesOf(...answer('This way').slice(0, 2), accepted, steered, ...answer('That way.')),
    );
    expect(events.filter(({ type }) => type === 'raw')).toEqual([
      { type: 'raw', provider: provider.name, event: accepted },
    ]);
    expect(finishesIn(events)).toEqual(['pause', 'stop']);
    expect(brokenSessionLaws(provider.name, events, false)).toEqual([]);
  });

  it('is truncated inside a response, and complete before, between and after', () => {
    const payloads = [...answer('One.'), ...answer('Two.')];
    const errors = payloads.map((_payload, place) => readFrames(provider, framesOf(...payloads.slice(0, place))).error);
    const truncated = expect.objectContaining({ code: 'truncated', retryable: true }) as unknown;
    expect(errors).toEqual([undefined, truncated, truncated, undefined, truncated, truncated]);
  });

  it('reads the streams of a connection one beside the other, where they were parted', () => {
    const [a, b] = [answer('From a.', { stream_id: 'a' }), answer('From b.', { stream_id: 'b', id: 'resp_2' })];
    const woven = [a[0]!, b[0]!, b[1]!, a[1]!, { type: 'error', stream_id: 'b', status: 400, error: notFound }, a[2]!];
    const ended: string[] = [];
    from(framesOf(...woven))
      .pipe(
        groupBy((frame) => (frame.type === 'json' ? provider.laneOf?.(frame) : undefined)),
        mergeMap((lane) => lane.pipe(normalize(provider), accumulateBlocks(), toArray())),
      )
      .subscribe((snapshots) => ended.push(lineOf(snapshots.at(-1)!)));
    expect(ended.sort()).toEqual(['0 error: From b.', '0 stop: From a.']);
  });

  it('gives a stream as raw that began beside another one, to the end of its response', () => {
    const [a, b] = [answer('From a.', { stream_id: 'a' }), answer('From b.', { stream_id: 'b', id: 'resp_2' })];
    const { events } = readFrames(
      provider,
      framesOf(a[0]!, b[0]!, a[1]!, a[2]!, b[1]!, b[2]!, ...answer('Next.', { stream_id: 'b' })),
    );
    expect(events.flatMap((event) => (event.type === 'raw' ? [event.event] : []))).toEqual(b);
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(['From a.', 'Next.']);
    expect(brokenSessionLaws(provider.name, events, false)).toEqual([]);
  });
});

function finishesIn(events: readonly ModelEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'finish' ? [event.reason] : []));
}
