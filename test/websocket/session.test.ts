import { filter, firstValueFrom, groupBy, map, mergeMap, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  fromWebSocketMessages,
  geminiLive,
  normalize,
  openaiResponses,
  textOf,
  withUsage,
  type ModelStreamError,
  type Snapshot,
} from 'rx-model-stream';
import { WebSocket } from 'ws';
import { heardFrom } from '../support/heard';
import { startWebSocketService, type WebSocketService } from '../support/webSocketService';

const TURNS = 1000;

const setupComplete = { setupComplete: {} };
const said = (text: string): object => ({ serverContent: { modelTurn: { parts: [{ text }] } } });
const over = (tokens: number): object => ({
  serverContent: { turnComplete: true },
  usageMetadata: { promptTokenCount: tokens, responseTokenCount: 1 },
});

/** Sends messages, as text and as bytes in turn, then does the last thing. */
function speaking(messages: readonly object[], last: (client: WebSocket) => void): (client: WebSocket) => void {
  return (client) => {
    messages.forEach((message, place) => {
      const json = JSON.stringify(message);
      client.send(place % 2 === 0 ? json : Buffer.from(json));
    });
    last(client);
  };
}

const closing =
  (code: number) =>
  (client: WebSocket): void => {
    client.close(code);
  };

const twoTurns = [setupComplete, said('One '), said('two.'), over(3), said('Three.'), over(9)];
const lanes = ['a', 'b'].flatMap((stream_id) => [
  { type: 'response.created', stream_id, response: { id: `resp_${stream_id}` } },
  { type: 'response.output_text.delta', stream_id, output_index: 0, content_index: 0, delta: `From ${stream_id}.` },
]);
const completed = ['b', 'a'].map((stream_id) => ({ type: 'response.completed', stream_id, response: {} }));
const interleaved = [0, 2, 1, 3].map((place) => lanes[place]!);

let service: WebSocketService;

beforeAll(async () => {
  service = await startWebSocketService({
    '/two-turns': speaking(twoTurns, closing(1000)),
    '/many-turns': speaking(
      Array.from({ length: TURNS }, (_none, turn) => [said(`Turn ${turn}.`), over(turn)]).flat(),
      closing(1000),
    ),
    '/closed-inside': speaking([...twoTurns, said('Fo')], closing(1000)),
    '/failed-inside': speaking([...twoTurns, said('Fo')], closing(1011)),
    '/failed-between': speaking(twoTurns, closing(1011)),
    '/open': speaking(twoTurns, () => undefined),
    '/lanes': speaking([...interleaved, ...completed], closing(1000)),
  });
});

afterAll(() => service.close());

function snapshotsOf(path: string): Observable<Snapshot> {
  return fromWebSocketMessages(() => new WebSocket(service.url + path)).pipe(
    normalize(geminiLive()),
    withUsage(),
    accumulateBlocks(),
  );
}

/** Of a snapshot, what tells it from others. */
function lineOf(snapshot: Snapshot): string {
  return `${snapshot.ordinal} ${snapshot.status}: ${textOf(snapshot)}`;
}

async function heardAt(path: string): Promise<{ readonly turns: readonly string[]; readonly error: unknown }> {
  const { values, error } = await heardFrom(snapshotsOf(path));
  return { turns: values.filter(({ status }) => status === 'complete').map(lineOf), error };
}

const TWO_TURNS = ['0 complete: One two.', '1 complete: Three.'];

describe('a session over a WebSocket', () => {
  it('gives every response its own snapshots, usage and ending, and completes between two', async () => {
    const { values, error } = await heardFrom(snapshotsOf('/two-turns'));
    const finished = values.filter(({ status }) => status === 'complete');
    expect(finished.map(lineOf)).toEqual(TWO_TURNS);
    expect(finished.map(({ usage }) => usage?.inputTokens)).toEqual([3, 9]);
    expect(values.map(({ ordinal, blocks }) => `${ordinal}:${blocks.length}`).join(' ')).toBe(
      '0:0 0:1 0:1 0:1 0:1 0:1 0:1 1:0 1:1 1:1 1:1 1:1 1:1',
    );
    expect(error).toBeUndefined();
  });

  it(`reads ${TURNS} responses one after another`, async () => {
    const { turns, error } = await heardAt('/many-turns');
    expect(turns).toEqual(Array.from({ length: TURNS }, (_none, turn) => `${turn} complete: Turn ${turn}.`));
    expect(error).toBeUndefined();
  });

  it.each([
    ['closed in order', '/closed-inside', { code: 'truncated', retryable: true }],
    ['broken off', '/failed-inside', { code: 'network', providerCode: '1011', retryable: true }],
  ])('fails when it is %s inside a response, which is kept', async (_how, path, failure) => {
    const { turns, error } = await heardAt(path);
    expect(turns).toEqual(TWO_TURNS);
    expect(error).toMatchObject({ ...failure, snapshot: { ordinal: 2, status: 'failed' } });
    expect(textOf((error as ModelStreamError).snapshot!)).toBe('Fo');
  });

  it('fails when it is broken off between two responses, and takes nothing back', async () => {
    const { turns, error } = await heardAt('/failed-between');
    expect(turns).toEqual(TWO_TURNS);
    expect(error).toMatchObject({
      code: 'network',
      providerCode: '1011',
      snapshot: { ordinal: 1, status: 'complete' },
    });
  });

  it('is closed when the consumer leaves', async () => {
    await firstValueFrom(snapshotsOf('/open').pipe(filter(({ status }) => status === 'complete')));
    expect(await service.closeOn('/open')).toBe(1005);
  });

  it('carries responses side by side, parted by laneOf', async () => {
    const provider = openaiResponses({ session: true });
    const { values, error } = await heardFrom(
      fromWebSocketMessages(() => new WebSocket(`${service.url}/lanes`)).pipe(
        groupBy((frame) => (frame.type === 'json' ? provider.laneOf?.(frame) : undefined)),
        mergeMap((lane) => lane.pipe(normalize(provider), accumulateBlocks())),
        filter(({ status }) => status === 'complete'),
        map((snapshot) => `${snapshot.responseId}: ${textOf(snapshot)}`),
      ),
    );
    expect(values).toEqual(['resp_b: From b.', 'resp_a: From a.']);
    expect(error).toBeUndefined();
  });
});
