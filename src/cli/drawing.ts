import { hasEnded, stateOf, type Answer } from './answer';
import { chunksOf } from './chunksOf';
import { secondsOf } from './figures';
import { linesOf, passagesOf, type Line, type Tone } from './passages';
import { sharesOf } from './sharesOf';

/** What depends on how a terminal shows characters. */
export interface Typesetting {
  /** Breaks a line that exceeds the width, at a space where there is one. */
  readonly wrap: (line: string, width: number) => readonly string[];
  /** How many columns a text takes. */
  readonly widthOf: (text: string) => number;
  readonly paint: (tone: Tone, text: string) => string;
}

/** Room to draw in, in columns and rows. */
export interface Space {
  readonly columns: number;
  readonly rows: number;
}

/** Answers side by side for a moment. */
export interface Scene {
  readonly title?: string | undefined;
  readonly answers: readonly Answer[];
  /** By the clock of the answers. */
  readonly now: number;
}

/** A line that fits its column. */
interface Row {
  readonly tone: Tone;
  readonly text: string;
}

interface Column {
  readonly head: readonly Row[];
  readonly body: readonly Row[];
}

/** Narrower columns are hard to read. Two of this width need 89 columns of the terminal, with what is between them. */
const MIN_COLUMN_WIDTH = 43;
const SEPARATOR = ' │ ';
const EMPTY: Row = { tone: 'text', text: '' };
const LEFT_OUT: Row = { tone: 'quiet', text: '⋮' };

/**
 * Draws answers side by side where there is room for it, else in several bands, one above another. A band that is taller
 * than its share of the rows shows the ends of its answers.
 */
export function drawingOf({ title, answers, now }: Scene, { columns, rows }: Space, typesetting: Typesetting): string {
  const fitting = Math.max(1, Math.floor((columns + SEPARATOR.length) / (MIN_COLUMN_WIDTH + SEPARATOR.length)));
  const columnCount = Math.min(fitting, answers.length);
  const width = Math.floor((columns - SEPARATOR.length * (columnCount - 1)) / columnCount);

  const heading = title === undefined ? [] : [typesetting.paint('heading', title), ''];
  const bands = chunksOf(
    answers.map((answer) => columnOf(answer, now, width, typesetting)),
    columnCount,
  );
  const heights = sharesOf(
    bands.map((band) => Math.max(...band.map(({ head, body }) => head.length + body.length)) + 1),
    rows - heading.length,
  );
  const lines = bands.flatMap((band, index) => [...bandLines(band, (heights[index] ?? 0) - 1, width, typesetting), '']);
  return [...heading, ...lines].slice(-rows).join('\n');
}

function columnOf(answer: Answer, now: number, width: number, typesetting: Typesetting): Column {
  const { label, snapshot } = answer;
  const passages = passagesOf(snapshot)
    .filter(({ text, notes }) => text !== '' || notes.length > 0)
    .map(({ notes, ...line }) => [...linesOf(line), ...notes].flatMap((part) => rowsOf(part, width, typesetting)));
  const names = snapshot.model === undefined ? label : `${label} · ${snapshot.model}`;
  const head = [
    { tone: 'heading', mark: '', text: names },
    { tone: snapshot.status === 'failed' ? 'failure' : 'quiet', mark: '', text: progressOf(answer, now) },
  ] as const;
  return {
    head: head.flatMap((line) => rowsOf(line, width, typesetting)),
    body: passages.flatMap((rows) => [EMPTY, ...rows]),
  };
}

function progressOf({ snapshot, askedAt, firstTokenAt, endedAt }: Answer, now: number): string {
  const sign = hasEnded(snapshot) ? (snapshot.status === 'complete' ? '✓' : '✗') : '●';
  const figures = [stateOf(snapshot), secondsOf((endedAt ?? now) - askedAt)];
  if (firstTokenAt !== undefined) figures.push(`first token ${secondsOf(firstTokenAt - askedAt)}`);
  return `${sign} ${figures.join(' · ')}`;
}

/** Wrapped lines keep the indentation of their first row. */
function rowsOf({ tone, mark, text }: Line, width: number, { wrap }: Typesetting): readonly Row[] {
  const content = text.trimStart();
  if (content === '') return [EMPTY];
  const lead = mark + text.slice(0, text.length - content.length);
  const start = lead.length < width / 2 ? lead : mark;
  return wrap(content.trimEnd(), width - start.length).map((piece, index) => ({
    tone,
    text: (index === 0 ? start : ' '.repeat(start.length)) + piece,
  }));
}

function bandLines(
  band: readonly Column[],
  height: number,
  width: number,
  typesetting: Typesetting,
): readonly string[] {
  const columns = band.map((column) => endOf(column, height));
  const rowCount = Math.max(...columns.map((rows) => rows.length));
  return Array.from({ length: rowCount }, (_, index) => {
    const cells = columns.map((rows) => cellOf(rows[index] ?? EMPTY, width, typesetting));
    return cells.join(typesetting.paint('quiet', SEPARATOR)).trimEnd();
  });
}

function endOf({ head, body }: Column, height: number): readonly Row[] {
  const room = height - head.length;
  if (body.length <= room) return [...head, ...body];
  return room < 1 ? head : [...head, LEFT_OUT, ...body.slice(body.length - room + 1)];
}

function cellOf({ tone, text }: Row, width: number, { paint, widthOf }: Typesetting): string {
  return (text === '' ? '' : paint(tone, text)) + ' '.repeat(Math.max(0, width - widthOf(text)));
}
