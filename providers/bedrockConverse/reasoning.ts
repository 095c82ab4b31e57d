import { joinedBase64 } from '../../src/base64';
import { objectIn, present, textIn, wordIn } from '../../src/wire';
import type { ContentBlock, ConverseWriter, EmitEvent } from './contentBlock';

/** What the model thought: text that is signed, or what only Bedrock can read. */
export function openReasoning(writer: ConverseWriter, emit: EmitEvent): ContentBlock {
  const written = writer.open({ kind: 'reasoning', text: '' }, emit);
  const redacted: string[] = []; // pieces, each base64 of its own
  let signature = '';

  function facts(): { signature?: string; encrypted?: string } {
    return present({
      signature: signature === '' ? undefined : signature,
      encrypted: redacted.length === 0 ? undefined : joinedBase64(redacted),
    });
  }

  return {
    written,
    read(delta, emit) {
      const piece = objectIn(delta, 'reasoningContent');
      writer.append(written, textIn(piece, 'text') ?? '', emit);
      signature += textIn(piece, 'signature') ?? '';
      const data = wordIn(piece, 'redactedContent');
      if (data !== undefined) redacted.push(data);
    },
    end(event, emit) {
      const isRedacted = redacted.length > 0 && written.content === '';
      writer.end(written, { ...facts(), ...(isRedacted && { redacted: true }) }, event, emit);
    },
    turn() {
      const text = written.content;
      const { encrypted, ...signed } = facts();
      const hasText = text !== '' || signature !== '';
      return [
        ...(hasText ? [{ reasoningContent: { reasoningText: { text, ...signed } } }] : []),
        ...(encrypted === undefined ? [] : [{ reasoningContent: { redactedContent: encrypted } }]),
      ];
    },
  };
}
