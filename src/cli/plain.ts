import { auditTime, defer, takeLast, tap } from 'rxjs';
import type { Snapshot } from '../index';
import { hasEnded } from './answer';
import { REDRAW_MS, type Display } from './display';
import { linesOf, passagesOf, type Line, type Passage } from './passages';

/** What of an answer was printed so far, and which lines of it came last. */
export interface Printout {
  readonly lines: readonly string[];
  readonly printed: readonly Extent[];
}

/** How far a passage goes, or a part of it. */
interface Extent {
  readonly characters: number;
  readonly notes: number;
}

const NOTHING: Extent = { characters: 0, notes: 0 };

export const emptyPrintout: Printout = { lines: [], printed: [] };

/** Prints each line once it is complete, after the label of its model: for files, pipes and logs. */
export function plainDisplay(write: (text: string) => void): Display {
  return (title, answers) =>
    defer(() => {
      let printouts: readonly Printout[] = [];
      if (title !== undefined) write(`${title}\n\n`);
      return answers.pipe(
        auditTime(REDRAW_MS),
        tap({
          next: (latest) => {
            const labelWidth = Math.max(...latest.map(({ label }) => label.length));
            printouts = latest.map(({ snapshot }, index) => nextPrintout(printouts[index] ?? emptyPrintout, snapshot));
            for (const [index, { lines }] of printouts.entries()) {
              const label = latest[index]?.label ?? '';
              for (const line of lines) write(`${label.padEnd(labelWidth)} │ ${line}\n`);
            }
          },
          complete: () => {
            write('\n');
          },
        }),
        takeLast(1),
      );
    });
}

/** Prints what became complete since the printout before. What was printed stands, whatever the answer says later. */
export function nextPrintout(before: Printout, snapshot: Snapshot): Printout {
  const passages = passagesOf(snapshot);
  const parts = passages.map((passage, index) => {
    const isWhole = hasEnded(snapshot) || (index < passages.length - 1 && !passage.isOpen);
    const extent = isWhole ? wholeOf(passage) : completeLinesOf(passage);
    return { extent, lines: linesBetween(passage, before.printed[index] ?? NOTHING, extent) };
  });
  return { lines: parts.flatMap(({ lines }) => lines), printed: parts.map(({ extent }) => extent) };
}

function wholeOf({ text, notes }: Passage): Extent {
  return { characters: text.length, notes: notes.length };
}

function completeLinesOf({ text }: Passage): Extent {
  return { characters: text.lastIndexOf('\n') + 1, notes: 0 };
}

function linesBetween(passage: Passage, from: Extent, to: Extent): readonly string[] {
  const { mark, notes } = passage;
  const continued = from.characters === 0 ? mark : ' '.repeat(mark.length);
  const text = passage.text.slice(from.characters, to.characters);
  return [...linesOf({ ...passage, mark: continued, text }), ...notes.slice(from.notes, to.notes)]
    .filter((line) => line.text.trim() !== '')
    .map(({ mark, text }: Line) => mark + text.trimEnd());
}
