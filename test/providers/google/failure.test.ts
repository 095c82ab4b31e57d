import { failureIn, failureOf } from '../../../providers/google/failure';

const failure = (error: unknown) => failureIn('gemini', { error })?.toJSON();

describe('failureIn() understands what Google reports', () => {
  it.each([
    ['by code and name', { code: 503, message: 'Busy', status: 'UNAVAILABLE' }, 503, 'UNAVAILABLE', true],
    [
      'by its name alone, the code null',
      { code: null, message: 'Busy', status: 'UNAVAILABLE' },
      503,
      'UNAVAILABLE',
      true,
    ],
    ['by its name alone', { message: 'Late', status: 'DEADLINE_EXCEEDED' }, 504, 'DEADLINE_EXCEEDED', true],
    ['by its code alone', { code: 429, message: 'Slow down' }, 429, '429', true],
    [
      'by a code that is a word',
      { code: 'rate_limit_exceeded', message: 'Slow down' },
      undefined,
      'rate_limit_exceeded',
      true,
    ],
    ['by a word for what asking again does not help', { code: 'invalid_request' }, undefined, 'invalid_request', false],
    ['by neither', { message: 'It failed' }, undefined, undefined, false],
  ])('%s', (_what, error, status, providerCode, retryable) => {
    const message = 'message' in error ? error.message : 'The service reported a failure without a message';
    expect(failure(error)).toEqual({
      code: 'provider',
      provider: 'gemini',
      message,
      status,
      providerCode,
      retryable,
    });
  });

  it.each([
    ['INVALID_ARGUMENT', 400, false],
    ['FAILED_PRECONDITION', 400, false],
    ['OUT_OF_RANGE', 400, false],
    ['UNAUTHENTICATED', 401, false],
    ['PERMISSION_DENIED', 403, false],
    ['NOT_FOUND', 404, false],
    ['ABORTED', 409, true],
    ['ALREADY_EXISTS', 409, true],
    ['RESOURCE_EXHAUSTED', 429, true],
    ['CANCELLED', 499, false],
    ['INTERNAL', 500, true],
    ['UNKNOWN', 500, true],
    ['DATA_LOSS', 500, true],
    ['UNIMPLEMENTED', 501, true],
    ['UNAVAILABLE', 503, true],
    ['DEADLINE_EXCEEDED', 504, true],
    ['HOLOGRAM_MISSING', undefined, false],
  ])('%s is the status %s, retryable: %s', (status, number, retryable) => {
    expect(failure({ code: null, status })).toMatchObject({ status: number, providerCode: status, retryable });
  });

  it.each([408, 409, 429, 500, 502, 599])('the status %d may help to ask again', (code) => {
    expect(failure({ code })).toMatchObject({ retryable: true });
  });

  it.each([400, 401, 403, 404, 499])('the status %d does not', (code) => {
    expect(failure({ code })).toMatchObject({ retryable: false });
  });

  it('in an array too', () => {
    const report = { error: { code: 400, message: 'No', status: 'INVALID_ARGUMENT' } };
    expect(failureIn('gemini', [report])?.toJSON()).toEqual(failureIn('gemini', report)?.toJSON());
  });

  it.each([
    ['no error', { candidates: [] }],
    ['an error that is null', { error: null }],
    ['an error that is a text', { error: 'It failed' }],
    ['an empty array', []],
    ['an error behind something else', [{}, { error: { code: 400 } }]],
    ['no object', 7],
  ])('but not %s', (_what, value) => {
    expect(failureIn('gemini', value)).toBeUndefined();
  });

  it.each([
    ['12s', 12_000],
    ['0.25s', 250],
    ['16.1s', 16_100],
    ['34.074824224s', 34_075],
    ['0s', 0],
    ['12', undefined],
    ['1m', undefined],
    ['-3s', undefined],
    [12, undefined],
  ])('a delay of %j is %s ms to wait', (retryDelay, retryAfterMs) => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
      null,
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ];
    expect(failure({ code: 429, details })?.['retryAfterMs']).toBe(retryAfterMs);
  });
});

describe('failureOf()', () => {
  it('makes a failure of nothing at all', () => {
    expect(failureOf('gemini', undefined)).toMatchObject({ code: 'provider', provider: 'gemini', retryable: false });
  });
});
