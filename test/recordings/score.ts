/** Prints how many recordings are read as expected, by folder, and what is wrong with the others. */
import { collectionJson, hasCollection } from '../support/shared';
import { cuttingsOf } from './cuttings';
import { isReadable, responsesOf, mismatchesOf, type Expectation } from './reading';

function problemsOf(file: string, expectation: Expectation): string[] {
  return cuttingsOf(file).flatMap(([name, chunks]) =>
    Object.entries(mismatchesOf(expectation, responsesOf(expectation, chunks))).map(
      ([key, mismatch]) => `${file}, ${name}: ${key} ${JSON.stringify(mismatch).slice(0, 400)}`,
    ),
  );
}

function main(): void {
  if (!hasCollection) {
    console.log('The collection of recordings is not present: nothing was read.');
    return;
  }
  const expectations = collectionJson('recordings/EXPECT.json') as Record<string, Expectation>;
  const folders = new Map<string, { good: number; read: number; unread: number }>();
  const problems: string[] = [];
  for (const [file, expectation] of Object.entries(expectations)) {
    const folder = file.split('/', 1)[0]!;
    const count = folders.get(folder) ?? { good: 0, read: 0, unread: 0 };
    folders.set(folder, count);
    if (!isReadable(expectation)) {
      count.unread += 1;
      continue;
    }
    const found = problemsOf(file, expectation);
    count.read += 1;
    if (found.length === 0) count.good += 1;
    problems.push(...found);
  }
  for (const [folder, { good, read, unread }] of folders) {
    const rest = unread > 0 ? `, ${unread} without a provider or framing yet` : '';
    console.log(`${folder.padEnd(28)} ${good} of ${read}${rest}`);
  }
  const total = [...folders.values()].reduce(
    (sum, { good, read }) => ({ good: sum.good + good, read: sum.read + read }),
    {
      good: 0,
      read: 0,
    },
  );
  console.log(`${'all'.padEnd(28)} ${total.good} of ${total.read}`);
  problems.forEach((problem) => {
    console.log(problem);
  });
  if (problems.length > 0) process.exitCode = 1;
}

main();
