import { once } from 'node:events';
import { types } from 'node:util';
import { NEVER, take, type Observable } from 'rxjs';
import { fromWebSocketMessages, normalize, openaiResponses, pacedMap, type ModelStreamError } from 'rx-model-stream';
import { WebSocket } from 'ws';
import { responsesAnswer } from '../support/answers';
import { createExampleRunner } from '../support/exampleRunner';
import { createGate } from '../support/gate';
import { heardFrom, textIn } from '../support/heard';
import { until } from '../support/until';
import { startWebSocketService, type WebSocketService } from '../support/webSocketService';

jest.setTimeout(30_000);

const MANY = 10_000;
const PIECE_BYTES = 64 * 1024;

const CODES_SENT = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4000, 4999];
const RETRYABLE = [1001, 1006, 1011, 1012, 1013];

const messages = Array.from({ length: MANY }, (_none, number) => JSON.stringify({ number, text: 'x'.repeat(20) }));
const piece = JSON.stringify('x'.repeat(PIECE_BYTES - 2));

/** Node 20 has a WebSocket only where it is asked for one. */
const WITH_WEBSOCKET = 'WebSocket' in globalThis ? [] : ['--experimental-websocket'];

let service: WebSocketService;
/** An address at which nobody answers. */
let deserted: string;

beforeAll(async () => {
  const gone = await startWebSocketService({});
  await gone.close();
  deserted = gone.url;
  service = await startWebSocketService({
    ...Object.fromEntries(
      CODES_SENT.map((code) => [
        `/${code}`,
        (client: WebSocket) => {
          client.send('"last words"');
          client.close(code, 'Because');
        },
      ]),
    ),
    '/without-code': (client) => {
      client.close();
    },
    '/lost': (client) => {
      client.send('"last words"', () => {
        client.terminate();
      });
    },
    '/mixed': (client) => {
      client.send('{"text":"é😀"}');
      client.send(Buffer.from('{"bytes":"é😀"}'));
      client.send('not JSON');
      client.send(Buffer.from('not JSON'));
      client.send('');
      client.send('{"last":true}');
      client.close(1000);
    },
    '/many': (client) => {
      for (const message of messages) client.send(message);
      client.close(1000);
    },
    '/open': (client) => {
      client.send('"a"');
      client.send('"b"');
    },
    '/flood': (client) => {
      const send = (): void => {
        if (client.readyState === WebSocket.OPEN) client.send(piece, send);
      };
      send();
    },
    '/echo': (client) => {
      client.on('message', (data, isBinary) => {
        client.send(data, { binary: isBinary });
      });
    },
    '/answer': (client) => {
      client.on('message', () => {
        const { opening, text, closing } = responsesAnswer;
        for (const event of [...opening, ...text, ...closing]) client.send(JSON.stringify(event));
      });
    },
    '/401': 401,
    '/429': 429,
  });
});

afterAll(() => service.close());

/** What a client heard: the frames, then how it ended. */
interface Conversation {
  readonly frames: readonly unknown[];
  /** Undefined where it completed. */
  readonly failure?: { readonly code: string; readonly providerCode?: string; readonly retryable: boolean };
  readonly cause?: string;
}

/** The paths whose service ends the conversation by itself. */
function urlsToHear(): Record<string, string> {
  const paths = [...CODES_SENT, 'without-code', 'lost', 'mixed', 'many', 401, 429];
  return { ...Object.fromEntries(paths.map((path) => [path, `${service.url}/${path}`])), deserted };
}

type Conversations = Readonly<Record<string, Conversation>>;

async function hearByWs(): Promise<Conversations> {
  const heard: Record<string, Conversation> = {};
  for (const [path, url] of Object.entries(urlsToHear())) {
    const { values, error } = await heardFrom(fromWebSocketMessages(() => new WebSocket(url)));
    heard[path] = { frames: values, ...(error !== undefined && toldBy(error as ModelStreamError)) };
  }
  return heard;
}

function toldBy({ code, providerCode, retryable, cause }: ModelStreamError): Omit<Conversation, 'frames'> {
  const failure = { code, retryable, ...(providerCode !== undefined && { providerCode }) };
  return { failure, ...(types.isNativeError(cause) && { cause: cause.message }) };
}

/** In a thread of its own, which can have options of its own. */
async function hearByPlatform(): Promise<Conversations> {
  const runner = createExampleRunner(WITH_WEBSOCKET);
  try {
    const [printed = ''] = await runner.run(`
      import { lastValueFrom, materialize, toArray } from 'rxjs';
      import { fromWebSocketMessages } from 'rx-model-stream';
      const heard = {};
      for (const [path, url] of Object.entries(${JSON.stringify(urlsToHear())})) {
        const said = await lastValueFrom(fromWebSocketMessages(() => new WebSocket(url)).pipe(materialize(), toArray()));
        const { kind, error } = said.pop();
        heard[path] = { frames: said.map(({ value }) => value) };
        if (kind === 'C') continue;
        const { code, providerCode, retryable, cause } = error;
        Object.assign(heard[path], { failure: { code, providerCode, retryable }, cause: cause?.message });
      }
      console.log(JSON.stringify(heard));`);
    return JSON.parse(printed) as Conversations;
  } finally {
    runner.remove();
  }
}

