import { firstValueFrom, of, type Observable } from 'rxjs';
import {
  accumulateBlocks,
  anthropic,
  errorAsEvent,
  fromByteStream,
  fromModel,
  normalize,
  openaiResponses,
  parseSSE,
  pacedMap,
  reasoningDeltas,
  textDeltas,
  toolCalls,
  withUsage,
  type AnthropicTurn,
  type Frame,
  type JsonFrame,
  type ModelEvent,
  type OpenAIResponsesTurn,
  type Provider,
  type Snapshot,
  type SseOutput,
  type ToolCallBlock,
} from 'rx-model-stream';
import { tiny, type TinyTurn } from '../support/tinyProvider';
import { expectType } from './expectType';

const bytes = of(new Uint8Array());
declare const body: ReadableStream<Uint8Array>;
declare const frames: Observable<Frame>;
declare const jsonFrames: Observable<JsonFrame<{ readonly type: string }>>;

// The output of each framing is accepted by `normalize` without a cast.
expectType<Observable<SseOutput>>()(bytes.pipe(parseSSE()));
expectType<Observable<ModelEvent<AnthropicTurn>>>()(bytes.pipe(parseSSE(), normalize(anthropic())));
expectType<Observable<ModelEvent<OpenAIResponsesTurn>>>()(bytes.pipe(parseSSE(), normalize(openaiResponses())));
expectType<Observable<ModelEvent<AnthropicTurn>>>()(jsonFrames.pipe(normalize(anthropic())));
expectType<Observable<ModelEvent<TinyTurn>>>()(frames.pipe(normalize(tiny())));

// `Turn` is inferred all the way through the default pipe, into the snapshot.
const snapshots = bytes.pipe(
  parseSSE(),
  normalize(anthropic()),
  withUsage({ prices: { 'some-model': { input: 1, output: 2 } } }),
  errorAsEvent(),
  accumulateBlocks(),
);
expectType<Observable<Snapshot<AnthropicTurn>>>()(snapshots);
snapshots.subscribe((snapshot) => {
  expectType<AnthropicTurn | undefined>()(snapshot.turn);
});

// The same through the front door and from a source of bytes.
expectType<Observable<ModelEvent<AnthropicTurn>>>()(fromModel(anthropic(), { url: 'https://example.org' }));
expectType<Observable<ModelEvent<OpenAIResponsesTurn>>>()(fromModel(openaiResponses(), () => new Response()));
expectType<Observable<Snapshot<AnthropicTurn>>>()(
  fromModel(anthropic(), { url: 'https://example.org' }).pipe(withUsage(), errorAsEvent(), accumulateBlocks()),
);
expectType<Observable<Snapshot<TinyTurn>>>()(
  fromByteStream(() => body).pipe(parseSSE(), normalize(tiny()), accumulateBlocks()),
);

// Selecting operators, and pacing in the middle of the pipe.
const events = fromModel(anthropic(), { url: 'https://example.org' });
expectType<Observable<string>>()(events.pipe(textDeltas()));
expectType<Observable<string>>()(events.pipe(reasoningDeltas({ choice: 1 })));
expectType<Observable<ToolCallBlock>>()(events.pipe(toolCalls()));
expectType<Observable<Snapshot<AnthropicTurn>>>()(
  events.pipe(
    pacedMap((event) => of(event)),
    accumulateBlocks(),
  ),
);

// A provider that says nothing of its turn gives an unknown one.
declare const untyped: Provider;
expectType<Observable<Snapshot>>()(bytes.pipe(parseSSE(), normalize(untyped), accumulateBlocks()));
expectType<Promise<Snapshot>>()(firstValueFrom(bytes.pipe(parseSSE(), normalize(untyped), accumulateBlocks())));

// A provider of a known turn is a provider; events and snapshots of a known turn are events and snapshots.
untyped satisfies Provider;
anthropic() satisfies Provider;
events satisfies Observable<ModelEvent>;
snapshots satisfies Observable<Snapshot>;

// @ts-expect-error No step can be left out: bytes are no frames.
bytes.pipe(normalize(anthropic()));
// @ts-expect-error Frames are no events.
bytes.pipe(parseSSE(), accumulateBlocks());
// @ts-expect-error Snapshots are no events.
snapshots.pipe(withUsage());
// @ts-expect-error Text has to be encoded first: an event stream is bytes.
of('data: 1\n\n').pipe(parseSSE());
// @ts-expect-error One framing is enough.
bytes.pipe(parseSSE(), parseSSE());
// @ts-expect-error A turn of another provider is not the one of this pipe.
events.pipe(accumulateBlocks<OpenAIResponsesTurn>());
// @ts-expect-error A provider is made by calling its function.
normalize(anthropic);
// @ts-expect-error There is no such word.
normalize(anthropic(), { raw: 'some' });
// @ts-expect-error A price without what output costs is none.
withUsage({ prices: { 'some-model': { input: 1 } } });
