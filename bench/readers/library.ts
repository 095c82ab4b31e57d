import { from, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  anthropic,
  fromModel,
  normalize,
  openaiChat,
  openaiResponses,
  parseSSE,
  textOf,
  toolCallsOf,
  withUsage,
  type ModelEvent,
  type Provider,
  type Snapshot,
} from 'rx-model-stream';
import { APIS, type Api, type Found, type WireStream } from '../streams/wireStream';
import { inMemory } from './inMemory';
import type { Reader } from './reader';

/** The provider that reads each API. */
export const PROVIDERS: Readonly<Record<Api, () => Provider>> = {
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  anthropic,
};

/** This library, step by step over chunks that are there, and as a whole behind a `fetch`. */
export const libraryReaders: readonly Reader[] = [
  { step: 'frames', name: 'parseSSE', apis: APIS, read: framesIn },
  { step: 'events', name: 'normalize, withUsage', apis: APIS, read: (stream) => saidBy(pipedEvents(stream)) },
  { step: 'events', name: 'fromModel', apis: APIS, read: (stream) => saidBy(fetchedEvents(stream)) },
  { step: 'answer', name: 'accumulateBlocks', apis: APIS, read: (stream) => foldedBy(pipedEvents(stream)) },
  {
    step: 'answer',
    name: 'fromModel, accumulateBlocks',
    apis: APIS,
    read: (stream) => foldedBy(fetchedEvents(stream)),
  },
];

async function framesIn({ chunks }: WireStream): Promise<Found> {
  let frames = 0;
  await from(chunks)
    .pipe(parseSSE())
    .forEach((frame) => {
      if (frame.type === 'sse') frames += 1;
    });
  return { frames };
}

function pipedEvents({ api, chunks }: WireStream): Observable<ModelEvent> {
  return from(chunks).pipe(parseSSE(), normalize(PROVIDERS[api]()), withUsage());
}

function fetchedEvents(stream: WireStream): Observable<ModelEvent> {
  return fromModel(PROVIDERS[stream.api](), inMemory(stream)).pipe(withUsage());
}

async function saidBy(events: Observable<ModelEvent>): Promise<Found> {
  let text = '';
  let argumentsText = '';
  await events.forEach((event) => {
    if (event.type === 'text-delta') text += event.text;
    if (event.type === 'tool-call-delta') argumentsText += event.argumentsDelta;
  });
  return { text, arguments: argumentsText };
}

/** Folds the events; the last snapshot is drawn. */
async function foldedBy(events: Observable<ModelEvent>): Promise<Found> {
  let last: Snapshot | undefined;
  await events.pipe(accumulateBlocks()).forEach((snapshot) => {
    last = snapshot;
  });
  if (last?.status !== 'complete') throw new Error(`The answer is ${last?.status ?? 'not there'}`);
  return {
    text: textOf(last),
    arguments: toolCallsOf(last)
      .map((call) => call.arguments)
      .join(''),
    blocks: last.blocks.length,
  };
}
