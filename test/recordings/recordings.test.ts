import { collectionJson, describeCollection } from '../support/shared';
import { cuttingsOf } from './cuttings';
import { isReadable, responsesOf, mismatchesOf, type Expectation } from './reading';

describeCollection('recorded streams mean what they say, however they are cut', 216, () => {
  const expectations = collectionJson('recordings/EXPECT.json') as Record<string, Expectation>;
  const readable = Object.entries(expectations).filter(([, expectation]) => isReadable(expectation));

  it('has recordings to read', () => {
    expect(readable.length).toBeGreaterThanOrEqual(216);
  });

  it.each(readable)('%s', (file, expectation) => {
    for (const [name, chunks] of cuttingsOf(file)) {
      expect([name, mismatchesOf(expectation, responsesOf(expectation, chunks))]).toEqual([name, {}]);
    }
  });
});
