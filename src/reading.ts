import type { Block, ToolCallBlock } from './blocks';
import type { Snapshot } from './snapshot';

/** The text of the answer: all text blocks of one alternative, joined in order. Refusals and commentary are text. */
export function textOf(snapshot: Snapshot, choice = 0): string {
  return joined(snapshot, 'text', choice);
}

/** What the model thought, as far as it tells: all reasoning blocks of one alternative, joined in order. */
export function reasoningOf(snapshot: Snapshot, choice = 0): string {
  return joined(snapshot, 'reasoning', choice);
}

/** The tool calls that the client has to answer, in order. Look at `state` before running one: only `whole` ones are. */
export function toolCallsOf(snapshot: Snapshot, choice = 0): readonly ToolCallBlock[] {
  return snapshot.blocks.filter(
    (block): block is ToolCallBlock =>
      block.kind === 'tool-call' && !block.providerExecuted && choiceOf(block) === choice,
  );
}

/** Which alternative a block belongs to; one that does not say belongs to the first. */
export function choiceOf(block: Block): number {
  return block.choice ?? 0;
}

function joined(snapshot: Snapshot, kind: 'text' | 'reasoning', choice: number): string {
  let text = '';
  for (const block of snapshot.blocks) {
    if (block.kind === kind && choiceOf(block) === choice) text += block.text;
  }
  return text;
}
