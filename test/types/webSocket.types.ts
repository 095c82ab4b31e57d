import type { Observable } from 'rxjs';
import {
  accumulateBlocks,
  fromWebSocketMessages,
  normalize,
  openaiResponses,
  type JsonFrame,
  type ModelEvent,
  type OpenAIResponsesTurn,
  type OpenWebSocket,
  type Snapshot,
  type StrayFrame,
  type WebSocketLike,
} from 'rx-model-stream';
import type { WebSocket as UndiciWebSocket } from 'undici-types';
import type { WebSocket as WsWebSocket } from 'ws';
import { expectType } from './expectType';

interface Message {
  readonly type: string;
}

// Every standard WebSocket is accepted as it is, now or later.
declare const ofBrowser: WebSocket;
declare const ofNode: UndiciWebSocket;
declare const ofWs: WsWebSocket;
ofBrowser satisfies WebSocketLike;
ofNode satisfies WebSocketLike;
ofWs satisfies WebSocketLike;
(() => ofBrowser) satisfies OpenWebSocket;
(() => ofNode) satisfies OpenWebSocket;
(() => ofWs) satisfies OpenWebSocket;
(async (signal: AbortSignal) => (await fetch('https://example.org', { signal }), ofWs)) satisfies OpenWebSocket;

// What the messages are is unknown until the caller says it.
expectType<Observable<JsonFrame | StrayFrame>>()(fromWebSocketMessages(() => ofBrowser));
expectType<Observable<JsonFrame | StrayFrame>>()(fromWebSocketMessages(() => ofNode));
expectType<Observable<JsonFrame | StrayFrame>>()(fromWebSocketMessages(() => Promise.resolve(ofWs)));
expectType<Observable<JsonFrame<Message> | StrayFrame>>()(fromWebSocketMessages<Message>(() => ofWs));

// `normalize` takes them without a cast.
const events = fromWebSocketMessages(() => ofWs, { maxBufferedBytes: 1024 }).pipe(normalize(openaiResponses()));
expectType<Observable<ModelEvent<OpenAIResponsesTurn>>>()(events);
expectType<Observable<Snapshot<OpenAIResponsesTurn>>>()(events.pipe(accumulateBlocks()));

// @ts-expect-error A socket is opened by a function, on each subscription.
fromWebSocketMessages(ofWs);
// @ts-expect-error An address is no socket.
fromWebSocketMessages(() => 'wss://example.org');
// @ts-expect-error A stream of bytes is no socket.
fromWebSocketMessages(() => new Response());
// @ts-expect-error There is no such option.
fromWebSocketMessages(() => ofWs, { maxFrameBytes: 1024 });
