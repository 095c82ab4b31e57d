import { getEventListeners } from 'node:events';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { Observable } from 'rxjs';
import { map, NEVER, of, share, Subject, take, timer } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import {
  fromWebSocketMessages,
  ModelStreamError,
  normalize,
  pacedMap,
  type OpenWebSocket,
  type WebSocketLike,
  type WebSocketOptions,
} from 'rx-model-stream';
import { FakeSocket } from '../../support/fakeSocket';
import { marbles } from '../../support/marbles';
import { plainError } from '../../support/outcome';
import { tiny } from '../../support/tinyProvider';

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

/** A turn of the event loop: every promise that can go on has gone on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Subscribes and records what is said, in order. */
function listen(source: Observable<unknown>) {
  const said: unknown[] = [];
  const subscription = source.subscribe({
    next: (value) => said.push(value),
    error: (error: unknown) => said.push(plainError(error)),
    complete: () => said.push('complete'),
  });
  return {
    said,
    leave: () => {
      subscription.unsubscribe();
    },
  };
}

/** What the frames carry: the value, or the text that is not JSON. */
function valuesFrom(open: OpenWebSocket, options?: WebSocketOptions): Observable<unknown> {
  return fromWebSocketMessages(open, options).pipe(map((frame) => (frame.type === 'json' ? frame.value : frame.text)));
}

/** Listens to a socket, and knows the signal that was given to `open`. */
function listenTo(socket: WebSocketLike, options?: WebSocketOptions) {
  let given: AbortSignal | undefined;
  const open: OpenWebSocket = (signal) => {
    given = signal;
    return socket;
  };
  return { ...listen(valuesFrom(open, options)), given: given! };
}

/** Listens to a socket with a consumer that holds each message until it is told to go on; then the message is said. */
function listenSlowly(socket: WebSocketLike, options?: WebSocketOptions) {
  const done = new Subject<void>();
  const work = (value: unknown) =>
    done.pipe(
      take(1),
      map(() => value),
    );
  return {
    ...listen(valuesFrom(() => socket, options).pipe(pacedMap(work))),
    goOn: (times = 1) => {
      for (let count = 0; count < times; count += 1) done.next();
    },
  };
}

interface Closing {
  readonly reason?: string;
  readonly retryable?: boolean;
}

function closedWith(code: number, { reason = '', retryable = false }: Closing = {}): unknown {
  const message = `Connection was closed with code ${code}${reason === '' ? '' : `: ${reason}`}`;
  return plainError(new ModelStreamError('network', message, { providerCode: String(code), retryable }));
}

const notOpened = plainError(
  new ModelStreamError('network', 'Cannot open stream: the connection failed', { retryable: true }),
);
const malformed = plainError(
  new ModelStreamError('malformed', 'Cannot read message: it is neither text nor an ArrayBuffer'),
);

function tooLarge(maxBufferedBytes: number): unknown {
  return plainError(new ModelStreamError('too-large', `Cannot buffer messages: they exceed ${maxBufferedBytes} bytes`));
}

