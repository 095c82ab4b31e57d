import type { Block, ModelEvent } from 'rx-model-stream';

/** The blocks after these events, by a loop too plain to be wrong. */
export function blocksOf(events: readonly ModelEvent[]): Block[] {
  const blocks: Block[] = [];
  for (const event of events) {
    if ('block' in event) blocks[event.index] = event.block;
    else if ('index' in event) blocks[event.index] = grown(blocks[event.index], event);
  }
  return blocks;
}

function grown(block: Block | undefined, event: ModelEvent): Block {
  if (event.type === 'text-delta' && block?.kind === 'text') return { ...block, text: block.text + event.text };
  if (event.type === 'reasoning-delta' && block?.kind === 'reasoning') {
    return { ...block, text: block.text + event.text };
  }
  if (event.type === 'tool-call-delta' && block?.kind === 'tool-call') {
    return { ...block, arguments: block.arguments + event.argumentsDelta };
  }
  if (event.type === 'citation' && block?.kind === 'text') {
    return { ...block, citations: [...(block.citations ?? []), event.citation] };
  }
  if (event.type === 'media-delta' && block?.kind === 'media') {
    const transcript =
      event.transcript === undefined ? {} : { transcript: (block.transcript ?? '') + event.transcript };
    const mimeType = event.mimeType === undefined ? {} : { mimeType: event.mimeType };
    return {
      ...block,
      ...transcript,
      ...mimeType,
      parts: event.data === undefined ? block.parts : [...block.parts, event.data],
    };
  }
  throw new Error(`${event.type} does not fit its block`);
}
