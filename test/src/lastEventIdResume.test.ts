import { anthropic, lastEventIdResume, ModelStreamError, type Payload, type ResumeTracker } from 'rx-model-stream';
import { eventRelay } from 'rx-model-stream/testing/node';
import { fixturesOf } from '../support/fixtures';
import { describeTrackerContract, LOST } from '../support/trackerContract';

const bodies = fixturesOf('anthropic')
  .filter(({ name }) => name.endsWith('.sse'))
  .slice(0, 12)
  .map(({ name, bytes }) => ({ name, body: new TextDecoder().decode(bytes()).replace(/\r\n/g, '\n') }));

/** The stream with an id in every so manieth event. */
function withIds(body: string, every: number): string {
  const events = body.split(/(?<=\n\n)/);
  return events.map((event, nth) => (nth % every === 0 ? `id: r-${nth}\n${event}` : event)).join('');
}

describeTrackerContract('lastEventIdResume()', {
  create: () => ({ ...anthropic(), resume: lastEventIdResume() }),
  path: '/relay',
  runs: bodies.flatMap(({ name, body }) =>
    [1, 3].map((every) => ({
      name: `${name}, an id in every ${every}`,
      serve: () => ({ '/relay': eventRelay(withIds(body, every)) }),
    })),
  ),
  keepAlives: [{ value: { type: 'ping' } }],
  fetched: [],
});

describe('lastEventIdResume()', () => {
  const payload = (value: unknown, lastEventId?: string): Payload => ({
    value,
    ...(lastEventId !== undefined && { lastEventId }),
  });

  function trackerAfter(...payloads: readonly Payload[]): ResumeTracker {
    const tracker = lastEventIdResume().createTracker();
    for (const one of payloads) tracker.read(one);
    return tracker;
  }

  it('goes on with the last id, in its header', () => {
    expect(trackerAfter(payload(1, 'a'), payload(2, 'b'), payload(3, 'b')).pointAfter(LOST)).toEqual({
      cursor: 'b',
      path: '',
      query: {},
      headers: { 'Last-Event-ID': 'b' },
      isRepeat: true,
    });
  });

  it('moves with an id that came without an event', () => {
    const tracker = trackerAfter(payload(1, 'a'));
    tracker.hint?.({ type: 'hint', retryMs: 5 });
    expect(tracker.pointAfter(LOST)?.cursor).toBe('a');
    tracker.hint?.({ type: 'hint', lastEventId: 'b' });
    expect(tracker.pointAfter(LOST)?.cursor).toBe('b');
  });

  it('has no way on where the id was taken back, with an event or without', () => {
    expect(trackerAfter(payload(1, 'a'), payload(2)).pointAfter(LOST)).toBeUndefined();
    const tracker = trackerAfter(payload(1, 'a'));
    tracker.hint?.({ type: 'hint', lastEventId: '' });
    expect(tracker.pointAfter(LOST)).toBeUndefined();
  });

  it('keeps the id on the next connection until that one brings another', () => {
    const tracker = trackerAfter(payload(1, 'a'));
    tracker.pointAfter(LOST);
    tracker.read(payload(2));
    expect(tracker.pointAfter(LOST)?.cursor).toBe('a');
    tracker.read(payload(2));
    tracker.read(payload(3, 'b'));
    expect(tracker.pointAfter(LOST)?.cursor).toBe('b');
  });

  it('takes a continuation that says its id in every event, and one that says it only once', () => {
    for (const lastEventId of ['a', undefined]) {
      const tracker = trackerAfter(payload(1, 'a'), payload(2, 'a'));
      tracker.pointAfter(LOST);
      const read = [payload(2, lastEventId), payload(3, 'b')].map((one) => tracker.read(one)?.value);
      expect(read).toEqual([undefined, 3]);
    }
  });

  it('hands on what was not there before, wherever it comes', () => {
    const tracker = trackerAfter(payload(1, 'a'), payload(2, 'a'));
    tracker.pointAfter(LOST);
    const ping = { type: 'ping' };
    expect([payload(ping), payload(2), payload(3)].map((one) => tracker.read(one)?.value)).toEqual([
      ping,
      undefined,
      3,
    ]);
  });

  it('has no way on where nobody can remember what was handed on, until the next id', () => {
    const many = Array.from({ length: 4097 }, (_nothing, nth) => payload(nth, 'a'));
    const tracker = trackerAfter(payload('first', 'a'), ...many);
    expect(tracker.pointAfter(LOST)).toBeUndefined();
    tracker.read(payload('next', 'b'));
    expect(tracker.pointAfter(LOST)?.cursor).toBe('b');
  });

  it('does not go on with an answer that failed', () => {
    const failure = new ModelStreamError('provider', 'Overloaded', { retryable: true });
    expect(trackerAfter(payload(1, 'a')).pointAfter(failure)).toBeUndefined();
  });
});
