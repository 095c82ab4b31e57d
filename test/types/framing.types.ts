import { of, type Observable } from 'rxjs';
import {
  anthropic,
  bedrockConverse,
  normalize,
  parseAwsEventStream,
  parseJsonArray,
  parseNdjson,
  type AnthropicTurn,
  type BedrockTurn,
  type JsonFrame,
  type ModelEvent,
  type StrayFrame,
} from 'rx-model-stream';
import { expectType } from './expectType';

interface Chunk {
  readonly done: boolean;
}

const bytes = of(new Uint8Array());

// What the values are is unknown until the caller says it.
expectType<Observable<JsonFrame | StrayFrame>>()(bytes.pipe(parseJsonArray()));
expectType<Observable<JsonFrame | StrayFrame>>()(bytes.pipe(parseNdjson()));
expectType<Observable<JsonFrame<Chunk> | StrayFrame>>()(bytes.pipe(parseJsonArray<Chunk>()));
expectType<Observable<JsonFrame<Chunk> | StrayFrame>>()(bytes.pipe(parseNdjson<Chunk>()));

// An exception has another shape than the events: what a value is stays unknown.
expectType<Observable<JsonFrame | StrayFrame>>()(bytes.pipe(parseAwsEventStream()));

// `normalize` takes them all without a cast.
expectType<Observable<ModelEvent<AnthropicTurn>>>()(bytes.pipe(parseJsonArray(), normalize(anthropic())));
expectType<Observable<ModelEvent<AnthropicTurn>>>()(bytes.pipe(parseNdjson(), normalize(anthropic())));
expectType<Observable<ModelEvent<BedrockTurn>>>()(bytes.pipe(parseAwsEventStream(), normalize(bedrockConverse())));
