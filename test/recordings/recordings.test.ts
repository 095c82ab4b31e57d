import { collectionJson, describeCollection } from '../support/shared';
import { cuttingsOf } from './cuttings';
import { isReadable, responsesOf, mismatchesOf, recordCountOf, type Expectation } from './reading';

describeCollection('recorded streams mean what they say, however they are cut', 232, () => {
  const expectations = collectionJson('recordings/EXPECT.json') as Record<string, Expectation>;
  const readable = Object.entries(expectations).filter(([, expectation]) => isReadable(expectation));

  const unnamed = Object.entries(expectations).filter(([, { provider }]) => provider === null);

  it('has recordings to read', () => {
    expect(readable.length).toBeGreaterThanOrEqual(226);
  });

  it.each(readable)('%s', (file, expectation) => {
    for (const [name, chunks] of cuttingsOf(file)) {
      expect([name, mismatchesOf(expectation, responsesOf(expectation, chunks))]).toEqual([name, {}]);
    }
  });

  it.each(unnamed)('%s, for which no provider is named, has its records', (file, expectation) => {
    for (const [name, chunks] of cuttingsOf(file)) {
      expect([name, recordCountOf(expectation, chunks)]).toEqual([name, expectation.records]);
    }
  });
});
