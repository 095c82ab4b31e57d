import { catchError, count, EMPTY, from, lastValueFrom, toArray, type Observable } from 'rxjs';
import { accumulateBlocks, normalize, parseAwsEventStream, parseSSE, type Frame } from 'rx-model-stream';
import { TITLES, type Sizes } from './cases';
import { median } from './measure';
import { PROVIDERS } from './readers/library';
import { ASCII_WORDS, callAnswer, callsAnswer, wholeTextAnswer, wordsAnswer, type Answer } from './streams/answer';
import { awsMessages } from './streams/awsMessages';
import { generatedStream } from './streams/generated';
import { LONG_SHAPES, type LongShape } from './streams/longShapes';
import { soundEvents } from './streams/soundEvents';
import { APIS, type Api, type WireStream } from './streams/wireStream';

/** One step of the library over inputs that are there, so that nothing else is measured. */
export interface Doubling {
  readonly step: string;
  readonly input: string;
  readonly size: number;
  /** What the step makes of an input of this size. */
  readonly prepare: (size: number) => Promise<Observable<unknown>>;
}

/** How long the step takes for an input, and for one of twice the size: twice the time is linear, four times quadratic. */
export interface Growth {
  readonly step: string;
  readonly input: string;
  readonly milliseconds: number;
  readonly ratio: number;
}

export function doublingsOf({ words, wholeCharacters, argumentCharacters, calls }: Sizes): Doubling[] {
  const whole = (size: number): WireStream => generatedStream('anthropic', wholeTextAnswer(size), { chunkBytes: 100 });
  const stream = (api: Api, answer: Answer): WireStream => generatedStream(api, answer);
  const answers: [input: string, size: number, answerOf: (size: number) => Answer][] = [
    [`${4 * words} words`, 4 * words, (size) => wordsAnswer(size, ASCII_WORDS)],
    [`arguments of ${argumentCharacters / 4} characters`, argumentCharacters / 4, callAnswer],
    [`${calls} calls`, calls, callsAnswer],
  ];
  return [
    {
      step: 'framing',
      input: `${wholeCharacters} characters in one event`,
      size: wholeCharacters,
      prepare: framingOf(whole),
    },
    ...answers.map(([input, size, answerOf]): Doubling => {
      return { step: 'framing', input, size, prepare: framingOf((wanted) => stream('anthropic', answerOf(wanted))) };
    }),
    {
      step: 'framing',
      input: `${wholeCharacters} characters in one AWS message`,
      size: wholeCharacters,
      prepare: awsFramingOf((size) => awsMessages(wholeTextAnswer(size), 100)),
    },
    {
      step: 'framing',
      input: `${4 * words} AWS messages`,
      size: 4 * words,
      prepare: awsFramingOf((size) => awsMessages(wordsAnswer(size, ASCII_WORDS), 16 * 1024)),
    },
    ...APIS.flatMap((api) =>
      answers.map(([input, size, answerOf]): Doubling => {
        const prepare = normalisingOf((wanted) => stream(api, answerOf(wanted)));
        return { step: 'normalising', input: `${TITLES[api]}: ${input}`, size, prepare };
      }),
    ),
    ...answers.map(([input, size, answerOf]): Doubling => {
      return { step: 'folding', input, size, prepare: foldingOf((wanted) => stream('anthropic', answerOf(wanted))) };
    }),
    {
      step: 'folding',
      input: `${4 * words} pieces of sound`,
      size: 4 * words,
      prepare: (size) => Promise.resolve(from([...soundEvents(size)]).pipe(accumulateBlocks())),
    },
    ...LONG_SHAPES.map((shape): Doubling => {
      return {
        step: 'normalising and folding',
        input: `${calls} × ${shape.title}`,
        size: calls,
        prepare: shapeOf(shape),
      };
    }),
  ];
}

export async function growthOf({ step, input, size, prepare }: Doubling, rounds: number): Promise<Growth> {
  const once = await prepare(size);
  const twice = await prepare(2 * size);
  const times: [once: number, twice: number][] = [];
  for (let round = 0; round < rounds; round += 1) times.push([await timeOf(once), await timeOf(twice)]);
  const milliseconds = median(times.map(([time]) => time));
  return { step, input, milliseconds, ratio: median(times.map(([, time]) => time)) / milliseconds };
}

async function timeOf(outputs: Observable<unknown>): Promise<number> {
  const start = performance.now();
  if ((await lastValueFrom(outputs.pipe(count()))) === 0) throw new Error('Nothing came out');
  return performance.now() - start;
}

type StreamOf = (size: number) => WireStream;

function framingOf(streamOf: StreamOf): Doubling['prepare'] {
  return (size) => Promise.resolve(framesOf(streamOf(size)));
}

function awsFramingOf(chunksOf: (size: number) => Uint8Array[]): Doubling['prepare'] {
  return (size) => Promise.resolve(from(chunksOf(size)).pipe(parseAwsEventStream()));
}

function normalisingOf(streamOf: StreamOf): Doubling['prepare'] {
  return async (size) => {
    const stream = streamOf(size);
    const frames = await lastValueFrom(framesOf(stream).pipe(toArray()));
    return from(frames).pipe(normalize(PROVIDERS[stream.api]()));
  };
}

function foldingOf(streamOf: StreamOf): Doubling['prepare'] {
  return async (size) => {
    const stream = streamOf(size);
    const events = await lastValueFrom(framesOf(stream).pipe(normalize(PROVIDERS[stream.api]()), toArray()));
    return from(events).pipe(accumulateBlocks());
  };
}

/** The stream breaks off: what is measured is the way to there. */
function shapeOf({ provider, payloads }: LongShape): Doubling['prepare'] {
  return (size) => {
    const frames = payloads(size).map((value): Frame => ({ type: 'json', value }));
    const snapshots = from(frames).pipe(normalize(provider()), accumulateBlocks());
    return Promise.resolve(snapshots.pipe(catchError(() => EMPTY)));
  };
}

function framesOf({ chunks }: WireStream): ReturnType<ReturnType<typeof parseSSE>> {
  return from(chunks).pipe(parseSSE());
}
