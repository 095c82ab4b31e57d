/** Prints how many recordings are read as expected, by folder, and what is wrong with the others. */
import { collectionJson, hasCollection } from '../support/shared';
import { cuttingsOf } from './cuttings';
import { isReadable, mismatchesOf, recordCountOf, responsesOf, type Expectation } from './reading';

function problemsOf(file: string, expectation: Expectation): string[] {
  return cuttingsOf(file).flatMap(([name, chunks]) =>
    Object.entries(mismatchesOf(expectation, responsesOf(expectation, chunks))).map(
      ([key, mismatch]) => `${file}, ${name}: ${key} ${JSON.stringify(mismatch).slice(0, 400)}`,
    ),
  );
}

/** Of a recording for which no provider is named only the number of its records can be wrong. */
function miscountsOf(file: string, expectation: Expectation): string[] {
  return cuttingsOf(file).flatMap(([name, chunks]) => {
    const count = recordCountOf(expectation, chunks);
    return count === expectation.records ? [] : [`${file}, ${name}: ${count} records, not ${expectation.records}`];
  });
}

interface Score {
  good: number;
  read: number;
  /** Recordings that name no provider, and whose records are counted. */
  counted: number;
  unread: number;
}

function lineOf(title: string, { good, read, counted, unread }: Score): string {
  const others = [
    ...(counted > 0 ? [`${counted} that name no provider have their records`] : []),
    ...(unread > 0 ? [`${unread} without a provider or framing yet`] : []),
  ];
  return [`${title.padEnd(28)} ${good} of ${read}`, ...others].join(', ');
}

function main(): void {
  if (!hasCollection) {
    console.log('The collection of recordings is not present: nothing was read.');
    return;
  }
  const expectations = collectionJson('recordings/EXPECT.json') as Record<string, Expectation>;
  const folders = new Map<string, Score>();
  const all: Score = { good: 0, read: 0, counted: 0, unread: 0 };
  const problems: string[] = [];
  for (const [file, expectation] of Object.entries(expectations)) {
    const folder = file.split('/', 1)[0]!;
    const own = folders.get(folder) ?? { good: 0, read: 0, counted: 0, unread: 0 };
    folders.set(folder, own);
    const isNamed = expectation.provider !== null;
    const isRead = isReadable(expectation);
    const found = isRead ? problemsOf(file, expectation) : isNamed ? [] : miscountsOf(file, expectation);
    for (const score of [own, all]) {
      if (isRead) score.read += 1;
      else if (isNamed) score.unread += 1;
      if (found.length > 0) continue;
      if (isRead) score.good += 1;
      else if (!isNamed) score.counted += 1;
    }
    problems.push(...found);
  }
  for (const [folder, score] of folders) console.log(lineOf(folder, score));
  console.log(lineOf('all', all));
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}

main();