describe.each<[client: string, hear: () => Promise<Conversations>]>([
  ['ws', hearByWs],
  ['the WebSocket of Node', hearByPlatform],
])('fromWebSocketMessages() with %s', (_client, hear) => {
  let heard: Conversations;

  beforeAll(async () => {
    heard = await hear();
  });

  it('gives a frame for each message, text or binary, JSON or not', () => {
    expect(heard['mixed']).toEqual({
      frames: [
        { type: 'json', value: { text: 'é😀' } },
        { type: 'json', value: { bytes: 'é😀' } },
        { type: 'stray', text: 'not JSON' },
        { type: 'stray', text: 'not JSON' },
        { type: 'stray', text: '' },
        { type: 'json', value: { last: true } },
      ],
    });
  });

  it('loses none of ten thousand messages that come at once', () => {
    const frames = messages.map((message) => ({ type: 'json', value: JSON.parse(message) as unknown }));
    expect(heard['many']).toEqual({ frames });
  });

  const lastWords = { type: 'json', value: 'last words' };

  it.each(CODES_SENT.filter((code) => code !== 1000))('fails when the service closes with %d', (code) => {
    expect(heard[code]).toEqual({
      frames: [lastWords],
      failure: { code: 'network', providerCode: String(code), retryable: RETRYABLE.includes(code) },
    });
  });

  it('completes when the service closes with 1000, and without a code', () => {
    expect(heard[1000]).toEqual({ frames: [lastWords] });
    expect(heard['without-code']).toEqual({ frames: [] });
  });

  const lost = { code: 'network', providerCode: '1006', retryable: true };

  it('fails when the connection is lost', () => {
    expect(heard['lost']).toMatchObject({ frames: [lastWords], failure: lost });
  });

  it.each(['401', '429', 'deserted'])('fails once, with a cause, when nothing is opened: %s', (path) => {
    expect(heard[path]).toEqual({ frames: [], failure: lost, cause: expect.any(String) as string });
  });
});

describe('the reason of a close', () => {
  it('is part of the message', async () => {
    const { error } = await heardFrom(fromWebSocketMessages(() => openSocket('/1011')));
    expect(error).toMatchObject({ message: 'Connection was closed with code 1011: Because' });
  });
});

describe('the cause of a failure', () => {
  it.each(['401', '429'])('tells the status with which ws was refused: %s', async (status) => {
    const { error } = await heardFrom(fromWebSocketMessages(() => openSocket(`/${status}`)));
    expect(error).toMatchObject({ cause: { message: `Unexpected server response: ${status}` } });
  });
});

describe('the socket', () => {
  it('is the caller’s: he sends on it when he likes, and ends the stream when he closes it', async () => {
    let socket!: WebSocket;
    const echoes = fromWebSocketMessages(() => {
      socket = openSocket('/echo');
      socket.addEventListener('open', () => {
        socket.send('1');
      });
      return socket;
    });
    const said: unknown[] = [];
    await echoes.forEach((frame) => {
      said.push(frame);
      if (said.length < 3) socket.send(Buffer.from(String(said.length + 1)));
      else socket.close();
    });
    expect(said).toEqual([1, 2, 3].map((value) => ({ type: 'json', value })));
  });

  /** Asks as soon as it is open. */
  function asking(socket: WebSocket): WebSocket {
    socket.addEventListener('open', () => {
      socket.send('{"type":"response.create"}');
    });
    return socket;
  }

  it('carries a question, and its answer is read as any stream of its provider', async () => {
    const frames = fromWebSocketMessages(() => asking(openSocket('/answer')));
    const { values, error } = await heardFrom(frames.pipe(normalize(openaiResponses(), { lingerMs: 0 })));
    expect([textIn(values), values.at(-1)?.type, error]).toEqual(['Hello', 'finish', undefined]);
    expect(await service.closeOn('/answer')).toBe(1005);
  });

  it('carries a session of several questions, each after the answer to the one before', async () => {
    let socket!: WebSocket;
    const frames = fromWebSocketMessages(() => (socket = asking(openSocket('/answer'))));
    const types: string[] = [];
    await frames.pipe(normalize(openaiResponses({ session: true }))).forEach(({ type }) => {
      types.push(type);
      if (type !== 'finish') return;
      if (types.filter((name) => name === 'finish').length < 3) socket.send('{"type":"response.create"}');
      else socket.close();
    });
    expect(types.filter((type) => type === 'response-start' || type === 'finish')).toEqual(
      [1, 2, 3].flatMap(() => ['response-start', 'finish']),
    );
  });

  it.each(['1000', '1011', 'lost', '401'])('has no listener left once the stream has ended: %s', async (path) => {
    const socket = openSocket(`/${path}`);
    await heardFrom(fromWebSocketMessages(() => socket));
    await closed(socket);
    expect(listenersOn(socket)).toBe(0);
  });
});

