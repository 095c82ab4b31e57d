import type {
  Block,
  Citation,
  MediaBlock,
  ModelStreamError,
  ReasoningBlock,
  Snapshot,
  TextBlock,
  ToolCallBlock,
} from '../index';

/** How a line is set apart. */
export type Tone = 'heading' | 'quiet' | 'text' | 'refusal' | 'reasoning' | 'call' | 'result' | 'citation' | 'failure';

/** A line of an answer, however long. `mark` stands before it; where it is wrapped, the rest is set in by as much. */
export interface Line {
  readonly tone: Tone;
  readonly mark: string;
  readonly text: string;
}

/** A piece of an answer: a line or several that grow, and notes below them. */
export interface Passage extends Line {
  readonly notes: readonly Line[];
  /** Whether more may come although another passage has begun. */
  readonly isOpen: boolean;
}

const MAX_RESULT_LENGTH = 200;

/**
 * What there is to read of an answer, in order; a passage may be empty yet. Neighbouring texts are one passage: a citation
 * may part a sentence.
 */
export function passagesOf({ blocks, status, error }: Snapshot): readonly Passage[] {
  const named = new Set<string>();
  const passages: Passage[] = [];
  for (const [index, block] of blocks.entries()) {
    const passage = passageOf(block, named);
    const before = passages.at(-1);
    if (before && continues(block, blocks[index - 1])) passages[passages.length - 1] = joined(before, passage);
    else passages.push(passage);
  }
  if (status === 'failed') passages.push(plain('failure', '✗ ', error ? failureOf(error) : 'failed'));
  return passages;
}

/** The lines of a text that begins with `mark`. */
export function linesOf({ tone, mark, text }: Line): readonly Line[] {
  const indentation = ' '.repeat(mark.length);
  return text.split('\n').map((line, index) => ({ tone, mark: index === 0 ? mark : indentation, text: line }));
}

function passageOf(block: Block, named: Set<string>): Passage {
  switch (block.kind) {
    case 'text':
      return { ...plain(block.refusal ? 'refusal' : 'text', '', block.text), notes: citationsOf(block, named) };
    case 'reasoning':
      return plain('reasoning', '~ ', thoughtOf(block));
    case 'tool-call':
      return { ...plain('call', '→ ', callOf(block)), notes: remarksOn(block), isOpen: block.state === 'open' };
    case 'tool-result':
      return plain(block.isError ? 'failure' : 'result', '← ', [block.name, summaryOf(block.content)].join(' ').trim());
    case 'media':
      return plain('result', '◆ ', mediumOf(block));
  }
}

function plain(tone: Tone, mark: string, text: string): Passage {
  return { tone, mark, text: printable(text), notes: [], isOpen: false };
}

function continues(block: Block, before: Block | undefined): boolean {
  if (block.kind !== 'text' || before?.kind !== 'text') return false;
  return block.refusal === before.refusal && block.phase === before.phase && block.choice === before.choice;
}

function joined(before: Passage, next: Passage): Passage {
  return { ...before, text: before.text + next.text, notes: [...before.notes, ...next.notes] };
}

function thoughtOf({ text, redacted }: ReasoningBlock): string {
  return redacted ? '(withheld by the provider)' : text;
}

function callOf({ name, arguments: text, providerExecuted }: ToolCallBlock): string {
  return `${name}${providerExecuted ? ' (run by the provider)' : ''} ${text}`;
}

function remarksOn({ state }: ToolCallBlock): readonly Line[] {
  return state === 'cut' || state === 'cancelled' ? [{ tone: 'failure', mark: '  ', text: `(${state})` }] : [];
}

function mediumOf({ mimeType = 'media', parts, url, transcript }: MediaBlock): string {
  return [mimeType, url ?? `in ${parts.length} parts`, transcript].filter(Boolean).join(' ');
}

/** The titles of what was found, where there are some; else the beginning of the result. */
function summaryOf(content: unknown): string {
  const titles = Array.isArray(content) ? content.flatMap(titleOf) : [];
  const text = titles.length > 0 ? titles.join(' · ') : writtenOut(content);
  return text.length > MAX_RESULT_LENGTH ? `${text.slice(0, MAX_RESULT_LENGTH)}…` : text;
}

function writtenOut(content: unknown): string {
  if (content === undefined) return '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function titleOf(found: unknown): readonly string[] {
  const isTitled = typeof found === 'object' && found !== null && 'title' in found;
  return isTitled && typeof found.title === 'string' ? [found.title] : [];
}

/** Each source once in an answer, however often it is cited; `named` are those before. */
function citationsOf({ citations = [] }: TextBlock, named: Set<string>): readonly Line[] {
  return citations.flatMap((citation) => {
    const text = sourceOf(citation);
    if (named.has(text)) return [];
    named.add(text);
    return [{ tone: 'citation', mark: `[${named.size}] `, text } as const];
  });
}

function sourceOf({ title, url, source, quote }: Citation): string {
  const names = [title, url ?? source].filter(Boolean);
  return printable(names.length > 0 ? names.join(' ') : (quote ?? 'a source without a name'));
}

function failureOf({ code, providerCode, message }: ModelStreamError): string {
  return `${[code, providerCode].filter(Boolean).join(' ')}: ${message}`;
}

/** Text that a terminal shows and does not obey. */
function printable(text: string): string {
  return text.replaceAll('\t', '  ').replaceAll('\r\n', '\n').replaceAll(CONTROL_CHARACTERS, '\ufffd');
}

const CONTROL_CHARACTERS = /[^\P{Cc}\n]/gu;
