import { map, merge, NEVER, of, share, take, tap, type Observable } from 'rxjs';
import {
  eachValueFrom,
  fromByteStream,
  fromModel,
  normalize,
  pacedMap,
  parseSSE,
  toReadableStream,
  type ByteIterable,
  type ModelEvent,
} from 'rx-model-stream';
import { startFakeProvider, type FakeExchange, type FakeProvider, type FakeRoute } from 'rx-model-stream/testing/node';
import { anthropicAnswer, eventStream } from '../support/answers';
import { createGate } from '../support/gate';
import { heldBack } from '../support/heldBack';
import { httpBody } from '../support/httpBody';
import { until } from '../support/until';

const { provider, opening, text, closing, failure } = anthropicAnswer;

const MEBIBYTE = 1024 * 1024;
/** Far more than the sockets of both sides hold, and far less than the long answer. */
const HELD_BYTES = 64 * MEBIBYTE;

const PIECE = eventStream({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'x'.repeat(1000) },
}).repeat(64);

/** So many pieces, of 64 events each. */
function* longBody(pieceCount: number): Generator<Uint8Array> {
  const piece = Buffer.from(PIECE);
  yield Buffer.from(eventStream(...opening));
  for (let count = 0; count < pieceCount; count += 1) yield piece;
  yield Buffer.from(eventStream(...closing));
}

const IN_BAND = eventStream(...opening, ...text, failure);
const BROKEN = eventStream(...opening, ...text);

let service: FakeProvider;

beforeEach(async () => {
  const long: FakeRoute = () => ({ body: longBody(4 * 1024) });
  service = await startFakeProvider({
    '/long': long,
    '/other': long,
    '/short': () => ({ body: longBody(40) }),
    '/in-band': { body: IN_BAND },
    '/broken': { body: BROKEN, fault: { type: 'reset', afterBytes: BROKEN.length } },
    '/meanwhile': {},
  });
});

afterEach(() => service.close());

/** The exchange on a path, once it is there. */
async function exchangeOn(wanted: string): Promise<FakeExchange> {
  const find = (): FakeExchange | undefined => service.requests.find(({ path }) => path === wanted);
  await until(() => find() !== undefined);
  return find()!;
}

/** A model stream of which is known when it was read and what became of its events. */
interface WatchedStream {
  readonly events: Observable<ModelEvent>;
  reads: number;
  arrived: number;
  /** Counted by the test. */
  done: number;
  /** The most events that were still being worked on when more was read. */
  readAhead: number;
}

function watchedStream(path: string): WatchedStream {
  const open = async (signal: AbortSignal): Promise<ByteIterable> => {
    const body = await httpBody(service.url + path, signal);
    return {
      destroy: () => body.destroy(),
      [Symbol.asyncIterator]() {
        const chunks: AsyncIterator<Uint8Array, undefined> = body[Symbol.asyncIterator]();
        return {
          next() {
            watched.reads += 1;
            watched.readAhead = Math.max(watched.readAhead, watched.arrived - watched.done);
            return chunks.next();
          },
        };
      },
    };
  };
  const watched: WatchedStream = {
    events: fromByteStream(open).pipe(
      parseSSE(),
      normalize(provider),
      tap(() => (watched.arrived += 1)),
    ),
    reads: 0,
    arrived: 0,
    done: 0,
    readAhead: 0,
  };
  return watched;
}

/** Works on every event of a stream, until it ends or is left. */
type Consumer = (events: Observable<ModelEvent>, work: (event: ModelEvent) => Promise<void>) => Consumption;

interface Consumption {
  readonly leave: () => void;
  /** The failure of the stream; undefined when it completed. */
  readonly ended: Promise<unknown>;
}

function consumed(results: Observable<unknown>): Consumption {
  let leave!: () => void;
  const ended = new Promise<unknown>((resolve) => {
    const subscription = results.subscribe({
      error: resolve,
      complete: () => {
        resolve(undefined);
      },
    });
    leave = () => {
      subscription.unsubscribe();
    };
  });
  return { leave, ended };
}

