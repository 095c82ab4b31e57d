import { geminiInteractions, ModelStreamError, type Payload, type ResumeTracker } from 'rx-model-stream';
import { fixturesOf } from '../../support/fixtures';
import { finishedText, INTERACTIONS, isToldWhole, withEventIds } from '../../support/resumableRuns';
import { describeTrackerContract, LOST, TOO_LATE, UNKNOWN } from '../../support/trackerContract';

/** Interactions whose first event has no id, so that nobody can ask for them again. */
const NAMELESS = ['lost-starts.sse', 'old-outputs.sse', 'stateless-empty-id.sse', 'steps-in-completed-only.sse'];

const bodies = fixturesOf('gemini-interactions').flatMap((sample) => {
  const body = finishedText(sample, geminiInteractions());
  return body === undefined || NAMELESS.includes(sample.name) ? [] : [{ name: sample.name, body }];
});

/** The same streams without ids, with some, and with one in every event. */
const runs = bodies.flatMap(({ name, body }) =>
  [
    { name, body },
    { name: `${name}, an id in every third event`, body: withEventIds(body, 3) },
    { name: `${name}, an id in every event`, body: withEventIds(body, 1) },
  ].map((stream) => ({ name: stream.name, serve: () => INTERACTIONS.run(stream.body).routes })),
);

describeTrackerContract('geminiInteractions()', {
  create: geminiInteractions,
  path: INTERACTIONS.path,
  runs,
  keepAlives: [{ value: '[DONE]' }],
  fetched: runs.filter(({ name }) => isToldWhole(name.split(',', 1)[0]!)),
});

describe('the tracker of geminiInteractions()', () => {
  const event = (fields: object): Payload => ({ value: fields });
  const created = event({ event_type: 'interaction.created', event_id: 'e-1', interaction: { id: 'int/1' } });
  const delta = (text: string): Payload => event({ event_type: 'step.delta', index: 0, delta: { type: 'text', text } });

  function trackerAfter(...payloads: readonly Payload[]): ResumeTracker {
    const tracker = geminiInteractions().resume!.createTracker();
    for (const payload of payloads) tracker.read(payload);
    return tracker;
  }

  it('asks for what is behind the last event with an id', () => {
    expect(trackerAfter(created, delta('a')).pointAfter(LOST)).toEqual({
      responseId: 'int/1',
      cursor: 'e-1',
      path: '/int%2F1',
      query: { stream: 'true', last_event_id: 'e-1' },
    });
  });

  it('takes a continuation that begins with that event itself', () => {
    const tracker = trackerAfter(created);
    tracker.pointAfter(LOST);
    expect([created, delta('a')].map((payload) => tracker.read(payload))).toEqual([undefined, delta('a')]);
  });

  it('does not miss what is left out of what is sent again', () => {
    const tracker = trackerAfter(created, event({ event_type: 'error' }), delta('a'));
    tracker.pointAfter(LOST);
    expect([delta('a'), delta('b')].map((payload) => tracker.read(payload))).toEqual([undefined, delta('b')]);
  });

  it('fetches the whole where the continuation does not go on where the stream ended', () => {
    const tracker = trackerAfter(created, delta('a'), delta('b'));
    tracker.pointAfter(LOST);
    tracker.read(delta('a'));
    let failure: unknown;
    try {
      tracker.read(delta('c'));
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: 'malformed', retryable: true });
    expect(tracker.pointAfter(failure as ModelStreamError)).toMatchObject({ isWhole: true });
  });

  it('fetches the whole where nobody can remember what was handed on', () => {
    const many = Array.from({ length: 4097 }, (_nothing, nth) => delta(`${nth}`));
    expect(trackerAfter(created, ...many.slice(1)).pointAfter(LOST)).not.toHaveProperty('isWhole');
    expect(trackerAfter(created, ...many).pointAfter(LOST)).toMatchObject({ isWhole: true });
  });

  it('looks once whether a silent continuation is finished, and goes on with the stream where it is not', () => {
    const silent = new ModelStreamError('timeout', 'Silent', { retryable: true });
    const tracker = trackerAfter(created);
    expect(tracker.pointAfter(silent)).not.toHaveProperty('isWhole'); // the first connection was only slow
    expect(tracker.pointAfter(silent)).toMatchObject({ isWhole: true });
    const running = { value: { id: 'int/1', status: 'in_progress' } };
    expect(() => tracker.read(running)).toThrow('The interaction is not finished yet');
    expect(tracker.pointAfter(LOST)).toMatchObject({ query: { last_event_id: 'e-1' } });
  });

  it('asks again for the whole while it is not finished, and no more when it is not there', () => {
    const tracker = trackerAfter(created);
    expect(tracker.pointAfter(TOO_LATE)).toEqual({ responseId: 'int/1', path: '/int%2F1', query: {}, isWhole: true });
    expect(() => tracker.read({ value: { id: 'int/1', status: 'queued' } })).toThrow(ModelStreamError);
    expect(tracker.pointAfter(LOST)).toMatchObject({ isWhole: true, isRunning: true });
    expect(tracker.pointAfter(UNKNOWN)).toBeUndefined();
  });

  it('makes the ending of the whole answer, a failed one too', () => {
    const tracker = trackerAfter(created);
    tracker.pointAfter(UNKNOWN);
    const failed = { id: 'int/1', status: 'failed', error: { code: 13, message: 'Broken' } };
    const ending = tracker.read({ value: failed })!;
    expect(ending.value).toEqual({ event_type: 'interaction.completed', interaction: failed });
    expect(geminiInteractions().lifecycleOf(ending).error).toMatchObject({ message: 'Broken' });
    expect(tracker.pointAfter(LOST)).toBeUndefined();
  });

  it.each([
    ['its ending', { event_type: 'interaction.completed', interaction: { id: 'int/1', status: 'completed' } }],
    ['its failure', { event_type: 'interaction.completed', interaction: { id: 'int/1', status: 'failed' } }],
    ['an error event', { event_type: 'error', error: { code: 'unavailable', message: 'Later' } }],
  ])('has no way on after %s, and nothing to cancel', (_title, last) => {
    const tracker = trackerAfter(created, event(last));
    expect([tracker.pointAfter(LOST), tracker.cancelPoint?.()]).toEqual([undefined, undefined]);
  });

  it('goes on after a failure that stands between the events: the run is alive', () => {
    const tracker = trackerAfter(created, { value: [{ error: { code: 503, message: 'Cut', status: 'UNAVAILABLE' } }] });
    expect(tracker.pointAfter(LOST)).toMatchObject({ cursor: 'e-1' });
  });

  it('knows how to cancel what has an id', () => {
    expect(trackerAfter().cancelPoint?.()).toBeUndefined();
    expect(trackerAfter(created).cancelPoint?.()).toEqual({ responseId: 'int/1', path: '/int%2F1/cancel' });
  });
});
