import { getEventListeners } from 'node:events';
import { EMPTY, finalize, firstValueFrom, NEVER, Observable, of, Subject, take, throwError, toArray } from 'rxjs';
import { fromByteStream, ModelStreamError, pacedMap, type ByteSource } from 'rx-model-stream';
import { createByteStream, type ByteStream } from '../../support/byteStream';
import { plainError } from '../../support/outcome';

/** A turn of the event loop: every promise that can go on has gone on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Subscribes and records what is said, in order. */
function listen(source: Observable<Uint8Array>) {
  const said: unknown[] = [];
  const subscription = source.subscribe({
    next: (chunk) => said.push(Buffer.from(chunk).toString()),
    error: (error: unknown) => said.push(error),
    complete: () => said.push('complete'),
  });
  return {
    said,
    leave: () => {
      subscription.unsubscribe();
    },
  };
}

async function textOf(source: Observable<Uint8Array>): Promise<string> {
  return Buffer.concat(await firstValueFrom(source.pipe(toArray()))).toString();
}

/** Listens to a stream that a test writes by hand, and has read its first chunk. */
async function listenToStream(options?: { readonly signal: AbortSignal }) {
  const body = createByteStream();
  let given: AbortSignal | undefined;
  const heard = listen(
    fromByteStream((signal) => {
      given = signal;
      return body.stream;
    }, options),
  );
  await turn();
  body.write('a');
  await turn();
  expect(heard.said).toEqual(['a']);
  return { body, ...heard, given: given! };
}

