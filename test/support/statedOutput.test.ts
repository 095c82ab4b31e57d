import { statedOutput, withoutSpace } from './statedOutput';

function states(code: string, ...printed: string[]): boolean {
  return statedOutput(code).test(withoutSpace(printed.join()));
}

describe('statedOutput()', () => {
  it('reads the comment behind a statement that prints, one value or several', () => {
    expect(states('console.log(1); // 1', '1')).toBe(true);
    expect(states("of('a', 'b').subscribe(console.log); // a, b", 'a', 'b')).toBe(true);
    expect(states("of('a', 'b').subscribe(console.log); // a, b", 'a')).toBe(false);
    expect(states("of('a', 'b').subscribe(console.log); // a, b", 'a', 'b', 'c')).toBe(false);
  });

  it('reads it behind the end of a statement of several lines', () => {
    const code = ['of(1)', '  .pipe(map((value) => value + 1)) // adds', '  .subscribe(console.log); // 2'].join('\n');
    expect(states(code, '2')).toBe(true);
    expect(states(code, 'adds', '2')).toBe(false);
  });

  it('reads it behind a line inside a statement', () => {
    const code = ['source.subscribe({', '  next: (value) => console.log(value), // 1', '});'].join('\n');
    expect(states(code, '1')).toBe(true);
  });

  it('reads the comment lines below a statement without a comment, and no others', () => {
    const code = ['// not this', 'show(); // nor this', 'console.log(a);', '// { b: 1 }', '', '// nor this'].join('\n');
    expect(states(code, '{ b: 1 }')).toBe(true);
  });

  it('takes the end of a comment for a comma, except beside a bracket or a comma', () => {
    expect(states('console.log(a); // 1\nconsole.log(b); // 2', '1', '2')).toBe(true);
    expect(states('console.log(a);\n// {\n//   b: 1,\n//   c: 2\n// }', '{ b: 1, c: 2 }')).toBe(true);
  });

  it('lets an ellipsis stand for anything', () => {
    expect(states('console.log(a); // 1, …, 9', '1', '2', '9')).toBe(true);
    expect(states('console.log(a); // 1, …, 9', '1', '2', '8')).toBe(false);
  });

  it('states that nothing is printed where no comment says otherwise', () => {
    expect(states("const url = 'https://example.com'; // a comment")).toBe(true);
    expect(states('console.log(1);', '1')).toBe(false);
  });
});