describe('a consumer that leaves', () => {
  it.each<[when: string, operate: (frames: Observable<unknown>) => Observable<unknown>]>([
    ['inside-an-emission', (frames) => frames.pipe(take(1))],
    ['behind-pacedMap', (frames) => frames.pipe(pacedMap((frame) => Promise.resolve(frame)), take(1))], // prettier-ignore
  ])('closes the socket and leaves no listener on it: %s', async (when, operate) => {
    const socket = openSocket(`/open?${when}`);
    const { values, error } = await heardFrom(operate(fromWebSocketMessages(() => socket)));
    expect([values, error]).toEqual([[{ type: 'json', value: 'a' }], undefined]);
    expect(await service.closeOn(`/open?${when}`)).toBe(1005);
    await closed(socket);
    expect(listenersOn(socket)).toBe(0);
  });

  it('closes the socket while a message is held', async () => {
    const socket = openSocket('/open?held');
    const arrived = once(socket, 'message');
    const subscription = fromWebSocketMessages(() => socket)
      .pipe(pacedMap(() => NEVER))
      .subscribe();
    await arrived;
    subscription.unsubscribe();
    expect(await service.closeOn('/open?held')).toBe(1005);
    await closed(socket);
    expect(listenersOn(socket)).toBe(0);
  });

  it('gives up a socket that still connects, and hears nothing of it', async () => {
    const socket = openSocket('/open?connecting');
    const said: unknown[] = [];
    const subscription = fromWebSocketMessages(() => socket).subscribe({ error: (error: unknown) => said.push(error) });
    subscription.unsubscribe();
    await closed(socket);
    expect([said, listenersOn(socket)]).toEqual([[], 0]);
  });

  it('gives up a socket that is promised only after it has left', async () => {
    const gate = createGate();
    let socket: WebSocket | undefined;
    const subscription = fromWebSocketMessages(async () => {
      await gate.pass();
      socket = openSocket('/open?late');
      return socket;
    }).subscribe();
    subscription.unsubscribe();
    gate.open();
    await until(() => socket !== undefined);
    await closed(socket!);
    expect(listenersOn(socket!)).toBe(0);
  });

  it('closes the WebSocket of Node too, and lets its program end', async () => {
    const runner = createExampleRunner(WITH_WEBSOCKET);
    try {
      const printed = await runner.run(`
        import { take } from 'rxjs';
        import { fromWebSocketMessages } from 'rx-model-stream';
        const framesOf = (query) => fromWebSocketMessages(() => new WebSocket('${service.url}/open?' + query));
        framesOf('given-up').subscribe().unsubscribe();
        framesOf('left').pipe(take(1)).subscribe({ next: ({ value }) => console.log(value), complete: () => console.log('left') });`);
      expect(printed).toEqual(['a', 'left']);
    } finally {
      runner.remove();
    }
    expect(await service.closeOn('/open?left')).toBe(1005);
  });
});

describe('a consumer that is slower than the service', () => {
  it('loses no message, and gets the end behind the last', async () => {
    const slow = fromWebSocketMessages(() => openSocket('/many')).pipe(
      pacedMap(async (frame) => {
        await Promise.resolve();
        return frame;
      }),
    );
    const { values, error } = await heardFrom(slow);
    expect(values).toEqual(messages.map((message) => ({ type: 'json', value: JSON.parse(message) as unknown })));
    expect(error).toBeUndefined();
  });

  it('fails with too-large when too much waits, behind what waits: the socket is closed long before', async () => {
    const gate = createGate();
    const slow = fromWebSocketMessages(() => openSocket('/flood'), { maxBufferedBytes: 16 * PIECE_BYTES }).pipe(
      pacedMap(async () => {
        await gate.pass();
        return 'done';
      }),
    );
    const heard = heardFrom(slow);
    expect(await service.closeOn('/flood')).toBe(1005);
    gate.open();
    const { values, error } = await heard;
    expect(values).toHaveLength(1 + 16);
    expect(error).toMatchObject({ code: 'too-large', retryable: false });
  });
});

function openSocket(address: string): WebSocket {
  return new WebSocket(service.url + address);
}

function listenersOn(socket: WebSocket): number {
  const types = ['open', 'message', 'error', 'close'] as const;
  return types.reduce((count, type) => count + socket.listenerCount(type), 0);
}

async function closed(socket: WebSocket): Promise<void> {
  await until(() => socket.readyState === WebSocket.CLOSED);
}
