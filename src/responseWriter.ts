import type { Block, Citation } from './blocks';
import { citedText } from './citedText';
import type { FinishEvent, ModelEvent, ResponseStartEvent } from './events';
import type { Emit } from './stage';
import type { TokenUsage } from './usage';
import { present } from './wire';

/** A block of the response that is being written; what its deltas built is in `content`. */
export interface WrittenBlock {
  readonly index: number;
  block: Block;
  /** Text, reasoning, arguments or transcript so far. */
  content: string;
  /** Pieces of media so far. */
  readonly parts: string[];
  readonly citations: Citation[];
  ended: boolean;
}

/** What closes a block: fields that replace those of the block, its text or arguments among them. */
export type BlockPatch = Partial<
  Record<'text' | 'arguments' | 'signature' | 'encrypted' | 'id' | 'name', string> & {
    redacted: true;
    refusal: true;
    state: 'cut' | 'cancelled';
  }
>;

/**
 * Writes the events of one response, by the rules that are the same for every provider.
 *
 * 1. `response-start` comes before every other event but `raw`.
 * 2. Indexes are dense and given at first sight. A block begins and ends once.
 * 3. The closing value is authoritative: where it extends what the deltas gave, the missing rest is emitted as a delta
 *    first; where it contradicts them, the block ends with the closing value and the mismatch is reported as `raw`.
 * 4. A JSON call ends `whole` only when its arguments parse, else `cut`; no arguments at all mean `{}`.
 * 5. Blocks still open at the ending are closed before `finish`; a call among them is `cut` where the answer was.
 */
export interface ResponseWriter<Turn> {
  /** Whether `response-start` was emitted. */
  readonly isBegun: boolean;
  /** What the provider calls the response: `response-start` as soon as it has an id, at the latest with the first event. */
  begin(response: Omit<ResponseStartEvent, 'type' | 'provider'>, emit: Emit<ModelEvent<Turn>>): void;
  /** Opens a block, empty. */
  open(block: Block, emit: Emit<ModelEvent<Turn>>): WrittenBlock;
  /**
   * Appends to an open block, to a media block its transcript; nothing is said of an empty delta or of one that comes after
   * the block's end.
   */
  append(written: WrittenBlock, delta: string, emit: Emit<ModelEvent<Turn>>): void;
  /** Adds a piece, base64 of its own, to an open media block; `mimeType` counts where the block has none yet. */
  attach(written: WrittenBlock, data: string, emit: Emit<ModelEvent<Turn>>, mimeType?: string): void;
  cite(written: WrittenBlock, citation: Citation, emit: Emit<ModelEvent<Turn>>): void;
  /** Ends a block with what its closing payload says. `event` is that payload, absent where it came out before. */
  end(written: WrittenBlock, patch: BlockPatch, event: unknown, emit: Emit<ModelEvent<Turn>>): void;
  /** Changes a block: quietly while it is open, by a `block-update` when it has ended. */
  update(written: WrittenBlock, block: Block, emit: Emit<ModelEvent<Turn>>): void;
  /** Tells the running total. */
  usage(usage: TokenUsage, emit: Emit<ModelEvent<Turn>>): void;
  /** Ends what is open and says how the response ended. */
  finish(finish: Omit<FinishEvent<Turn>, 'type'>, emit: Emit<ModelEvent<Turn>>): void;
}

/** Endings that come in the middle of what the model says. */
const CUTTING: ReadonlySet<FinishEvent['reason']> = new Set(['length', 'cancelled', 'error']);

/**
 * Makes the writer of one response, for the mapper of a provider: whoever writes through it keeps the laws of the
 * vocabulary.
 *
 * @param provider - The name of the provider.
 *
 * @example Blocks are numbered, and closed at the latest by the ending
 * ```ts
 * import { createResponseWriter, type ModelEvent } from 'rx-model-stream';
 *
 * const events: ModelEvent[] = [];
 * const emit = (event: ModelEvent) => void events.push(event);
 * const writer = createResponseWriter('tern');
 * const text = writer.open({ kind: 'text', text: '' }, emit);
 * writer.append(text, 'Low tide ', emit);
 * writer.append(text, 'at six.', emit);
 * writer.finish({ reason: 'stop' }, emit);
 * console.log(events.map(({ type }) => type).join()); // response-start,block-start,text-delta,text-delta,block-end,finish
 * ```
 */
