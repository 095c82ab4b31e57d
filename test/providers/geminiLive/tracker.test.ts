import { geminiLive, ModelStreamError, type ResumeTracker } from 'rx-model-stream';
import { framesOf, readFrames } from '../../support/frames';
import { LOST } from '../../support/trackerContract';

const handle = (newHandle: string, resumable = true): object => ({ sessionResumptionUpdate: { newHandle, resumable } });
const says = { serverContent: { modelTurn: { parts: [{ text: 'Hi' }] } } };
const ends = { serverContent: { turnComplete: true } };

/** Reads messages, and gives what was handed on. */
function read(tracker: ResumeTracker, ...messages: readonly object[]): unknown[] {
  return messages.map((value) => tracker.read({ value })?.value);
}

describe('the tracker of geminiLive()', () => {
  it('goes on with the latest handle that can be resumed', () => {
    const tracker = geminiLive().resume!.createTracker();
    expect(tracker.pointAfter(LOST)).toBeUndefined();
    read(tracker, { setupComplete: {} }, handle('a', false));
    expect(tracker.pointAfter(LOST)).toBeUndefined();
    read(tracker, handle('b'), says, { sessionResumptionUpdate: { resumable: false } }, handle('', true));
    expect(tracker.pointAfter(LOST)).toEqual({ cursor: 'b', path: '', query: {} });
    read(tracker, handle('c'));
    expect(tracker.pointAfter(LOST)).toMatchObject({ cursor: 'c' });
  });

  it('does not go on after a close that asking again cannot mend', () => {
    const tracker = geminiLive().resume!.createTracker();
    read(tracker, handle('a'));
    expect(tracker.pointAfter(new ModelStreamError('network', 'Closed with 1007'))).toBeUndefined();
  });

  it('hands on every message as it is', () => {
    const messages = [{ setupComplete: {} }, handle('a'), says, ends, says];
    const tracker = geminiLive().resume!.createTracker();
    expect(read(tracker, ...messages)).toEqual(messages);
    expect(tracker.read({ value: 'text' })).toEqual({ value: 'text' });
  });

  it('ends a turn that the connection cut, as one that was interrupted', () => {
    const tracker = geminiLive().resume!.createTracker();
    const before = read(tracker, handle('a'), says);
    tracker.pointAfter(LOST);
    const after = read(tracker, { setupComplete: {} }, says, ends);
    const { events } = readFrames(geminiLive(), framesOf(...before, ...after));
    expect(events.flatMap((event) => (event.type === 'finish' ? event.reason : []))).toEqual(['cancelled', 'stop']);
  });

  it.each([
    ['between two turns', [says, ends]],
    ['before the first one', []],
    ['where only the user spoke', [{ serverContent: { inputTranscription: { text: 'Hello?' } } }]],
  ])('ends nothing %s', (_title, messages) => {
    const tracker = geminiLive().resume!.createTracker();
    read(tracker, handle('a'), ...messages);
    tracker.pointAfter(LOST);
    expect(read(tracker, { setupComplete: {} }, says)).toEqual([{ setupComplete: {} }, says]);
  });

  it.each([
    ['a call', { toolCall: { functionCalls: [{ id: 'c', name: 'ring', args: {} }] } }],
    ['words of its sound', { serverContent: { outputTranscription: { text: 'Hi' } } }],
  ])('takes %s for a turn', (_title, message) => {
    const tracker = geminiLive().resume!.createTracker();
    read(tracker, handle('a'), message);
    tracker.pointAfter(LOST);
    expect(read(tracker, { setupComplete: {} })).toEqual([
      { setupComplete: {}, serverContent: { interrupted: true, turnComplete: true } },
    ]);
  });
});
