import { emptySnapshot, isModelStreamError, ModelStreamError, type ModelStreamErrorDetails } from 'rx-model-stream';
import { withDetails } from '../../src/errors';
import { plainError } from '../support/outcome';

const facts: ModelStreamErrorDetails = {
  provider: 'demo',
  status: 529,
  providerCode: 'overloaded_error',
  retryable: true,
  retryAfterMs: 1000,
  requestId: 'request_1',
  responseId: 'response_1',
  cursor: '7',
};
const cause = new Error('secret words');
const failure = new ModelStreamError('provider', 'Overloaded', { ...facts, cause, snapshot: emptySnapshot });
const plainFailure = {
  ...facts,
  name: 'ModelStreamError',
  code: 'provider',
  message: 'Overloaded',
  snapshot: emptySnapshot,
};

describe('ModelStreamError', () => {
  it('is an Error with a code and the facts', () => {
    expect(failure).toBeInstanceOf(Error);
    expect(plainError(failure)).toEqual(plainFailure);
    expect(failure.cause).toBe(cause);
  });

  it('is not retryable unless whoever made it knew better', () => {
    expect(new ModelStreamError('network', 'Lost').retryable).toBe(false);
  });

  it('keeps as much of a message and of a code as a log can take', () => {
    const long = new ModelStreamError('provider', 'm'.repeat(5000), { providerCode: 'c'.repeat(5000) });
    expect(long.message).toBe(`${'m'.repeat(999)}…`);
    expect(long.providerCode).toBe('c'.repeat(100));
    expect(withDetails(long, { responseId: 'response_1' }).message).toBe(long.message);
  });

  it('has no cause where there was none', () => {
    expect('cause' in new ModelStreamError('network', 'Lost')).toBe(false);
    expect('cause' in new ModelStreamError('network', 'Lost', { cause: undefined })).toBe(true);
  });

  it('toJSON() gives the code, the message and the facts, never the cause or the snapshot', () => {
    const json = JSON.stringify(failure);
    expect(JSON.parse(json)).toEqual({ code: 'provider', message: 'Overloaded', ...facts });
    expect(json).not.toContain('secret');
  });

  it('toJSON() leaves out what is unknown', () => {
    expect(JSON.parse(JSON.stringify(new ModelStreamError('aborted', 'Stopped')))).toEqual({
      code: 'aborted',
      message: 'Stopped',
      retryable: false,
    });
  });
});

describe('isModelStreamError()', () => {
  it('knows the errors of this package', () => {
    expect(isModelStreamError(failure)).toBe(true);
  });

  it('knows the errors of another copy of this package, whose class is another', () => {
    jest.isolateModules(() => {
      const other = jest.requireActual<{ ModelStreamError: typeof ModelStreamError }>('../../src/errors');
      const foreign = new other.ModelStreamError('network', 'Lost');
      expect(foreign).not.toBeInstanceOf(ModelStreamError);
      expect(isModelStreamError(foreign)).toBe(true);
    });
  });

  it.each([undefined, null, 'network', new Error('network'), { name: 'ModelStreamError', code: 'http' }])(
    'does not know %p',
    (value) => {
      expect(isModelStreamError(value)).toBe(false);
    },
  );
});

describe('withDetails()', () => {
  it('gives a copy with some facts added and the rest as it was, its cause and stack included', () => {
    const copy = withDetails(failure, { cursor: '8' });
    expect(copy).not.toBe(failure);
    expect(isModelStreamError(copy)).toBe(true);
    expect(plainError(copy)).toEqual({ ...plainFailure, cursor: '8' });
    expect(copy.cause).toBe(cause);
    expect(copy.stack).toBe(failure.stack);
    expect(plainError(failure)).toEqual(plainFailure);
  });

  it('takes nothing away by a fact that is not known', () => {
    expect(plainError(withDetails(failure, { responseId: undefined, provider: undefined }))).toEqual(plainFailure);
  });

  it('adds no cause where there was none', () => {
    expect('cause' in withDetails(new ModelStreamError('network', 'Lost'), { cursor: '8' })).toBe(false);
  });
});
