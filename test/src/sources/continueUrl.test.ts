import { continueUrl, type RelativeUrl } from 'rx-model-stream';

const point: RelativeUrl = { path: '/resp_1', query: { stream: 'true', starting_after: '7' } };

describe('continueUrl()', () => {
  it.each<[string, string | URL, RelativeUrl, string]>([
    [
      '1. appends the path',
      'https://a.example/v1/responses',
      { path: '/r/cancel' },
      'https://a.example/v1/responses/r/cancel',
    ],
    [
      '1. drops a slash at the end',
      'https://a.example/v1/responses/',
      { path: '/r' },
      'https://a.example/v1/responses/r',
    ],
    ['1. repeats the very URL where there is nothing to append', '/relay?a=1', { path: '' }, '/relay?a=1'],
    ['2. keeps the query', '/x?api-version=1', point, '/x/resp_1?api-version=1&stream=true&starting_after=7'],
    [
      '2. overrides the query',
      '/x?stream=false&a=1&stream=no',
      { path: '', query: { stream: 'true' } },
      '/x?a=1&stream=true',
    ],
    [
      '2. names a list once for each word',
      '/x',
      { path: '', query: { 'in[]': ['a', 'b'], none: [] } },
      '/x?in%5B%5D=a&in%5B%5D=b',
    ],
    ['3. takes a URL', new URL('https://a.example/x?y=1'), { path: '/r' }, 'https://a.example/x/r?y=1'],
    ['3. leaves a relative URL relative', 'api/x', { path: '/r' }, 'api/x/r'],
    ['3. drops a fragment', '/x?y=1#top?', { path: '/r' }, '/x/r?y=1'],
  ])('%s', (_what, url, at, expected) => {
    expect(continueUrl(url, at)).toBe(expected);
  });
});
