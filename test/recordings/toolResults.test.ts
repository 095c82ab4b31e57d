import { toolCallsOf, toolResultsFor, type Snapshot, type ToolCallBlock, type ToolResult } from 'rx-model-stream';
import { collectionBytes, collectionJson, describeCollection } from '../support/shared';
import { isReadable, providerOf, responsesOf, type Expectation } from './reading';

/** The responses of a recording that wait for results of tools. */
function waitingIn(file: string, recording: Expectation): readonly Snapshot[] {
  const responses = responsesOf(recording, [collectionBytes(`recordings/${file}`)]);
  return responses.filter(({ finishReason }) => finishReason === 'tool-calls');
}

/** What every kind of recorded call takes, a request for approval too. */
function resultOf(call: ToolCallBlock): ToolResult {
  return { call, content: true, ...(call.state !== 'whole' && { isError: true }) };
}

describeCollection('every recorded turn that calls tools', 68, () => {
  const recordings = collectionJson('recordings/EXPECT.json') as Readonly<Record<string, Expectation>>;
  const calling = Object.entries(recordings).flatMap(([file, recording]) =>
    isReadable(recording) ? waitingIn(file, recording).map((snapshot) => [file, recording, snapshot] as const) : [],
  );

  it('is there to be answered', () => {
    expect(calling.length).toBeGreaterThanOrEqual(68);
  });

  it.each(calling)('%s is answered call by call, under ids that the turn has', (_file, recording, snapshot) => {
    const provider = providerOf(recording);
    const calls = toolCallsOf(snapshot);
    const written = JSON.stringify(toolResultsFor(provider, calls.map(resultOf), snapshot.turn));
    const isQuoted = (word: string) => written.includes(JSON.stringify(word));
    const byName = provider.name === 'ollama'; // whose tool messages have no id
    expect(calls.filter(({ id, syntheticId = false }) => isQuoted(id) === (syntheticId || byName))).toEqual([]);
    expect(byName ? calls.filter(({ name }) => !isQuoted(name)) : []).toEqual([]);
    const turn = JSON.stringify(snapshot.turn) as string | undefined; // a session has none: the service keeps it
    const echoed = calls.filter(({ id, syntheticId }) => syntheticId ?? turn?.includes(JSON.stringify(id)) ?? true);
    expect(echoed).toEqual(calls);
  });
});