export function createResponseWriter<Turn = unknown>(provider: string): ResponseWriter<Turn> {
  const unended = new Set<WrittenBlock>(); // ended ones are forgotten: a sound of hours is many blocks
  let blockCount = 0;
  let begun = false;
  let response: Omit<ResponseStartEvent, 'type' | 'provider'> = {};

  function begin(named: typeof response, emit: Emit<ModelEvent<Turn>>): void {
    if (begun) return;
    response = { ...response, ...named };
    if (response.responseId !== undefined) start(emit);
  }

  function start(emit: Emit<ModelEvent<Turn>>): void {
    if (begun) return;
    begun = true;
    emit({ type: 'response-start', provider, ...response });
  }

  function end(entry: WrittenBlock, patch: BlockPatch, event: unknown, emit: Emit<ModelEvent<Turn>>): void {
    if (entry.ended) return;
    const whole = contentIn(patch, entry.block);
    if (whole !== undefined && whole !== entry.content) {
      if (whole.startsWith(entry.content)) append(entry, whole.slice(entry.content.length), emit);
      else if (event !== undefined) emit({ type: 'raw', provider, event });
      entry.content = whole;
    }
    entry.ended = true;
    unended.delete(entry);
    entry.block = settled(entry, patch);
    emit({ type: 'block-end', index: entry.index, block: entry.block });
  }

  function append(entry: WrittenBlock, delta: string, emit: Emit<ModelEvent<Turn>>): void {
    if (delta === '' || entry.ended) return;
    entry.content += delta;
    const { index, block } = entry;
    switch (block.kind) {
      case 'text':
        emit({ type: 'text-delta', index, text: delta });
        return;
      case 'reasoning':
        emit({ type: 'reasoning-delta', index, text: delta });
        return;
      case 'tool-call':
        emit({ type: 'tool-call-delta', index, id: block.id, argumentsDelta: delta });
        return;
      case 'media':
        emit({ type: 'media-delta', index, transcript: delta });
        return;
      case 'tool-result':
        return; // it comes whole
    }
  }

  function update(entry: WrittenBlock, block: Block, emit: Emit<ModelEvent<Turn>>): void {
    entry.block = block;
    if (entry.ended) emit({ type: 'block-update', index: entry.index, block });
  }

  return {
    get isBegun() {
      return begun;
    },
    begin,
    append,
    end,
    attach(entry, data, emit, mimeType) {
      if (data === '' || entry.ended || entry.block.kind !== 'media') return;
      const isNews = mimeType !== undefined && entry.block.mimeType === undefined;
      if (isNews) entry.block = { ...entry.block, mimeType };
      entry.parts.push(data);
      emit({ type: 'media-delta', index: entry.index, data, ...(isNews && { mimeType }) });
    },
    open(block, emit) {
      start(emit);
      const index = blockCount;
      blockCount += 1;
      const entry: WrittenBlock = { index, block, content: '', parts: [], citations: [], ended: false };
      if (block.kind === 'tool-call' && block.id === '') {
        entry.block = { ...block, id: `${response.responseId ?? 'call'}_${index}`, syntheticId: true };
      }
      unended.add(entry);
      emit({ type: 'block-start', index, block: entry.block });
      return entry;
    },
    cite(entry, citation, emit) {
      if (entry.block.kind !== 'text') return;
      entry.citations.push(citation);
      if (entry.ended) update(entry, citedText(entry.block, citation), emit);
      else emit({ type: 'citation', index: entry.index, citation });
    },
    update,
    usage(usage, emit) {
      start(emit);
      emit({ type: 'usage', usage });
    },
    finish(finish, emit) {
      start(emit);
      for (const entry of unended) {
        end(entry, CUTTING.has(finish.reason) ? { state: 'cut' } : {}, undefined, emit);
      }
      emit({ type: 'finish', ...finish });
    },
  };
}

/** The closing value of what the deltas of this block build, if the patch has one. */
function contentIn(patch: BlockPatch, block: Block): string | undefined {
  return block.kind === 'tool-call' ? patch.arguments : patch.text;
}

/** The block as it ends. */
function settled({ block, content, parts, citations }: WrittenBlock, patch: BlockPatch): Block {
  switch (block.kind) {
    case 'text': {
      const { refusal } = patch;
      return {
        ...block,
        ...(refusal && { refusal }),
        ...(citations.length > 0 && { citations: [...citations] }),
        text: content,
      };
    }
    case 'reasoning': {
      const { signature, encrypted, redacted } = patch;
      return {
        ...block,
        ...(signature !== undefined && { signature }),
        ...(encrypted !== undefined && { encrypted }),
        ...(redacted && { redacted }),
        text: content,
      };
    }
    case 'tool-call': {
      const { syntheticId, ...call } = block;
      const isSynthetic = syntheticId && !patch.id;
      const known = { ...call, ...(isSynthetic && { syntheticId }), ...(patch.id && { id: patch.id }) };
      const named = { ...known, ...present({ name: patch.name, signature: patch.signature }) };
      if (patch.state) return { ...named, arguments: content, state: patch.state };
      if (block.format === 'text') return { ...named, arguments: content, state: 'whole' };
      const json = content.trim() === '' ? '{}' : content;
      return { ...named, arguments: json, state: isJson(json) ? 'whole' : 'cut' };
    }
    case 'media':
      return { ...block, parts: [...block.parts, ...parts], ...(content !== '' && { transcript: content }) };
    case 'tool-result':
      return block;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
