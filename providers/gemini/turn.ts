import type { WireObject } from '../../src/wire';

/** One part of a content, in Gemini's own shape. */
export type GeminiPart = WireObject;

/** The model's turn as it goes into `contents` of the next request. It is a `Content` of Google's SDK. */
export interface GeminiTurn {
  readonly role: 'model';
  readonly parts: GeminiPart[];
}

/** Collects the parts of a turn. */
export interface TurnParts {
  /** Adds a part, and gives its place. Plain text joins the plain text before it; a part with a signature stays alone. */
  add(part: GeminiPart): number;
  replace(place: number, part: GeminiPart): void;
  /** Undefined when nothing was said: a turn without parts is refused. */
  turn(): GeminiTurn | undefined;
}

export function createTurnParts(): TurnParts {
  const parts: GeminiPart[] = [];
  return {
    add(part) {
      const last = parts.at(-1);
      if (isPlainText(part) && part.text === '') return parts.length - 1;
      if (last && isPlainText(last) && isPlainText(part) && last.thought === part.thought) {
        parts[parts.length - 1] = { ...last, text: last.text + part.text };
      } else {
        parts.push(part);
      }
      return parts.length - 1;
    },
    replace(place, part) {
      parts[place] = part;
    },
    turn: () => (parts.length === 0 ? undefined : { role: 'model', parts: [...parts] }),
  };
}

interface PlainText extends GeminiPart {
  readonly text: string;
  readonly thought?: unknown;
}

function isPlainText(part: GeminiPart): part is PlainText {
  return typeof part['text'] === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}
