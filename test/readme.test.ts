import type { ModelEvent, Provider, TokenUsage } from 'rx-model-stream';
import * as providers from 'rx-model-stream/providers';
import { expectedEventsOf, fixturesOf } from './support/fixtures';
import { readProjectFile } from './support/project';

/** What the README says of a provider, column by column, over all of the tables. */
type Row = ReadonlyMap<string, string>;

const factories: readonly (readonly [name: string, create: () => Provider])[] = Object.entries(providers);
const section = /\n## Providers\n([^]*?)\n### /.exec(readProjectFile('README.md'))![1]!;
const tables = section.split('\n\n').filter((part) => part.startsWith('| provider'));

function rowsOf(table: string): (readonly [name: string, row: Row])[] {
  const [head = [], , ...rows] = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((cells) => [
    /^`(\w+)\(\)`$/.exec(cells[1]!)![1]!,
    new Map(head.map((title, column) => [title, cells[column]!])),
  ]);
}

/** The cell of a provider under this title. */
function cellOf(name: string, title: string): string {
  const rows = tables.flatMap(rowsOf).filter(([named, row]) => named === name && row.has(title));
  return rows[0]![1].get(title)!;
}

/** What the fixtures of a provider mean. */
function eventsOf(provider: Provider): ModelEvent[] {
  return fixturesOf(provider.name).flatMap((fixture) => expectedEventsOf(provider.name, fixture) as ModelEvent[]);
}

/** Numbers beside input and output, and the words for them. */
const COUNTERS: readonly (readonly [field: keyof TokenUsage, word: RegExp])[] = [
  ['cachedInputTokens', /\bcached\b/],
  ['cacheWriteTokens', /\bcache writes\b/],
  ['reasoningTokens', /\breasoning\b/],
  ['costUsd', /\bcost\b/],
];

/** Its fixtures are those of `anthropic()`. */
const WITH_FIXTURES = factories.filter(([name]) => name !== 'anthropicOnBedrock');

describe('the tables of providers in the README', () => {
  it('have a row for each provider, in the same order, and no other', () => {
    const names = factories.map(([name]) => name).sort();
    const order = tables.map((table) => rowsOf(table).map(([name]) => name));
    expect(order).toHaveLength(3);
    expect([...order[0]!].sort()).toEqual(names);
    expect(order).toEqual(order.map(() => order[0]));
  });

  it('leave no cell empty', () => {
    const empty = tables.flatMap(rowsOf).flatMap(([name, row]) => {
      return [...row].filter(([title, cell]) => title !== '' && cell === '').map(([title]) => `${name}: ${title}`);
    });
    expect(empty).toEqual([]);
  });

  it.each(factories)('say of %s whether an answer goes on, and whether its calls can be answered', (name, create) => {
    expect(cellOf(name, 'resume') === 'none on the wire').toBe(create().resume === undefined);
    expect(cellOf(name, 'tools') === 'none').toBe(create().toolResults === undefined);
  });

  it.each(WITH_FIXTURES)('say of %s whether it has reasoning, and what it counts', (name, create) => {
    const events = eventsOf(create());
    const hasReasoning = events.some((event) => event.type === 'block-start' && event.block.kind === 'reasoning');
    expect(cellOf(name, 'reasoning') === 'none').toBe(!hasReasoning);
    const usages = events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
    const usage = cellOf(name, 'usage');
    expect(usage === 'none').toBe(usages.length === 0);
    for (const [field, word] of COUNTERS) {
      expect([field, word.test(usage)]).toEqual([field, usages.some((counted) => counted[field] !== undefined)]);
    }
  });

  it.each(factories)('say of %s that it was read on a day', (name) => {
    expect(cellOf(name, 'read')).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
