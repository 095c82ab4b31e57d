import ts from 'typescript';

/**
 * What an example says that it prints: the `//` comment behind a line that prints, or the comment lines directly below it
 * when it has none.
 *
 * 1. A line prints when `console.log` stands on it, or a statement ends on it in which `console.log` stands.
 * 2. Printed values are separated by a comma. The end of a comment stands for one, except beside a bracket or a comma.
 * 3. White space does not count, and `…` stands for anything.
 *
 * @returns The pattern of all that is printed, without white space.
 */
export function statedOutput(code: string): RegExp {
  const source = ts.createSourceFile('example.ts', code, ts.ScriptTarget.Latest, true);
  const comments = commentsByLine(source);
  const stated = printingLines(source).flatMap((line) => {
    const behind = comments.get(line);
    if (behind !== undefined) return [behind];
    const below: string[] = [];
    for (let next = line + 1; isComment(source, next); next += 1) below.push(comments.get(next) ?? '');
    return below;
  });
  const text = stated.join('\n').replace(/(?<![,{[(])\n(?![}\])])/g, ',');
  const literals = withoutSpace(text)
    .split('…')
    .map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`);
}

export function withoutSpace(text: string): string {
  return text.replace(/\s/g, '');
}

function printingLines(source: ts.SourceFile): number[] {
  const lines = new Set<number>();
  function visit(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node) && node.getText() === 'console.log') {
      lines.add(lineAt(source, node.end));
      for (let outer = node.parent; !ts.isSourceFile(outer); outer = outer.parent) {
        if (ts.isStatement(outer)) lines.add(lineAt(source, outer.end));
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return [...lines].sort((a, b) => a - b);
}

/** Every comment stands before some token: behind the one before it, or on lines of its own. */
function commentsByLine(source: ts.SourceFile): Map<number, string> {
  const comments = new Map<number, string>();
  function visit(node: ts.Node): void {
    const children = node.getChildren();
    children.forEach(visit);
    if (children.length > 0) return;
    const ranges = [
      ...(ts.getTrailingCommentRanges(source.text, node.pos) ?? []),
      ...(ts.getLeadingCommentRanges(source.text, node.pos) ?? []),
    ];
    for (const { kind, pos, end } of ranges) {
      if (kind !== ts.SyntaxKind.SingleLineCommentTrivia) continue;
      comments.set(lineAt(source, pos), source.text.slice(pos + 2, end).trim());
    }
  }
  visit(source);
  return comments;
}

function isComment(source: ts.SourceFile, line: number): boolean {
  return source.text.split('\n')[line]?.trimStart().startsWith('//') ?? false;
}

function lineAt(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line;
}