const consumeByLoop: Consumer = (events, work) => {
  const values = eachValueFrom(events);
  const loop = async (): Promise<void> => {
    for await (const event of values) await work(event);
  };
  return { leave: () => void values.return?.(), ended: failureOf(loop()) };
};

const consumeByReader: Consumer = (events, work) => {
  const reader = toReadableStream(events).getReader();
  const loop = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) await work(next.value);
  };
  return { leave: () => void reader.cancel(), ended: failureOf(loop()) };
};

async function failureOf(loop: Promise<void>): Promise<unknown> {
  try {
    await loop;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Takes a moment. */
const pass = (event: ModelEvent): Promise<ModelEvent> => Promise.resolve(event);

const consumers: [name: string, consume: Consumer][] = [
  ['pacedMap', (events, work) => consumed(events.pipe(pacedMap(work)))],
  ['pacedMap with 8', (events, work) => consumed(events.pipe(pacedMap(work, 8)))],
  ['two pacedMap', (events, work) => consumed(events.pipe(pacedMap(pass), pacedMap(work)))],
  ['two pacedMap with 8 and 4', (events, work) => consumed(events.pipe(pacedMap(pass, 8), pacedMap(work, 4)))],
  ['eachValueFrom', consumeByLoop],
  ['toReadableStream', consumeByReader],
  ['pacedMap into eachValueFrom', (events, work) => consumeByLoop(events.pipe(pacedMap(pass)), work)],
  ['pacedMap into toReadableStream', (events, work) => consumeByReader(events.pipe(pacedMap(pass, 8)), work)],
  [
    'pacedMap behind a pacedMap that starts the stream',
    (events, work) =>
      consumed(
        of('question').pipe(
          pacedMap(() => events),
          pacedMap(work),
        ),
      ),
  ],
  [
    'eachValueFrom behind a pacedMap that starts the stream',
    (events, work) => consumeByLoop(of('question').pipe(pacedMap(() => events)), work),
  ],
];

describe.each(consumers)('%s', (_name, consume) => {
  it('holds the service back while it works, and holds no more than the events of one chunk', async () => {
    const stream = watchedStream('/long');
    const gate = createGate();
    const { leave } = consume(stream.events, async () => {
      await gate.pass();
      stream.done += 1;
    });
    const exchange = await exchangeOn('/long');
    const written = await heldBack(service, exchange);
    expect(written).toBeLessThan(HELD_BYTES);
    expect([stream.reads, stream.done]).toEqual([1, 0]);

    gate.open();
    await until(() => exchange.bytesWritten > written);
    gate.close();
    await heldBack(service, exchange);
    expect(stream.reads).toBeGreaterThan(1);
    expect(stream.readAhead).toBe(0);

    leave();
    expect(await exchange.closedBy).toBe('client');
  });

  it('works on every event once', async () => {
    const stream = watchedStream('/short');
    let length = 0;
    const { ended } = consume(stream.events, async (event) => {
      if (event.type === 'text-delta') length += event.text.length;
      await Promise.resolve();
      stream.done += 1;
    });
    expect(await ended).toBeUndefined();
    expect([length, stream.done, stream.readAhead]).toEqual([40 * 64 * 1000, stream.arrived, 0]);
    expect(await (await exchangeOn('/short')).closedBy).toBe('server');
  });

  it.each([
    ['/in-band', 'provider'],
    ['/broken', 'network'],
  ])('works off what was whole before it reports that the source failed: %s', async (path, code) => {
    const stream = watchedStream(path);
    const gate = createGate();
    let failure: unknown;
    const seen: string[] = [];
    const { ended } = consume(stream.events, async (event) => {
      await gate.pass();
      if (event.type === 'text-delta') seen.push(event.text);
      expect(failure).toBeUndefined();
      stream.done += 1;
    });
    void ended.then((error) => (failure = error));
    await until(() => stream.arrived > 0);
    await new Promise(setImmediate);
    expect(failure).toBeUndefined();
    gate.open();
    expect(await ended).toMatchObject({ code });
    expect([seen, stream.done]).toEqual([['Hel', 'lo'], stream.arrived]);
  });
});

describe('merged streams', () => {
  it('are held back each, and each holds no more than the events of one chunk', async () => {
    const streams = ['/long', '/other'].map(watchedStream);
    const gate = createGate();
    const events = merge(...streams.map((stream) => stream.events.pipe(map(() => stream))));
    const { leave } = consumed(
      events.pipe(
        pacedMap(async (stream) => {
          await gate.pass();
          stream.done += 1;
        }),
      ),
    );
    const exchanges = await Promise.all(['/long', '/other'].map(exchangeOn));
    const written = await Promise.all(exchanges.map((exchange) => heldBack(service, exchange)));
    expect(Math.max(...written)).toBeLessThan(HELD_BYTES);

    gate.open();
    await until(() => exchanges.every(({ bytesWritten }, index) => bytesWritten > written[index]!));
    gate.close();
    for (const exchange of exchanges) await heldBack(service, exchange);
    expect(streams.map(({ readAhead }) => readAhead)).toEqual([0, 0]);

    leave();
    for (const { closedBy } of exchanges) expect(await closedBy).toBe('client');
  });

  it('end each on its own', async () => {
    const streams = ['/short', '/short'].map(watchedStream);
    const events = merge(...streams.map((stream) => stream.events.pipe(map(() => stream))));
    const { ended } = consumed(
      events.pipe(
        pacedMap(async (stream) => {
          await Promise.resolve();
          stream.done += 1;
        }, 8),
      ),
    );
    expect(await ended).toBeUndefined();
    for (const { arrived, done, readAhead } of streams) expect([done, readAhead]).toEqual([arrived, 0]);
  });
});

describe('a shared stream', () => {
  it('is paced by its slowest consumer, and by the others when that one leaves', async () => {
    const events = watchedStream('/long').events.pipe(share());
    const slow = consumed(events.pipe(pacedMap(() => NEVER)));
    const quick = consumed(events);
    const exchange = await exchangeOn('/long');
    const written = await heldBack(service, exchange);
    slow.leave();
    await until(() => exchange.bytesWritten > written);
    quick.leave();
    expect(await exchange.closedBy).toBe('client');
  });
});

describe('streams that are started for the events of another', () => {
  it('hold that other stream until they are done', async () => {
    const outer = watchedStream('/other');
    const inner = watchedStream('/long');
    const gate = createGate();
    const answers = outer.events.pipe(pacedMap(() => inner.events));
    const { leave } = consumed(
      answers.pipe(
        pacedMap(async () => {
          await gate.pass();
          inner.done += 1;
        }),
      ),
    );
    const exchanges = [await exchangeOn('/other'), await exchangeOn('/long')];
    for (const exchange of exchanges) await heldBack(service, exchange);
    gate.open();
    await until(() => inner.reads > 10);
    gate.close();
    for (const exchange of exchanges) await heldBack(service, exchange);
    expect([outer.reads, inner.readAhead]).toEqual([1, 0]);
    leave();
    for (const { closedBy } of exchanges) expect(await closedBy).toBe('client');
  });
});

describe('take()', () => {
  it.each<[name: string, operate: (events: Observable<ModelEvent>) => Observable<unknown>]>([
    ['alone', (events) => events],
    ['behind pacedMap', (events) => events.pipe(pacedMap(pass))],
    ['behind two pacedMap', (events) => events.pipe(pacedMap(pass, 8), pacedMap(pass))],
  ])('starts no further read, %s', async (_name, operate) => {
    const stream = watchedStream('/long');
    expect(await consumed(operate(stream.events).pipe(take(2))).ended).toBeUndefined();
    const exchange = await exchangeOn('/long');
    expect(await exchange.closedBy).toBe('client');
    expect(stream.reads).toBe(1);
  });
});

describe('fromModel() with fetch', () => {
  it('is held back too where the service writes large pieces', async () => {
    const events = fromModel(provider, { url: `${service.url}/long` });
    const { leave } = consumed(events.pipe(pacedMap(() => NEVER)));
    const exchange = await exchangeOn('/long');
    expect(await heldBack(service, exchange)).toBeLessThan(HELD_BYTES);
    leave();
    expect(await exchange.closedBy).toBe('client');
  });
});
