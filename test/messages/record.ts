/** Before each test file: notes the message of every error that the library makes while the tests of the file run. */
import type * as errors from '../../src/errors';
import { keep, type WrittenMessage } from './sink';

/** Jest asks for such a name where its mock uses a variable. */
const mockMessages = new Map<string, WrittenMessage>();

jest.mock('../../src/errors', () => {
  const actual = jest.requireActual<typeof errors>('../../src/errors');
  const ModelStreamError = new Proxy(actual.ModelStreamError, {
    construct(target, given, newTarget: NewableFunction) {
      const error = Reflect.construct(target, given, newTarget) as InstanceType<typeof target>;
      mockMessages.set(error.code + error.message, { code: error.code, message: error.message });
      return error;
    },
  });
  return { ...actual, ModelStreamError };
});

afterAll(() => {
  keep(mockMessages.values());
});
