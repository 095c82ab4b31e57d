import type { Case } from './cases';
import type { Growth } from './linearity';
import type { Measured } from './measure';

/** A case as it was measured. */
export interface CaseReport {
  readonly title: string;
  readonly events: number;
  readonly bytes: number;
  readonly readings: readonly Reading[];
}

interface Reading {
  readonly step: string;
  readonly reader: string;
  readonly microsecondsPerEvent: number;
  readonly timesFloor: number;
  readonly megabytesPerSecond: number;
}

export function reportOf({ title, streams }: Case, measured: readonly Measured[]): CaseReport {
  const events = streams.reduce((sum, { frames }) => sum + frames, 0);
  const bytes = streams.reduce((sum, stream) => sum + stream.bytes.length, 0);
  const floorMs = measured.find(({ reader }) => reader.step === 'floor')?.milliseconds ?? NaN;
  const readings = measured.map(({ reader, milliseconds }) => ({
    step: reader.step,
    reader: reader.name,
    microsecondsPerEvent: (milliseconds * 1000) / events,
    timesFloor: milliseconds / floorMs,
    megabytesPerSecond: bytes / 1000 / milliseconds,
  }));
  return { title, events, bytes, readings };
}

export function caseTable({ title, events, bytes, readings }: CaseReport): string {
  const rows = readings.map((reading) => [
    reading.step,
    reading.reader,
    reading.microsecondsPerEvent.toFixed(2),
    reading.timesFloor.toFixed(2),
    reading.megabytesPerSecond.toFixed(0),
  ]);
  const size = `${events} events, ${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${title} (${size})\n${tableOf(['step', 'reader', 'µs/event', '× floor', 'MB/s'], rows)}`;
}

export function growthTable(growths: readonly Growth[]): string {
  const rows = growths.map(({ step, input, milliseconds, ratio }) => [
    step,
    input,
    milliseconds.toFixed(1),
    ratio.toFixed(2),
  ]);
  return `Twice the input (2 is linear, 4 quadratic)\n${tableOf(['step', 'input', 'ms', '× for twice'], rows)}`;
}

/** Columns as wide as their widest cell: two of words, then numbers. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const lineOf = (line: readonly string[]): string =>
    line
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return lines.map((line) => `  ${lineOf(line)}`.trimEnd()).join('\n');
}
