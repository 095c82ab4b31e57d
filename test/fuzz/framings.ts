import { from, Observable, type OperatorFunction } from 'rxjs';
import {
  fromWebSocketMessages,
  parseAwsEventStream,
  parseJsonArray,
  parseNdjson,
  parseSSE,
  type Frame,
} from 'rx-model-stream';
import { concatBytes, frameBytes, textHeader } from '../support/awsEventStream';
import { FakeSocket } from '../support/fakeSocket';
import type { WireRecord } from './records';

export type FramingName = 'sse' | 'json-array' | 'ndjson' | 'aws' | 'websocket';

/** A way in which payloads come. */
export interface Framing {
  /** The payloads as bytes: one piece, or a piece for each message. */
  encode(records: readonly WireRecord[]): Uint8Array<ArrayBuffer>[];
  /** The frames of these bytes; what it is to read is there at once. */
  read(pieces: readonly Uint8Array<ArrayBuffer>[], maxFrameBytes: number): Observable<Frame>;
}

type Parse = (options: { maxFrameBytes: number }) => OperatorFunction<Uint8Array, Frame>;

export const FRAMINGS: Readonly<Record<FramingName, Framing>> = {
  sse: bodyFraming(parseSSE, (records) => utf8(records.map(eventOf).join(''))),
  'json-array': bodyFraming(parseJsonArray, (records) => utf8(`[${records.map(({ text }) => text).join(',\n')}]`)),
  ndjson: bodyFraming(parseNdjson, (records) => utf8(records.map(({ text }) => `${text}\n`).join(''))),
  aws: bodyFraming(parseAwsEventStream, (records) => concatBytes(records.map(messageOf))),
  websocket: { encode: (records) => records.map(({ text }) => utf8(text)), read: readMessages },
};

export const FRAMING_NAMES: readonly FramingName[] = ['sse', 'json-array', 'ndjson', 'aws', 'websocket'];

function bodyFraming(parse: Parse, encode: (records: readonly WireRecord[]) => Uint8Array<ArrayBuffer>): Framing {
  return {
    encode: (records) => [encode(records)],
    read: (pieces, maxFrameBytes) => from(pieces).pipe(parse({ maxFrameBytes })),
  };
}

function eventOf({ name, text }: WireRecord): string {
  const data = text.split('\n').map((line) => `data: ${line}\n`);
  return `${name === undefined ? '' : `event: ${name}\n`}${data.join('')}\n`;
}

/** In a `chunk` Amazon Bedrock has what the model wrote as base64. */
function messageOf({ name, text }: WireRecord): Uint8Array<ArrayBuffer> {
  const payload = name === 'chunk' ? JSON.stringify({ bytes: Buffer.from(text).toString('base64') }) : text;
  const headers = name === undefined ? [] : [textHeader(':event-type', name)];
  return frameBytes(concatBytes([textHeader(':message-type', 'event'), ...headers]), utf8(payload));
}

/** A socket that says all of this and is closed in order. Every other message comes as bytes. */
function readMessages(pieces: readonly Uint8Array<ArrayBuffer>[], maxBufferedBytes: number): Observable<Frame> {
  return new Observable((subscriber) => {
    const socket = new FakeSocket();
    const subscription = fromWebSocketMessages(() => socket, { maxBufferedBytes }).subscribe(subscriber);
    for (const [place, piece] of pieces.entries()) {
      socket.message(place % 2 === 0 ? Buffer.from(piece).toString() : piece.slice().buffer);
    }
    socket.closed(1000);
    return subscription;
  });
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
