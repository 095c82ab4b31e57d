import { readProjectFile } from './project';

/** A fenced block of code in a Markdown file or in a doc comment. */
export interface CodeBlock {
  /** Where it stands, such as `README.md:12`: the line of its opening fence. */
  readonly place: string;
  /** The line of the opening fence, from 1; the first line of `code` is the next one. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const FENCE = /^( *)```(.*)$/;

/** All fenced blocks of a file: of its text when it is Markdown, else of its doc comments. */
export function codeBlocksOf(path: string): CodeBlock[] {
  const text = readProjectFile(path);
  const lines = path.endsWith('.md') ? text.split('\n') : docCommentLines(text);
  const blocks: CodeBlock[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent, language] = FENCE.exec(lines[index]!) ?? [];
    if (indent === undefined || language === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, index + 1);
    const line = index + 1;
    const place = `${path}:${line}`;
    if (end === -1) throw new Error(`${place}: the block has no closing fence`);
    const code = lines.slice(line, end).map((content) => content.slice(indent.length));
    blocks.push({ place, line, language, code: code.join('\n') });
    index = end;
  }
  return blocks;
}

/** The text of the doc comments of a source file, each line in its place; all other lines are empty. */
function docCommentLines(source: string): string[] {
  let inside = false;
  return source.split('\n').map((line) => {
    if (/^\s*\/\*\*/.test(line)) inside = true;
    const content = inside ? (/^\s*\* ?(?!\/)(.*)$/.exec(line)?.[1] ?? '') : '';
    if (line.includes('*/')) inside = false;
    return content;
  });
}
