import {
  applyEvent,
  emptySnapshot,
  fromStage,
  isModelStreamError,
  joinStages,
  ModelStreamError,
  type AnthropicTurn,
  type Block,
  type Citation,
  type FinishReason,
  type Frame,
  type MediaBlock,
  type ModelEvent,
  type ModelStreamErrorCode,
  type ReasoningBlock,
  type Snapshot,
  type Stage,
  type TextBlock,
  type TokenUsage,
  type ToolCallBlock,
  type ToolResultBlock,
} from 'rx-model-stream';
import type { OperatorFunction } from 'rxjs';
import { expectType } from './expectType';

declare const event: ModelEvent<AnthropicTurn>;
declare const block: Block;
declare const snapshot: Snapshot<AnthropicTurn>;
declare const frame: Frame;
declare const failure: unknown;

// An event is told by its `type`.
switch (event.type) {
  case 'response-start':
    expectType<string>()(event.provider);
    break;
  case 'block-start':
  case 'block-end':
  case 'block-update':
    expectType<Block>()(event.block);
    break;
  case 'text-delta':
  case 'reasoning-delta':
    expectType<string>()(event.text);
    break;
  case 'tool-call-delta':
    expectType<string>()(event.argumentsDelta);
    break;
  case 'media-delta':
    expectType<number>()(event.index);
    break;
  case 'citation':
    expectType<Citation>()(event.citation);
    break;
  case 'usage':
    expectType<TokenUsage>()(event.usage);
    break;
  case 'finish':
    expectType<FinishReason>()(event.reason);
    event.turn satisfies AnthropicTurn | undefined;
    break;
  case 'error':
    expectType<ModelStreamError>()(event.error);
    break;
  case 'restart':
    expectType<ModelStreamError>()(event.cause);
    break;
  case 'raw':
    expectType<unknown>()(event.event);
    break;
  default:
    expectType<never>()(event); // these are all
}

// A block is told by its `kind`.
switch (block.kind) {
  case 'text':
    expectType<TextBlock>()(block);
    break;
  case 'reasoning':
    expectType<ReasoningBlock>()(block);
    break;
  case 'tool-call':
    expectType<ToolCallBlock>()(block);
    break;
  case 'tool-result':
    expectType<ToolResultBlock>()(block);
    break;
  case 'media':
    expectType<MediaBlock>()(block);
    break;
  default:
    expectType<never>()(block); // these are all
}

// A frame is told by its `type`.
if (frame.type === 'sse') expectType<string>()(frame.data);
if (frame.type === 'json') expectType<unknown>()(frame.value);
if (frame.type === 'restart') expectType<ModelStreamError>()(frame.cause);

// An error of the library is told by its guard, and its kind by its code.
if (isModelStreamError(failure)) {
  expectType<ModelStreamError>()(failure);
  expectType<ModelStreamErrorCode>()(failure.code);
  expectType<Snapshot | undefined>()(failure.snapshot);
}

// The fold keeps the type of the turn; the empty snapshot begins any of them.
expectType<Snapshot<AnthropicTurn>>()(applyEvent(snapshot, event));
emptySnapshot satisfies Snapshot<AnthropicTurn>;
expectType<readonly Block[]>()(snapshot.blocks);

// A stage is an operator from its inputs to its outputs; two stages are one.
declare const lengths: Stage<string, number>;
declare const roots: Stage<number, number[]>;
const measured = fromStage(() => lengths);
expectType<OperatorFunction<string, number>>()(measured);
expectType<Stage<string, number[]>>()(joinStages(lengths, roots));

// @ts-expect-error What the second takes is what the first gives.
joinStages(roots, lengths);
// @ts-expect-error A stage has to say what it owes at the end.
fromStage<string, string>(() => ({ push() {} }));
// @ts-expect-error A field of one event is not there before it is known to be that event.
event.text; // eslint-disable-line @typescript-eslint/no-unused-expressions -- the access is what must not compile
// @ts-expect-error Nor that of a block.
block.arguments; // eslint-disable-line @typescript-eslint/no-unused-expressions -- the access is what must not compile
// @ts-expect-error A snapshot never changes.
snapshot.status = 'complete';
// @ts-expect-error Its list never changes.
snapshot.blocks[0] = block;
// @ts-expect-error A block never changes.
block.choice = 1;
// @ts-expect-error The codes are a closed set.
new ModelStreamError('unheard-of', 'A message');
// @ts-expect-error So are the reasons.
applyEvent(snapshot, { type: 'finish', reason: 'done' });
// @ts-expect-error A number that is unknown is absent, not undefined.
applyEvent(snapshot, { type: 'usage', usage: { inputTokens: undefined } });
// @ts-expect-error A delta without its place belongs to no block.
applyEvent(snapshot, { type: 'text-delta', text: 'a' });
// @ts-expect-error A turn of another shape is not the one of this snapshot.
applyEvent(snapshot, { type: 'finish', reason: 'stop', turn: 'a' });
