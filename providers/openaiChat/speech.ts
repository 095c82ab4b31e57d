import type { Block, Citation } from '../../src/blocks';
import type { ResponseWriter, WrittenBlock } from '../../src/responseWriter';
import { present } from '../../src/wire';
import type { EmitEvent } from './mapper';
import type { OpenAIChatTurn } from './turn';

type Kind = 'text' | 'refusal' | 'reasoning';

/** What a choice says: text and reasoning, one block after another. */
export interface Speech {
  /** Whether the model refused. */
  readonly refused: boolean;
  /** Continues the block of this kind, or ends the one that is open and begins one. Says nothing of an empty delta. */
  say(kind: Kind, delta: string, emit: EmitEvent): void;
  /** Cites in the text; a citation that comes before any text waits for it. */
  cite(citation: Citation, emit: EmitEvent): void;
  /** What the reasoning carries to the next turn, whenever it comes; where there is none to read, its block is empty. */
  sign(signed: { readonly signature?: string; readonly encrypted?: string }, emit: EmitEvent): void;
  end(emit: EmitEvent): void;
}

export function createSpeech(writer: ResponseWriter<OpenAIChatTurn>, choice: { readonly choice?: number }): Speech {
  let open: { readonly kind: Kind; readonly written: WrittenBlock } | undefined;
  let lastText: WrittenBlock | undefined;
  let lastReasoning: WrittenBlock | undefined;
  let signed: { signature?: string; encrypted?: string } = {};
  let waiting: Citation[] = [];
  let refused = false;

  function end(emit: EmitEvent): void {
    if (open) writer.end(open.written, open.kind === 'reasoning' ? signed : {}, undefined, emit);
    open = undefined;
  }

  function begin(kind: Kind, emit: EmitEvent): WrittenBlock {
    end(emit);
    const written = writer.open({ ...blockOf(kind), ...choice }, emit);
    open = { kind, written };
    if (kind === 'reasoning') {
      lastReasoning = written;
      signed = {};
    } else {
      lastText = written;
      refused ||= kind === 'refusal';
      for (const citation of waiting) writer.cite(written, citation, emit);
      waiting = [];
    }
    return written;
  }

  return {
    get refused() {
      return refused;
    },
    say(kind, delta, emit) {
      if (delta === '') return;
      const written = open?.kind === kind ? open.written : begin(kind, emit);
      writer.append(written, delta, emit);
    },
    cite(citation, emit) {
      if (lastText) writer.cite(lastText, citation, emit);
      else waiting.push(citation);
    },
    sign(fields, emit) {
      const written = lastReasoning ?? begin('reasoning', emit);
      signed = { ...signed, ...fields };
      if (written.ended && written.block.kind === 'reasoning') {
        writer.update(written, { ...written.block, ...present(signed) }, emit);
      }
    },
    end,
  };
}

function blockOf(kind: Kind): Block {
  if (kind === 'reasoning') return { kind, text: '' };
  return kind === 'refusal' ? { kind: 'text', text: '', refusal: true } : { kind, text: '' };
}
