import { listIn, objectIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';

/** What a choice adds. A legacy completion has text in place of a delta; Together writes both. */
export function deltaOf(choice: WireObject | undefined): WireObject | undefined {
  const text = textIn(choice, 'text');
  return objectIn(choice, 'delta') ?? (text === undefined ? undefined : { content: text });
}

/** Content that came as a list of parts, joined part by part, as it is echoed: Mistral. */
export function addParts(parts: WireObject[], content: string | readonly unknown[]): void {
  const added = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  for (const value of added) {
    const part = objectOf(value);
    if (part === undefined || textIn(part, 'text') === '') continue;
    const last = parts.at(-1);
    const joined = last && joinedPart(last, part);
    if (joined) parts[parts.length - 1] = joined;
    else parts.push(part);
  }
}

function joinedPart(last: WireObject, next: WireObject): WireObject | undefined {
  if (last['type'] !== next['type']) return undefined;
  switch (next['type']) {
    case 'text':
      return { ...last, ...next, text: `${textIn(last, 'text') ?? ''}${textIn(next, 'text') ?? ''}` };
    case 'thinking':
      return { ...last, ...next, thinking: [{ type: 'text', text: thinkingIn(last) + thinkingIn(next) }] };
    default:
      return undefined;
  }
}

/** `{ type: 'thinking', thinking: [{ type: 'text', text }] }`; `closed` stands on nearly every piece and says nothing. */
export function thinkingIn(part: WireObject): string {
  const thinking = part['thinking'];
  if (typeof thinking === 'string') return thinking;
  return listIn(part, 'thinking')
    .map((piece) => textIn(objectOf(piece), 'text') ?? '')
    .join('');
}

export function signatureOfPart(part: WireObject): { signature: string } | undefined {
  const signature = wordIn(part, 'signature');
  return signature === undefined ? undefined : { signature };
}