describe('fromWebSocketMessages()', () => {
  it('opens on each subscription, and not before', () => {
    const sockets: FakeSocket[] = [];
    const source = valuesFrom(() => {
      const socket = new FakeSocket(CONNECTING);
      sockets.push(socket);
      return socket;
    });
    expect(sockets).toHaveLength(0);
    const [first, second] = [listen(source), listen(source)];
    expect(sockets).toHaveLength(2);
    sockets[0]!.message('"a"');
    sockets[1]!.message('"b"');
    expect([first.said, second.said]).toEqual([['a'], ['b']]);
  });

  it('opens by a promise', async () => {
    const socket = new FakeSocket();
    const { said } = listen(valuesFrom(() => Promise.resolve(socket)));
    await turn();
    socket.message('"a"');
    expect(said).toEqual(['a']);
  });

  it('asks for bytes as an ArrayBuffer', () => {
    const socket = new FakeSocket();
    listenTo(socket);
    expect(socket.binaryType).toBe('arraybuffer');
  });

  it.each([0, -1, NaN])('refuses a bound of %d when it is called', (maxBufferedBytes) => {
    expect(() => fromWebSocketMessages(() => new FakeSocket(), { maxBufferedBytes })).toThrow(RangeError);
  });

  describe('a message', () => {
    function framesOf(messages: readonly unknown[]): unknown[] {
      const socket = new FakeSocket();
      const { said } = listen(fromWebSocketMessages(() => socket));
      for (const message of messages) socket.message(message);
      socket.closed(1000);
      expect(said.pop()).toBe('complete');
      return said;
    }

    const bytes = Buffer.from('{"a":["é😀"]}');

    it.each<[kind: string, message: unknown]>([
      ['text', bytes.toString()],
      ['an ArrayBuffer', new Uint8Array(bytes).buffer],
      ['a view', bytes],
      ['an ArrayBuffer of another realm', runInNewContext('new Uint8Array(bytes).buffer', { bytes: [...bytes] })],
    ])('is JSON, as %s', (_kind, message) => {
      expect(framesOf([message])).toEqual([{ type: 'json', value: { a: ['é😀'] } }]);
    });

    it.each(['', ' ', 'hello', '[DONE]', '{"cut":', '{} {}', '\ufeff{}'])(
      'that is not JSON is stray, and the stream goes on: %j',
      (text) => {
        expect(framesOf(['1', text, Buffer.from(text), '2'])).toEqual([
          { type: 'json', value: 1 },
          { type: 'stray', text },
          { type: 'stray', text },
          { type: 'json', value: 2 },
        ]);
      },
    );

    it('of bytes that are no UTF-8 is stray', () => {
      expect(framesOf([Uint8Array.of(0xff, 0x7b)])).toEqual([{ type: 'stray', text: '\ufffd{' }]);
    });

    it('is one frame, the same as text and as bytes', () => {
      const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
      fc.assert(
        fc.property(fc.array(text), (texts) => {
          const frames = framesOf(texts);
          expect(frames).toHaveLength(texts.length);
          expect(framesOf(texts.map((message) => Buffer.from(message)))).toEqual(frames);
        }),
      );
    });

    it('that is stray comes out of normalize() as raw', () => {
      const socket = new FakeSocket();
      const { said } = listen(fromWebSocketMessages(() => socket).pipe(normalize(tiny())));
      for (const message of ['{"start":"r1"}', 'hello', '{"say":"Hi"}']) socket.message(message);
      expect(said).toMatchObject([
        { type: 'response-start', responseId: 'r1' },
        { type: 'raw', event: 'hello' },
        { type: 'block-start' },
        { type: 'text-delta', text: 'Hi' },
      ]);
    });

    it.each<[kind: string, message: unknown]>([
      ['a Blob', new Blob(['{}'])],
      ['a list of buffers', [Buffer.from('{}')]],
      ['nothing', undefined],
    ])('that is %s is malformed: what came before is delivered, the socket closed at once', (_kind, message) => {
      const socket = new FakeSocket();
      const { said, goOn } = listenSlowly(socket);
      for (const data of ['1', '2', message, '3']) socket.message(data);
      expect([said, socket.closeCalls]).toEqual([[], 1]);
      goOn(2);
      expect(said).toEqual([1, 2, malformed]);
    });
  });

  describe('where the consumer is slower than the socket', () => {
    /** A socket that says the letters of a marble, until `x`: then it has been closed. */
    function scripted({ cold }: RunHelpers, marble: string, code = 1000): OpenWebSocket {
      return () => {
        const socket = new FakeSocket();
        cold(marble).subscribe((letter) => {
          if (letter === 'x') socket.closed(code);
          else socket.message(JSON.stringify(letter));
        });
        return socket;
      };
    }

    /** 4 frames of work on a value. */
    const work = (value: unknown): Observable<unknown> => timer(4).pipe(map(() => value));

    it(
      'delivers the next message when nothing is held, and then the end',
      marbles((helpers) => {
        const socket = ' --a-b-----c-x----';
        const frames = ' --a---b---c---|  ';
        const results = '------a---b---(c|)';
        const source = valuesFrom(scripted(helpers, socket)).pipe(share());
        helpers.expectObservable(source).toBe(frames);
        helpers.expectObservable(source.pipe(pacedMap(work))).toBe(results);
      }),
    );

    it(
      'delivers what waits before the failure',
      marbles((helpers) => {
        const socket = ' --(abx)----------';
        const frames = ' --a---b---#      ';
        const results = '------a---(b#)   ';
        const error = new ModelStreamError('network', 'Connection was closed with code 1011', {
          providerCode: '1011',
          retryable: true,
        });
        const source = valuesFrom(scripted(helpers, socket, 1011)).pipe(share());
        helpers.expectObservable(source).toBe(frames, undefined, error);
        helpers.expectObservable(source.pipe(pacedMap(work))).toBe(results, undefined, error);
      }),
    );

    it(
      'delivers each message inside its own event where nothing is held',
      marbles((helpers) => {
        const socket = '-a-(bcd)-ex';
        const frames = '-a-(bcd)-e|';
        helpers.expectObservable(valuesFrom(scripted(helpers, socket))).toBe(frames);
      }),
    );

    it('keeps the order of messages that come while one is being delivered', () => {
      const socket = new FakeSocket();
      const said: unknown[] = [];
      valuesFrom(() => socket).subscribe((value) => {
        said.push(value);
        if (value === 1) for (const message of ['2', '3']) socket.message(message);
        said.push(`done with ${String(value)}`);
      });
      socket.message('1');
      expect(said).toEqual([1, 'done with 1', 2, 'done with 2', 3, 'done with 3']);
    });

    it('delivers a hundred thousand that wait, in order and without recursion', () => {
      const socket = new FakeSocket();
      const first = new Subject<number>();
      const { said } = listen(valuesFrom(() => socket).pipe(pacedMap((value) => (value === 0 ? first : of(value)))));
      const numbers = Array.from({ length: 100_000 }, (_none, number) => number);
      for (const number of numbers) socket.message(String(number));
      socket.closed(1000);
      expect(said).toEqual([]);
      first.complete();
      expect(said).toEqual([...numbers.slice(1), 'complete']);
    });

    describe('and the messages that wait exceed the bound', () => {
      it('fails with too-large after they are delivered, and has closed the socket at once', () => {
        const socket = new FakeSocket();
        const { said, goOn } = listenSlowly(socket, { maxBufferedBytes: 6 });
        for (const message of ['"a"', '"b"', '"c"']) socket.message(message);
        expect([socket.closeCalls, said]).toEqual([0, []]);
        socket.message('4');
        expect([socket.closeCalls, said]).toEqual([1, []]);
        socket.message('5');
        goOn(3);
        expect(said).toEqual(['a', 'b', 'c', tooLarge(6)]);
      });

      it('counts only those that wait', () => {
        const socket = new FakeSocket();
        const { said, goOn } = listenSlowly(socket, { maxBufferedBytes: 6 });
        socket.message('0');
        for (let count = 1; count <= 100; count += 1) {
          socket.message('"ab"');
          goOn();
        }
        expect([said.length, socket.closeCalls]).toEqual([100, 0]);
      });

      it.each<[kind: string, fitting: unknown, larger: unknown]>([
        ['characters of text', '"éé"', '"ééé"'],
        ['bytes of binary messages', Buffer.from('"é"'), Buffer.from('"éé"')],
      ])('counts %s, of a single one too', (_kind, fitting, larger) => {
        const socket = new FakeSocket();
        const { said } = listenTo(socket, { maxBufferedBytes: 4 });
        socket.message(fitting);
        socket.message(fitting);
        expect([said.length, socket.closeCalls]).toEqual([2, 0]);
        socket.message(larger);
        expect([said.length, said[2], socket.closeCalls]).toEqual([3, tooLarge(4), 1]);
      });

      it.each<[kind: string, message: unknown]>([
        ['text', ''],
        ['bytes', new ArrayBuffer(0)],
      ])('counts empty messages too, as %s', (_kind, message) => {
        const socket = new FakeSocket();
        const { said, goOn } = listenSlowly(socket, { maxBufferedBytes: 2 });
        for (let count = 0; count < 4; count += 1) socket.message(message);
        goOn(3);
        expect(said).toEqual(['', '', '', tooLarge(2)]);
      });
    });
  });

  describe('when the socket is closed', () => {
    const FAILURES: readonly (readonly [code: number, retryable: boolean])[] = [
      [1001, true],
      [1002, false],
      [1003, false],
      [1006, true],
      [1007, false],
      [1008, false],
      [1009, false],
      [1010, false],
      [1011, true],
      [1012, true],
      [1013, true],
      [1014, false],
      [1015, true],
      [3000, false],
      [3999, false],
      [4000, false],
      [4999, false],
    ];

    describe.each([true, false])('wasClean being %s', (wasClean) => {
      it.each([1000, 1005])('completes with code %d, and aborts nothing', (code) => {
        const socket = new FakeSocket();
        const { said, given } = listenTo(socket);
        socket.message('1');
        socket.closed(code, 'Bye', wasClean);
        expect(said).toEqual([1, 'complete']);
        expect([given.aborted, socket.closeCalls, socket.listenerCount]).toEqual([false, 0, 0]);
      });

      it.each(FAILURES)('fails with code %d, retryable %s', (code, retryable) => {
        const socket = new FakeSocket();
        const { said, given } = listenTo(socket);
        socket.message('1');
        socket.closed(code, 'Deadline expired', wasClean);
        expect(said).toEqual([1, closedWith(code, { reason: 'Deadline expired', retryable })]);
        expect([given.aborted, socket.closeCalls, socket.listenerCount]).toEqual([true, 0, 0]);
      });
    });

    it('says no more of the reason than can be on the wire', () => {
      const socket = new FakeSocket();
      const { said } = listenTo(socket);
      socket.closed(1008, 'x'.repeat(10_000));
      expect(said).toEqual([closedWith(1008, { reason: 'x'.repeat(123) })]);
    });

    it('takes one that tells no code for a lost connection', () => {
      const socket = new FakeSocket();
      const { said } = listenTo(socket);
      socket.readyState = CLOSED;
      socket.dispatchEvent(new Event('close'));
      expect(said).toEqual([closedWith(1006, { retryable: true })]);
    });

    it.each([
      ['CLOSING', CLOSING, 1],
      ['CLOSED', CLOSED, 0],
    ])('fails at once where it is handed over %s', (_name, state, closeCalls) => {
      const socket = new FakeSocket(state);
      const { said, given } = listenTo(socket);
      const message = 'Cannot open stream: the socket was closed before it was handed over';
      expect(said).toEqual([plainError(new ModelStreamError('network', message, { retryable: true }))]);
      expect([given.aborted, socket.closeCalls]).toEqual([true, closeCalls]);
      socket.closed(1000);
      expect([said.length, socket.listenerCount]).toEqual([1, 0]);
    });

    it('says nothing of what it says later', () => {
      const socket = new FakeSocket();
      const { said } = listenTo(socket);
      socket.closed(1000);
      socket.message('1');
      socket.failed(new Error('late'));
      socket.closed(1011);
      expect(said).toEqual(['complete']);
    });
  });

  describe('when the socket reports an error', () => {
    const cause = new Error('connect ECONNREFUSED');

    /** What is said with the causes of errors, which are no part of them as data. */
    function withCauses(socket: FakeSocket, happen: () => void): unknown[] {
      const heard: unknown[] = [];
      valuesFrom(() => socket).subscribe({
        error: (error: unknown) => heard.push(plainError(error), (error as ModelStreamError).cause),
        complete: () => heard.push('complete'),
      });
      happen();
      return heard;
    }

    const lost = closedWith(1006, { retryable: true });

    it('waits for the close, which the standard promises in the same task', () => {
      const socket = new FakeSocket(CONNECTING);
      const heard = withCauses(socket, () => {
        socket.readyState = CLOSED;
        socket.failed();
        socket.closed(1006);
      });
      expect(heard).toEqual([lost, undefined]);
    });

    it.each([OPEN, CLOSING])('waits for the close in state %d, and has the error as cause', async (state) => {
      const socket = new FakeSocket();
      const heard = withCauses(socket, () => {
        socket.readyState = state;
        socket.failed(cause);
      });
      await turn();
      expect(heard).toEqual([]);
      socket.closed(1009, 'Too big');
      expect(heard).toEqual([closedWith(1009, { reason: 'Too big' }), cause]);
    });

    it('waits for no close where it is still connecting: undici 6 forgets it', () => {
      const socket = new FakeSocket(CONNECTING);
      const heard = withCauses(socket, () => {
        socket.failed(cause);
      });
      expect(heard).toEqual([lost, cause]);
      socket.failed(cause);
      socket.closed(1006);
      expect([heard.length, socket.listenerCount]).toEqual([2, 0]);
    });

    it('goes by the code of the close all the same', () => {
      const socket = new FakeSocket();
      const heard = withCauses(socket, () => {
        socket.failed(cause);
        socket.closed(1000);
      });
      expect(heard).toEqual(['complete']);
    });
  });

  describe('when open fails', () => {
    const cause = new TypeError('no address');

    it.each<[name: string, open: OpenWebSocket]>([
      ['a throw', () => { throw cause; }], // prettier-ignore
      ['a promise', () => Promise.reject(cause)],
    ])('reports %s as network', async (_name, open) => {
      const errors: unknown[] = [];
      fromWebSocketMessages(open).subscribe({ error: (error: unknown) => errors.push(error) });
      await turn();
      expect(errors.map(plainError)).toEqual([notOpened]);
      expect(errors).toMatchObject([{ cause }]);
    });

    it('passes an error of this library unchanged', async () => {
      const error = new ModelStreamError('http', 'Cannot open session: the service answered with status 401');
      const errors: unknown[] = [];
      fromWebSocketMessages(() => Promise.reject(error)).subscribe({ error: (failure) => errors.push(failure) });
      await turn();
      expect(errors).toHaveLength(1);
      expect(errors[0]).toBe(error);
    });
  });

  describe('when the consumer leaves', () => {
    it.each([
      ['CONNECTING', CONNECTING],
      ['OPEN', OPEN],
    ])(
      'closes a socket that is %s, aborts the signal, and listens to it no longer once it is closed',
      (_name, state) => {
        const socket = new FakeSocket(state);
        const { said, leave, given } = listenTo(socket);
        expect([given.aborted, socket.closeCalls]).toEqual([false, 0]);
        leave();
        expect([given.aborted, socket.closeCalls]).toEqual([true, 1]);
        socket.message('1');
        socket.failed(new Error('WebSocket was closed before the connection was established'));
        socket.closed(1006);
        expect([said, socket.listenerCount]).toEqual([[], 0]);
      },
    );

    it('listens to errors until the socket is closed: a reported one that nobody hears ends a Node program', () => {
      const socket = new FakeSocket(CONNECTING);
      listenTo(socket).leave();
      expect(['message', 'error', 'close'].map((type) => getEventListeners(socket, type).length)).toEqual([0, 1, 1]);
    });

    it('closes the socket inside an emission, and delivers nothing more', () => {
      const socket = new FakeSocket();
      const { said } = listen(valuesFrom(() => socket).pipe(take(1)));
      socket.message('1');
      expect(socket.closeCalls).toBe(1);
      socket.message('2');
      expect(said).toEqual([1, 'complete']);
    });

    it('closes the socket while a message is held and others wait', () => {
      const socket = new FakeSocket();
      const { said, leave, goOn } = listenSlowly(socket);
      for (const message of ['1', '2']) socket.message(message);
      leave();
      goOn();
      expect([said, socket.closeCalls]).toEqual([[], 1]);
    });

    it('delivers nothing of what waits', () => {
      const socket = new FakeSocket();
      const said: unknown[] = [];
      const subscription = valuesFrom(() => socket).subscribe((value) => {
        said.push(value);
        if (value === 1) for (const message of ['2', '3']) socket.message(message);
        else subscription.unsubscribe();
      });
      socket.message('1');
      expect(said).toEqual([1, 2]);
    });

    it('closes a socket that a promise brings only later, and hears nothing of it', async () => {
      const socket = new FakeSocket(CONNECTING);
      let resolve!: (socket: WebSocketLike) => void;
      const { said, leave } = listen(valuesFrom(() => new Promise<WebSocketLike>((open) => (resolve = open))));
      leave();
      resolve(socket);
      await turn();
      expect(socket.closeCalls).toBe(1);
      socket.failed(new Error('given up'));
      socket.closed(1006);
      expect([said, socket.listenerCount]).toEqual([[], 0]);
    });

    it('aborts the signal before anything was opened, and hears no failure of it', async () => {
      const open: OpenWebSocket = (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new DOMException('This operation was aborted', 'AbortError'));
          });
        });
      const { said, leave } = listen(valuesFrom(open));
      leave();
      await turn();
      expect(said).toEqual([]);
    });
  });

  describe('when the signal of the caller is aborted', () => {
    const reason = new Error('changed my mind');
    const aborted = plainError(new ModelStreamError('aborted', 'Stream was aborted by its caller'));

    it('fails with aborted at once, whatever waits, and closes the socket', () => {
      const controller = new AbortController();
      const socket = new FakeSocket();
      const errors: unknown[] = [];
      const frames = valuesFrom(() => socket, controller);
      frames.pipe(pacedMap(() => NEVER)).subscribe();
      const { said, given } = listenTo(socket, controller);
      frames.subscribe({ error: (error: unknown) => errors.push(error) });
      for (const message of ['1', '2']) socket.message(message);
      controller.abort(reason);
      expect(said).toEqual([1, 2, aborted]);
      expect(errors).toMatchObject([{ cause: reason, retryable: false }]);
      expect([given.aborted, socket.closeCalls]).toEqual([true, 3]);
    });

    it('opens nothing where it was aborted before', () => {
      let opened = 0;
      const open = (): FakeSocket => {
        opened += 1;
        return new FakeSocket();
      };
      const { said } = listen(valuesFrom(open, { signal: AbortSignal.abort(reason) }));
      expect([opened, said]).toEqual([0, [aborted]]);
    });

    it.each<[how: string, end: (socket: FakeSocket, leave: () => void) => void]>([
      ['completed', (socket) => { socket.closed(1000); }], // prettier-ignore
      ['failed', (socket) => { socket.closed(1011); }], // prettier-ignore
      ['been left', (_socket, leave) => { leave(); }], // prettier-ignore
    ])('says nothing and listens no more once the stream has %s', (_how, end) => {
      const { signal } = new AbortController();
      const socket = new FakeSocket();
      const { leave } = listenTo(socket, { signal });
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      end(socket, leave);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });
  });
});
