import fc from 'fast-check';
import type { Block } from 'rx-model-stream';
import type { Answer } from '../../src/cli/answer';
import { drawingOf, type Scene, type Typesetting } from '../../src/cli/drawing';
import { answerWith, growingAnswers, snapshotWith } from './answers';

/** Every character takes one column, and lines break anywhere. */
const typesetting: Typesetting = {
  wrap: (line, width) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [''],
  widthOf: (text) => Array.from(text).length,
  paint: (_, text) => text,
};

function drawn(scene: Partial<Scene>, columns: number, rows = Infinity): string[] {
  return drawingOf({ answers: [], now: 0, ...scene }, { columns, rows }, typesetting).split('\n');
}

function said(text: string): Block {
  return { kind: 'text', text };
}

const growing = answerWith([said('Hello')], { label: 'One', firstTokenAt: 400 });
const ended = answerWith([], {
  label: 'Other',
  snapshot: snapshotWith({ blocks: [said('Good\nbye')], model: 'm-1', status: 'complete', finishReason: 'stop' }),
  endedAt: 1500,
});

const anyAnswer: fc.Arbitrary<Answer> = fc
  .constantFrom(...growingAnswers)
  .chain(({ snapshots }) => fc.constantFrom(...snapshots))
  .map((snapshot) => ({ label: 'Model', snapshot, askedAt: 0 }));
const anyScene = fc.record({
  title: fc.constantFrom(undefined, 'Title'),
  answers: fc.array(anyAnswer, { minLength: 1, maxLength: 5 }),
});

describe('drawingOf', () => {
  it('draws answers side by side where there are 89 columns', () => {
    const left = (text: string): string => text.padEnd(43);
    expect(drawn({ title: 'Both', answers: [growing, ended], now: 1000 }, 89)).toEqual([
      'Both',
      '',
      `${left('One')} │ Other · m-1`,
      `${left('● streaming · 1.00 s · first token 0.40 s')} │ ✓ stop · 1.50 s`,
      `${left('')} │`,
      `${left('Hello')} │ Good`,
      `${left('')} │ bye`,
      '',
    ]);
  });

  it('draws them one above another where there are less', () => {
    expect(drawn({ answers: [growing, ended], now: 1000 }, 88)).toEqual([
      'One',
      '● streaming · 1.00 s · first token 0.40 s',
      '',
      'Hello',
      '',
      'Other · m-1',
      '✓ stop · 1.50 s',
      '',
      'Good',
      'bye',
      '',
    ]);
  });

  it('shows the end of an answer that is too tall, below who gives it', () => {
    const lines = [1, 2, 3, 4, 5, 6].map((number) => `line ${number}`);
    const rows = drawn({ answers: [answerWith([said(lines.join('\n'))])] }, 80, 7);
    expect(rows).toEqual(['Model', '● streaming · 0.00 s', '⋮', 'line 4', 'line 5', 'line 6', '']);
  });

  it('leaves no room for a block that is still empty', () => {
    const blocks: Block[] = [said('one'), { kind: 'reasoning', text: '', encrypted: 'x' }, said('two')];
    expect(drawn({ answers: [answerWith(blocks)] }, 80).slice(2)).toEqual(['', 'one', '', 'two', '']);
  });

  it('keeps the indentation of wrapped lines', () => {
    const rows = drawn({ answers: [answerWith([{ kind: 'reasoning', text: 'one\n  two three' }])] }, 10);
    expect(rows.slice(-4)).toEqual(['~ one', '    two th', '    ree', '']);
  });

  it('is never taller or wider than the room that there is', () => {
    const room = fc.record({ columns: fc.integer({ min: 12, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(anyScene, room, (scene, { columns, rows }) => {
        const lines = drawn(scene, columns, rows);
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...lines.map((line) => typesetting.widthOf(line)))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('shows every answer whole where there is no end to the rows', () => {
    const letters = (text: string): string => Array.from(text.replace(/[\s│]/g, '')).sort().join('');
    fc.assert(
      fc.property(anyScene, fc.integer({ min: 12, max: 200 }), ({ answers }, columns) => {
        const apart = answers.map((answer) => drawn({ answers: [answer] }, columns).join(''));
        expect(letters(drawn({ answers }, columns).join(''))).toBe(letters(apart.join('')));
      }),
    );
  });
});
