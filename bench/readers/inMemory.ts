import type { WireStream } from '../streams/wireStream';

/** A `fetch` that answers with the stream, one chunk a read, without a network. */
export function inMemory({ chunks }: WireStream): () => Promise<Response> {
  return () => {
    const unread = chunks.values();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = unread.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
}
