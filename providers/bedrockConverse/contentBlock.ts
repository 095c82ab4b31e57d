import type { ModelEvent } from '../../src/events';
import type { ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import type { Emit } from '../../src/stage';
import type { WireObject } from '../../src/wire';
import type { BedrockContentBlock, BedrockTurn } from './turn';

export type EmitEvent = Emit<ModelEvent<BedrockTurn>>;
export type ConverseWriter = ResponseWriter<BedrockTurn>;

/** A content block of the wire that was opened. */
export interface ContentBlock {
  readonly written: WrittenBlock;
  /** Takes what a delta holds for this kind of block, and nothing of a delta of another kind. */
  read(delta: WireObject, emit: EmitEvent): void;
  end(event: unknown, emit: EmitEvent): void;
  /** As the next request has to echo it; nothing where there is nothing to echo. */
  turn(): BedrockContentBlock[];
}
