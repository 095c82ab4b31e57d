import Table from 'cli-table3';
import type { TokenUsage } from '../index';
import { stateOf, type Answer } from './answer';
import { chunksOf } from './chunksOf';
import { countOf, dollarsOf, secondsOf } from './figures';

/** The answers of one scenario when all of them have ended. */
export interface Result {
  readonly title?: string | undefined;
  readonly answers: readonly Answer[];
}

type Align = 'left' | 'right';

interface Figure {
  readonly heading: string;
  readonly align: Align;
  /** Empty when it is not known. */
  readonly of: (answer: Answer) => string;
}

const FIGURES: readonly Figure[] = [
  { heading: 'finish', align: 'left', of: ({ snapshot }) => stateOf(snapshot) },
  { heading: 'input', align: 'right', of: usageFigure((usage) => usage.inputTokens, countOf) },
  { heading: 'cached', align: 'right', of: usageFigure((usage) => usage.cachedInputTokens, countOf) },
  { heading: 'output', align: 'right', of: usageFigure((usage) => usage.outputTokens, countOf) },
  { heading: 'reasoning', align: 'right', of: usageFigure((usage) => usage.reasoningTokens, countOf) },
  { heading: 'cost', align: 'right', of: usageFigure((usage) => usage.costUsd, dollarsOf) },
  { heading: 'first token', align: 'right', of: ({ askedAt, firstTokenAt }) => secondsBetween(askedAt, firstTokenAt) },
  { heading: 'duration', align: 'right', of: ({ askedAt, endedAt }) => secondsBetween(askedAt, endedAt) },
];

/** How many answers stand side by side in a narrow table. */
const NARROW_ANSWERS = 2;

/**
 * What came of it: a table with a row for each answer, or narrow ones with a column for each where that exceeds the width.
 * Figures that no answer has are left out; of an answer that was broken off they are lower bounds.
 */
export function resultTable(results: readonly Result[], width: number): string {
  const wide = wideTable(results);
  const isTooWide = wide.split('\n').some((line) => line.length > width);
  return isTooWide ? narrowTables(results) : wide;
}

function figuresKnownOf(answers: readonly Answer[]): readonly Figure[] {
  return FIGURES.filter(({ of }) => answers.some((answer) => of(answer) !== ''));
}

function wideTable(results: readonly Result[]): string {
  const figures = figuresKnownOf(results.flatMap(({ answers }) => answers));
  const headings = ['', ...figures.map(({ heading }) => heading)];
  const rows = results.flatMap(({ title, answers }) => [
    ...(title === undefined ? [] : [[title, ...figures.map(() => '')]]),
    ...answers.map((answer) => [
      title === undefined ? answer.label : `  ${answer.label}`,
      ...figures.map(({ of }) => of(answer)),
    ]),
  ]);
  return tableOf(headings, ['left', ...figures.map(({ align }) => align)], rows);
}

function narrowTables(results: readonly Result[]): string {
  const tables = results.flatMap(({ title = '', answers }) =>
    chunksOf(answers, NARROW_ANSWERS).map((chunk) =>
      tableOf(
        [title, ...chunk.map(({ label }) => label)],
        ['left', ...chunk.map(() => 'right' as const)],
        figuresKnownOf(chunk).map(({ heading, of }) => [heading, ...chunk.map(of)]),
      ),
    ),
  );
  return tables.join('\n\n');
}

function tableOf(headings: readonly string[], aligns: readonly Align[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: [...headings],
    colAligns: [...aligns],
    chars: LINES,
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 0, compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.slice(1).trimEnd()) // the first column needs no padding
    .join('\n');
}

/** A rule below the headings, and nothing else. */
const LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  right: '',
  'right-mid': '',
  mid: '─',
  'mid-mid': '─',
  middle: ' ',
};

function usageFigure(
  numberOf: (usage: TokenUsage) => number | undefined,
  written: (value: number) => string,
): (answer: Answer) => string {
  return ({ snapshot: { usage } }) => {
    const value = usage && numberOf(usage);
    return value === undefined ? '' : `${usage?.partial ? '≥ ' : ''}${written(value)}`;
  };
}

function secondsBetween(start: number, end: number | undefined): string {
  return end === undefined ? '' : secondsOf(end - start);
}
