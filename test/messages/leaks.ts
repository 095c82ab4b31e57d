import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelStreamErrorCode } from 'rx-model-stream';
import { CANARIES } from './canaries';
import type { WrittenMessage } from './sink';

/** In these the words of the service have a place. */
const OF_SERVICE: ReadonlySet<ModelStreamErrorCode> = new Set(['http', 'provider']);
/** Shorter texts may stand in a message by chance. */
const MIN_TEXT_LENGTH = 12;
/** A word of a protocol, which may be one of this library too, such as `tool-call-delta`. */
const WORD = /^[a-z-]+$/;
const MAX_MESSAGE_LENGTH = 1000;

/** What is wrong with messages: they are long, or hold a key, a prompt or what a stream said. */
export function leaksIn(messages: readonly WrittenMessage[]): string[] {
  const texts = fixtureTexts();
  return messages.flatMap(({ code, message }) => {
    const found = [
      ...CANARIES.filter((canary) => message.includes(canary)),
      ...(OF_SERVICE.has(code) ? [] : texts.filter((text) => message.includes(text))),
      ...(message.length > MAX_MESSAGE_LENGTH ? [`${message.length} characters`] : []),
    ];
    return found.map((what) => `${code} "${message.slice(0, 200)}" holds ${JSON.stringify(what.slice(0, 100))}`);
  });
}

/** Every longer text that a hand-written stream holds, each once. */
function fixtureTexts(): string[] {
  const files = readdirSync('fixtures', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = new Set<string>();
  for (const { parentPath, name } of files) {
    const content = readFileSync(join(parentPath, name), 'utf8');
    for (const [, text = ''] of content.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      if (text.length >= MIN_TEXT_LENGTH && !WORD.test(text)) texts.add(text);
    }
  }
  return [...texts];
}
