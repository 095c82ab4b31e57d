/** Measures how fast the built package reads model streams, beside the floor and beside its peers. See README.md. */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { dependencies as peers } from './package.json';
import { FULL, generatedCases, QUICK, recordedCases, type Case } from './cases';
import { doublingsOf, growthOf, type Growth } from './linearity';
import { measure } from './measure';
import { aiSdk } from './readers/aiSdk';
import { anthropicReaders } from './readers/anthropic';
import { eventsourceParser } from './readers/eventsourceParser';
import { floor } from './readers/floor';
import { libraryReaders } from './readers/library';
import { openaiReaders } from './readers/openai';
import { STEPS, type Reader } from './readers/reader';
import { caseTable, growthTable, reportOf, type CaseReport } from './report';

const FRAMERS = [eventsourceParser];
const CLIENTS = [...FRAMERS, ...openaiReaders, ...anthropicReaders];
const PEERS: Readonly<Record<Case['peers'], readonly Reader[]>> = {
  framers: FRAMERS,
  clients: CLIENTS,
  all: [...CLIENTS, aiSdk],
};

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const sizes = options.quick ? QUICK : FULL;
const effort = options.quick ? { turns: 1, budgetMs: 0 } : { turns: 4, budgetMs: 500 };

/** Tables are for people; with `--json` only the whole report is printed. */
function say(text: string): void {
  if (!options.json) console.log(`${text}\n`);
}

function isWanted(title: string): boolean {
  return title.toLowerCase().includes(options.only.toLowerCase());
}

/** Who reads this case, in the order in which a stream is understood. */
function readersOf({ streams, peers }: Case): Reader[] {
  const readers = [floor, ...libraryReaders, ...PEERS[peers]];
  const able = readers.filter(({ apis }) => streams.every(({ api }) => apis.includes(api)));
  return able.sort((a, b) => STEPS.indexOf(a.step) - STEPS.indexOf(b.step));
}

async function measuredCases(): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const wanted of [...generatedCases(sizes), ...recordedCases(sizes)].filter(({ title }) => isWanted(title))) {
    if (wanted.streams.length === 0) say(`${wanted.title}: skipped, the collection of recordings is not present`);
    else {
      const report = reportOf(wanted, await measure(readersOf(wanted), wanted.streams, effort));
      say(caseTable(report));
      reports.push(report);
    }
  }
  return reports;
}

async function measuredGrowths(): Promise<Growth[]> {
  const growths: Growth[] = [];
  for (const doubling of isWanted('linearity') ? doublingsOf(sizes) : []) {
    growths.push(await growthOf(doubling, options.quick ? 1 : 7));
  }
  if (growths.length > 0) say(growthTable(growths));
  return growths;
}

const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`;
say(`${machine}\n${Object.entries(peers).flat().join(' ')}`);
const cases = await measuredCases();
const growths = await measuredGrowths();
if (options.json) console.log(JSON.stringify({ machine, peers, cases, growths }, undefined, 2));