describe('fromByteStream()', () => {
  it('opens on each subscription, and not before', async () => {
    let opened = 0;
    const source = fromByteStream(() => {
      opened += 1;
      return new Response(`body ${opened}`);
    });
    expect(opened).toBe(0);
    expect([await textOf(source), await textOf(source)]).toEqual(['body 1', 'body 2']);
  });

  it.each<[name: string, open: () => ByteSource | Promise<ByteSource> | Observable<ByteSource>]>([
    ['a stream', () => new Blob(['hello']).stream()],
    ['something with a body', () => new Response('hello')],
    ['a promise', () => Promise.resolve(new Response('hello'))],
    ['an Observable', () => of(new Response('hello'))],
    [
      'an Observable that goes on',
      () =>
        new Observable((subscriber) => {
          subscriber.next(new Response('hello'));
        }),
    ],
    ['an Observable that opens again', () => of(new Response('hello'), new Response('again'))],
    [
      'an async iterable of text',
      async function* () {
        yield 'he';
        yield await Promise.resolve('llo');
      },
    ],
  ])('reads %s', async (_name, open) => {
    expect(await textOf(fromByteStream(open))).toBe('hello');
  });

  it('encodes text chunks that are cut inside a surrogate pair', async () => {
    async function* text(): AsyncGenerator<string> {
      yield 'a\ud83d';
      yield await Promise.resolve('\ude00b');
    }
    expect(await textOf(fromByteStream(text))).toBe('a😀b');
  });

  it('finds an end where there is no body', async () => {
    expect(await textOf(fromByteStream(() => new Response(null)))).toBe('');
  });

  it('reads the next chunk only when nothing is held', async () => {
    const body = createByteStream();
    const done = new Subject<void>();
    fromByteStream(() => body.stream)
      .pipe(pacedMap(() => done.pipe(take(1))))
      .subscribe();
    await turn();
    expect(body.pulls).toBe(1);
    body.write('a');
    await turn();
    expect(body.pulls).toBe(1);
    done.next();
    await turn();
    expect(body.pulls).toBe(2);
  });

  describe('when the body ends', () => {
    it('completes, releases the lock and aborts nothing', async () => {
      const { body, said, given } = await listenToStream();
      body.close();
      await turn();
      expect(said).toEqual(['a', 'complete']);
      expect([body.stream.locked, body.isCancelled, given.aborted]).toEqual([false, false, false]);
    });

    it('leaves the Observable that opened it', async () => {
      let isLeft = false;
      const response = new Subject<Response>();
      const heard = listen(fromByteStream(() => response.pipe(finalize(() => (isLeft = true)))));
      response.next(new Response('a'));
      await turn();
      expect([heard.said, isLeft]).toEqual([['a', 'complete'], true]);
    });
  });

  describe('when something fails', () => {
    const cause = new TypeError('terminated');

    it.each<[name: string, open: () => Promise<ByteSource> | Observable<ByteSource>]>([
      ['a throw', () => { throw cause; }], // prettier-ignore
      ['a promise', () => Promise.reject(cause)],
      ['an Observable', () => throwError(() => cause)],
    ])('reports %s of open as network', async (_name, open) => {
      const { said } = listen(fromByteStream(open));
      await turn();
      const message = 'Cannot open stream: the connection failed';
      expect(said.map(plainError)).toEqual([plainError(new ModelStreamError('network', message, { retryable: true }))]);
      expect(said).toMatchObject([{ cause }]);
    });

    it('reports an open that opens nothing as network', () => {
      expect(listen(fromByteStream(() => EMPTY)).said.map(plainError)).toEqual([
        plainError(new ModelStreamError('network', 'Cannot open stream: nothing was opened')),
      ]);
    });

    it('reports a read as network, after what came before it, and gives everything up', async () => {
      const { body, said, given } = await listenToStream();
      body.fail(cause);
      await turn();
      const message = 'Cannot read the body: the connection failed';
      expect(said.map(plainError)).toEqual([
        'a',
        plainError(new ModelStreamError('network', message, { retryable: true })),
      ]);
      expect(said).toMatchObject(['a', { cause }]);
      expect([body.stream.locked, given.aborted]).toEqual([false, true]);
    });

    it('passes an error of this library unchanged', async () => {
      const error = new ModelStreamError('http', 'Cannot stream: the service answered with status 500');
      const opening = listen(fromByteStream(() => Promise.reject(error)));
      const { body, said } = await listenToStream();
      body.fail(error);
      await turn();
      expect(opening.said[0]).toBe(error);
      expect(said[1]).toBe(error);
    });
  });

  describe('when the consumer leaves', () => {
    it('cancels the reader while a read is pending, and aborts the signal', async () => {
      const { body, said, leave, given } = await listenToStream();
      expect(body.pulls).toBe(2);
      leave();
      expect([body.stream.locked, body.isCancelled, given.aborted]).toEqual([false, true, true]);
      await turn();
      expect(said).toEqual(['a']);
    });

    it('cancels the reader inside an emission, and reads no further', async () => {
      const body = createByteStream();
      const heard = listen(fromByteStream(() => body.stream).pipe(take(1)));
      await turn();
      body.write('a');
      body.write('b');
      await turn();
      expect(heard.said).toEqual(['a', 'complete']);
      expect([body.stream.locked, body.isCancelled, body.pulls]).toEqual([false, true, 1]);
    });

    it('cancels the reader while a chunk is held', async () => {
      const body = createByteStream();
      const heard = listen(fromByteStream(() => body.stream).pipe(pacedMap(() => NEVER)));
      await turn();
      body.write('a');
      await turn();
      heard.leave();
      expect([body.stream.locked, body.isCancelled, body.pulls]).toEqual([false, true, 1]);
    });

    it('aborts the signal before anything was opened', () => {
      let given: AbortSignal | undefined;
      const heard = listen(
        fromByteStream((signal) => {
          given = signal;
          return new Promise<ByteSource>(() => {});
        }),
      );
      expect(given?.aborted).toBe(false);
      heard.leave();
      expect(given?.aborted).toBe(true);
    });

    it('closes what is opened later by an open that ignores the signal', async () => {
      const body = createByteStream();
      let resolve!: (source: ByteSource) => void;
      const heard = listen(fromByteStream(() => new Promise<ByteSource>((open) => (resolve = open))));
      heard.leave();
      resolve(body.stream);
      await turn();
      expect([heard.said, body.isCancelled, body.stream.locked]).toEqual([[], true, false]);
    });

    it('hears no failure of an open that was aborted', async () => {
      const heard = listen(
        fromByteStream(
          (signal) =>
            new Promise<ByteSource>((_open, reject) => {
              signal.addEventListener('abort', () => {
                reject(new DOMException('This operation was aborted', 'AbortError'));
              });
            }),
        ),
      );
      heard.leave();
      await turn();
      expect(heard.said).toEqual([]);
    });

    it('leaves the Observable that opens', () => {
      let isLeft = false;
      const heard = listen(fromByteStream(() => NEVER.pipe(finalize(() => (isLeft = true)))));
      heard.leave();
      expect(isLeft).toBe(true);
    });
  });

  describe('when the signal of the caller is aborted', () => {
    const reason = new Error('changed my mind');
    const aborted = new ModelStreamError('aborted', 'Stream was aborted by its caller', { cause: reason });

    it('fails with aborted and closes the connection', async () => {
      const controller = new AbortController();
      const { body, said, given } = await listenToStream({ signal: controller.signal });
      controller.abort(reason);
      expect(said.map(plainError)).toEqual(['a', plainError(aborted)]);
      expect(said).toMatchObject(['a', { cause: reason, retryable: false }]);
      expect([body.stream.locked, body.isCancelled, given.aborted]).toEqual([false, true, true]);
    });

    it('opens nothing where it was aborted before', () => {
      let opened = 0;
      const open = (): Response => {
        opened += 1;
        return new Response('a');
      };
      const { said } = listen(fromByteStream(open, { signal: AbortSignal.abort(reason) }));
      expect([opened, said.map(plainError)]).toEqual([0, [plainError(aborted)]]);
    });

    it('delivers nothing after the failure, from inside an emission too', async () => {
      const controller = new AbortController();
      const body: ByteStream = createByteStream();
      const said: unknown[] = [];
      fromByteStream(() => body.stream, controller).subscribe({
        next: (chunk) => {
          said.push(Buffer.from(chunk).toString());
          controller.abort(reason);
        },
        error: (error: unknown) => said.push(plainError(error)),
      });
      body.write('a');
      body.write('b');
      await turn();
      expect(said).toEqual(['a', plainError(aborted)]);
    });

    it.each<[how: string, end: (stream: { body: ByteStream; leave: () => void }) => void]>([
      ['completed', ({ body }) => { body.close(); }], // prettier-ignore
      ['failed', ({ body }) => { body.fail('error'); }], // prettier-ignore
      ['been left', ({ leave }) => { leave(); }], // prettier-ignore
    ])('says nothing and listens no more once the stream has %s', async (_how, end) => {
      const controller = new AbortController();
      const stream = await listenToStream(controller);
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
      end(stream);
      await turn();
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
      const before = [...stream.said];
      controller.abort(reason);
      expect(stream.said).toEqual(before);
    });
  });
});
