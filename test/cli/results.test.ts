import type { TokenUsage } from 'rx-model-stream';
import type { Answer } from '../../src/cli/answer';
import { resultTable, type Result } from '../../src/cli/results';
import { answerWith, snapshotWith } from './answers';

function ended(label: string, usage: TokenUsage | undefined, fields: Partial<Answer> = {}): Answer {
  const snapshot = snapshotWith({ status: 'complete', finishReason: 'stop', usage });
  return answerWith([], { label, snapshot, askedAt: 1000, firstTokenAt: 1234, endedAt: 13_345, ...fields });
}

const usage = { inputTokens: 12_345, cachedInputTokens: 0, outputTokens: 7, reasoningTokens: 5, costUsd: 0.001234 };
const both: readonly Result[] = [
  { title: 'First', answers: [ended('One', usage), ended('Other', { inputTokens: 1 })] },
  { title: 'Second', answers: [ended('One', undefined)] },
];

describe('resultTable', () => {
  it('has a row for each answer, below the title of what was asked', () => {
    expect(resultTable(both, 82)).toBe(
      [
        '         finish   input  cached  output  reasoning     cost  first token  duration',
        '──────────────────────────────────────────────────────────────────────────────────',
        'First',
        '  One    stop    12,345       0       7          5  $0.0012       0.23 s   12.35 s',
        '  Other  stop         1                                           0.23 s   12.35 s',
        'Second',
        '  One    stop                                                     0.23 s   12.35 s',
      ].join('\n'),
    );
  });

  it('has a column for each answer where rows would be too wide', () => {
    expect(resultTable(both, 81)).toBe(
      [
        'First            One    Other',
        '─────────────────────────────',
        'finish          stop     stop',
        'input         12,345        1',
        'cached             0',
        'output             7',
        'reasoning          5',
        'cost         $0.0012',
        'first token   0.23 s   0.23 s',
        'duration     12.35 s  12.35 s',
        '',
        'Second           One',
        '────────────────────',
        'finish          stop',
        'first token   0.23 s',
        'duration     12.35 s',
      ].join('\n'),
    );
  });

  it('leaves out figures that no answer has, and a title that is not there', () => {
    expect(resultTable([{ answers: [ended('One', { outputTokens: 7 })] }], 80)).toBe(
      [
        '     finish  output  first token  duration',
        '──────────────────────────────────────────',
        'One  stop         7       0.23 s   12.35 s',
      ].join('\n'),
    );
  });

  it('says of an answer that was broken off how much it was at least', () => {
    const table = resultTable([{ answers: [ended('One', { inputTokens: 9, partial: true })] }], 80);
    expect(table).toContain('≥ 9');
  });
});
