import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Block, Snapshot } from 'rx-model-stream';
import { plainDisplay, emptyPrintout, nextPrintout } from '../../src/cli/plain';
import { passagesOf } from '../../src/cli/passages';
import { marbles } from '../support/marbles';
import { answerWith, growingAnswers, snapshotWith } from './answers';

/** All lines that are printed when these snapshots are looked at, one after another. */
function printed(...snapshots: readonly Snapshot[]): string[] {
  const lines: string[] = [];
  let printout = emptyPrintout;
  for (const snapshot of snapshots) {
    printout = nextPrintout(printout, snapshot);
    lines.push(...printout.lines);
  }
  return lines;
}

function showing(...blocks: Block[]): Snapshot {
  return snapshotWith({ blocks });
}

function said(text: string): Block {
  return { kind: 'text', text };
}

/** Some of the snapshots, the last one among them. */
function looksAt(snapshots: readonly Snapshot[]): fc.Arbitrary<readonly Snapshot[]> {
  return fc.subarray([...snapshots.slice(0, -1)]).map((seen) => [...seen, ...snapshots.slice(-1)]);
}

/** Whether something is said to go on after something else began: then it matters when one looks. */
function isOverlapping({ snapshots }: { readonly snapshots: readonly Snapshot[] }): boolean {
  return snapshots.some((snapshot, place) => {
    const before = place === 0 ? [] : passagesOf(snapshots[place - 1]!);
    const after = passagesOf(snapshot);
    return before.slice(0, -1).some(({ text, notes }, index) => {
      return text !== after[index]?.text || !isDeepStrictEqual(notes, after[index].notes);
    });
  });
}

describe('nextPrintout', () => {
  it('prints a line when it is complete, and the rest when something else begins', () => {
    const thought: Block = { kind: 'reasoning', text: 'so' };
    expect(printed(showing(said('one')))).toEqual([]);
    expect(printed(showing(said('one\ntw')))).toEqual(['one']);
    expect(printed(showing(said('one\ntw')), showing(said('one\ntwo'), thought))).toEqual(['one', 'two']);
  });

  it('prints the rest when the answer has ended, however it did', () => {
    for (const status of ['complete', 'failed', 'stopped'] as const) {
      expect(printed({ ...showing(said('one')), status })[0]).toBe('one');
    }
  });

  it('is not misled by a block that was empty and fills late', () => {
    const empty: Block = { kind: 'reasoning', text: '' };
    const filled: Block = { kind: 'reasoning', text: 'so' };
    expect(printed(showing(empty, said('one\n')), showing(filled, said('one\ntwo\n')))).toEqual(['one', '~ so', 'two']);
  });

  it('waits for the arguments of a call although something else has begun', () => {
    const open = { kind: 'tool-call', id: 'c', name: 'look', arguments: '{', format: 'json', state: 'open' } as const;
    const whole = { ...open, arguments: '{}', state: 'whole' } as const;
    expect(printed(showing(open, said('')))).toEqual([]);
    expect(printed(showing(open, said('a\n')), showing(whole, said('a\nb')))).toEqual(['a', '→ look {}']);
  });

  it('prints citations below the text that they belong to, and one that comes late when it comes', () => {
    const cited: Block = { kind: 'text', text: 'Blue.', citations: [{ url: 'https://sky.example', raw: {} }] };
    const next: Block = { kind: 'reasoning', text: 'so' };
    expect(printed(showing(cited))).toEqual([]);
    expect(printed(showing(cited), showing(cited, next))).toEqual(['Blue.', '[1] https://sky.example']);
    expect(printed(showing(said('Blue.'), next), showing(cited, next))).toEqual(['Blue.', '[1] https://sky.example']);
  });

  it('begins anew when the answer does', () => {
    const begun = showing(said('one\ntwo'));
    expect(printed(begun, snapshotWith({ status: 'idle' }), begun)).toEqual(['one', 'one']);
  });

  it.each(growingAnswers.filter((sample) => !isOverlapping(sample)))(
    'prints the same lines of $name however often it looks',
    ({ snapshots }) => {
      const atOnce = printed(...snapshots.slice(-1));
      fc.assert(
        fc.property(looksAt(snapshots), (seen) => {
          expect(printed(...seen)).toEqual(atOnce);
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each(growingAnswers.filter(isOverlapping))('loses and repeats nothing of $name, whose parts overlap', (sample) => {
    const letters = (lines: readonly string[]): string[] => Array.from(lines.join('').replaceAll(' ', '')).sort();
    const atOnce = printed(...sample.snapshots.slice(-1));
    fc.assert(
      fc.property(looksAt(sample.snapshots), (seen) => {
        expect(letters(printed(...seen))).toEqual(letters(atOnce));
      }),
      { numRuns: 20 },
    );
  });
});

describe('plainDisplay', () => {
  it(
    'writes the title, each complete line after the label of its model, and emits the last state',
    marbles(({ cold, expectObservable, flush }) => {
      const states = {
        a: [answerWith([said('on')], { label: 'One' }), answerWith([], { label: 'Other' })],
        b: [answerWith([said('one\n')], { label: 'One' }), answerWith([said('two\n')], { label: 'Other' })],
      };
      let output = '';
      const display = plainDisplay((text) => {
        output += text;
      });
      const answers = cold('              a 99ms b 99ms |', states);
      expectObservable(display('Title', answers)).toBe('200ms (b|)', states);
      flush();
      expect(output).toBe('Title\n\nOne   │ one\nOther │ two\n\n');
    }),
  );
});
