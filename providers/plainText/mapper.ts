import type { FinishEvent, ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import { createResponseWriter, type WrittenBlock } from '../../src/responseWriter';
import type { Stage } from '../../src/stage';
import type { TokenUsage } from '../../src/usage';
import { present } from '../../src/wire';

/** What one payload says, where a service streams the text of an answer and nothing else. */
export interface TextPiece {
  readonly model?: string | undefined;
  readonly text?: string | undefined;
  /** The total so far. */
  readonly usage?: TokenUsage | undefined;
  /** How the answer ends. */
  readonly finish?: Pick<FinishEvent, 'reason' | 'rawReason'> | undefined;
}

/** What such an API has for a turn: it takes a prompt, and the text of the answer is all there is to send back. */
export type NoTurn = never;

/**
 * Translates the payloads of one answer that is text and nothing else: one block, which the ending closes.
 *
 * @param pieceOf - Reads a payload; undefined for one it does not know.
 */
export function createTextMapper(
  name: string,
  pieceOf: (payload: Payload) => TextPiece | undefined,
): Stage<Payload, ModelEvent<NoTurn>> {
  const writer = createResponseWriter<NoTurn>(name);
  let written: WrittenBlock | undefined;
  let finish: TextPiece['finish'];
  return {
    push(payload, emit) {
      const { model, text = '', usage, ...piece } = pieceOf(payload) ?? {};
      writer.begin(present({ model }), emit);
      if (text !== '') {
        written ??= writer.open({ kind: 'text', text: '' }, emit);
        writer.append(written, text, emit);
      }
      if (usage) writer.usage(usage, emit);
      finish = piece.finish ?? finish;
    },
    end(emit) {
      writer.finish(finish ?? { reason: 'other' }, emit);
    },
  };
}
