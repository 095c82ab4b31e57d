import { of, type Observable } from 'rxjs';
import {
  anthropic,
  normalize,
  parseJsonArray,
  parseNdjson,
  type AnthropicTurn,
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

// `normalize` takes both without a cast.
expectType<Observable<ModelEvent<AnthropicTurn>>>()(bytes.pipe(parseJsonArray(), normalize(anthropic())));
expectType<Observable<ModelEvent<AnthropicTurn>>>()(bytes.pipe(parseNdjson(), normalize(anthropic())));
