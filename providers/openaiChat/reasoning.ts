import { listIn, objectOf, textIn, wordIn, type WireObject } from '../../src/wire';

/**
 * The reasoning in a delta, under its several names: `reasoning_content` (DeepSeek, xAI, llama.cpp, z.ai, Qwen),
 * `reasoning` (OpenRouter, Groq, Ollama, newer vLLM), or only in the details of OpenRouter. They repeat each other.
 */
export function reasoningIn(delta: WireObject): string {
  return wordIn(delta, 'reasoning_content') ?? wordIn(delta, 'reasoning') ?? textOfDetails(delta);
}

function textOfDetails(delta: WireObject): string {
  let text = '';
  for (const value of listIn(delta, 'reasoning_details')) {
    const detail = objectOf(value);
    text += textIn(detail, 'text') ?? textIn(detail, 'summary') ?? '';
  }
  return text;
}

/** What the details of a delta prove to the provider, the text aside. */
export function signatureIn(delta: WireObject): { signature?: string; encrypted?: string } | undefined {
  let signed: { signature?: string; encrypted?: string } | undefined;
  for (const value of listIn(delta, 'reasoning_details')) {
    const detail = objectOf(value);
    const signature = wordIn(detail, 'signature');
    const encrypted = wordIn(detail, 'data');
    if (signature !== undefined) signed = { ...signed, signature };
    if (encrypted !== undefined) signed = { ...signed, encrypted };
  }
  return signed;
}

/**
 * Adds the details of a delta to those before. Fragments of one text are joined, its signature, which comes in a fragment
 * of its own, kept: the list goes back to OpenRouter as one would have got it without streaming.
 */
export function addDetails(details: WireObject[], delta: WireObject): void {
  for (const value of listIn(delta, 'reasoning_details')) {
    const detail = objectOf(value);
    if (detail === undefined) continue;
    const last = details.at(-1);
    if (last && isFragmentOf(last, detail)) details[details.length - 1] = joined(last, detail);
    else details.push(detail);
  }
}

function isFragmentOf(last: WireObject, next: WireObject): boolean {
  const isText = next['type'] === 'reasoning.text' || next['type'] === 'reasoning.summary';
  return isText && last['type'] === next['type'] && last['index'] === next['index'];
}

function joined(last: WireObject, next: WireObject): WireObject {
  const texts: Record<string, string> = {};
  for (const field of ['text', 'summary']) {
    const text = `${textIn(last, field) ?? ''}${textIn(next, field) ?? ''}`;
    if (text !== '') texts[field] = text;
  }
  return { ...last, ...next, ...texts };
}
