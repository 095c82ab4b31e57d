/** What a generated stream says: its blocks in order, each in the pieces in which it arrives. */
export type Answer = readonly AnswerBlock[];

export interface AnswerBlock {
  readonly kind: 'text' | 'tool-call';
  readonly pieces: readonly string[];
}

export const ASCII_WORDS = ['The ', 'quick ', 'brown ', 'fox ', 'jumps ', 'over ', 'the ', 'lazy ', 'dog. '];
export const CJK_WORDS = ['敏捷的', '棕色', '狐狸', '跳过了', '那只', '懒惰的', '狗。'];

/** One text of as many words, each a piece. */
export function wordsAnswer(count: number, words: readonly string[]): Answer {
  return [{ kind: 'text', pieces: Array.from({ length: count }, (_, n) => words[n % words.length] ?? '') }];
}

/** One text that arrives whole. */
export function wholeTextAnswer(characters: number): Answer {
  return [{ kind: 'text', pieces: [lettersOf(characters)] }];
}

/** One tool call whose arguments have as many characters, in pieces of four, as models write them. */
export function callAnswer(characters: number): Answer {
  const frame = JSON.stringify({ text: '' }).length;
  const json = JSON.stringify({ text: lettersOf(characters - frame) });
  return [{ kind: 'tool-call', pieces: json.match(/.{1,4}/g) ?? [] }];
}

/** As many tool calls, each in two pieces: the one block that every API can have many of. */
export function callsAnswer(count: number): Answer {
  return Array.from({ length: count }, (_, n) => ({ kind: 'tool-call', pieces: ['{"number":', `${n}}`] }));
}

export function contentOf(block: AnswerBlock): string {
  return block.pieces.join('');
}

/** The contents of all blocks of a kind. */
export function contentsOf(answer: Answer, kind: AnswerBlock['kind']): string {
  return answer.flatMap((block) => (block.kind === kind ? block.pieces : [])).join('');
}

function lettersOf(count: number): string {
  return 'abcdefghijklmnopqrstuvwxyz'.repeat(Math.ceil(count / 26)).slice(0, count);
}
