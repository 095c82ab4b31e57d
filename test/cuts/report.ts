import chalk from 'chalk';
import Table from 'cli-table3';
import type { CutReport, Failure } from './tryCuts';
import { UNDECIDED } from './undecided';

/** How many failures are shown, one line each; the table counts all of them. */
const SHOWN_FAILURES = 50;

/** The counts by folder, then every failure with the command that tries it again. */
export function summaryOf(reports: readonly CutReport[], seed: number): string {
  const failures = reports.flatMap((report) => report.failures);
  const shown = failures.slice(0, SHOWN_FAILURES).map((failure) => lineOf(failure, seed));
  const rest = failures.length - shown.length;
  return [
    tableOf(reports),
    ...undecidedLines(reports),
    ...shown,
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    totalsOf(reports),
  ].join('\n');
}

function tableOf(reports: readonly CutReport[]): string {
  const head = ['folder', 'streams', 'cuts', 'whole', 'part, typed error', 'undecided', 'silent', 'wrong'];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const [folder, own] of byFolder(reports)) table.push(rowOf(folder, own));
  table.push(rowOf('all', reports));
  return table.toString();
}

function byFolder(reports: readonly CutReport[]): [folder: string, reports: CutReport[]][] {
  const folders = new Map<string, CutReport[]>();
  for (const report of reports) {
    const folder = report.name.split('/').slice(0, 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), report]);
  }
  return [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
}

function rowOf(title: string, reports: readonly CutReport[]): string[] {
  const { cuts, whole, part, undecided, silent, wrong } = countsOf(reports);
  return [
    title,
    ...[reports.length, cuts, whole, part, undecided, silent, wrong].map((count) => count.toLocaleString('en')),
  ];
}

function countsOf(
  reports: readonly CutReport[],
): Record<'cuts' | 'whole' | 'part' | 'undecided' | 'silent' | 'wrong', number> {
  const sum = (count: (report: CutReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const failed = (outcome: Failure['outcome']): number =>
    sum(({ failures }) => failures.filter((failure) => failure.outcome === outcome).length);
  return {
    cuts: sum(({ cuts }) => cuts),
    whole: sum(({ whole }) => whole),
    part: sum(({ part }) => part),
    undecided: sum(({ undecided }) => undecided),
    silent: failed('silent'),
    wrong: failed('wrong'),
  };
}

function undecidedLines(reports: readonly CutReport[]): string[] {
  return UNDECIDED.flatMap(({ names, why }) => {
    const { undecided } = countsOf(reports.filter(({ name }) => names.test(name)));
    return undecided > 0 ? [`undecided ${undecided}: ${why}`] : [];
  });
}

function lineOf({ name, at, ending, outcome, reason }: Failure, seed: number): string {
  const again = `npm run cuts -- --only ${name} --at ${at} --ending ${JSON.stringify(ending)} --seed ${seed}`;
  return `${chalk.red(outcome)} ${name}, cut at ${at} by ${ending}: ${reason}\n  ${again}`;
}

function totalsOf(reports: readonly CutReport[]): string {
  const { cuts, silent, wrong } = countsOf(reports);
  const isGood = silent + wrong === 0;
  const text = `${cuts.toLocaleString('en')} cuts tried, ${wrong} wrong answers, ${silent} silent successes`;
  return isGood ? chalk.green(text) : chalk.red(text);
}
