import type { Payload } from '../../src/payload';
import type { Lifecycle } from '../../src/provider';
import { providerFailure } from '../../src/providerFailure';
import { objectIn, objectOf, without, wordIn, type WireObject } from '../../src/wire';

/** Words for a runner that broke down or has too much to do: the same request may succeed. There are no codes. */
const RETRYABLE = /running the model|runner process|server busy|overloaded|time(d )?out/i;

/** Fields of a line, and of its message, that say nothing of the answer. */
const ENVELOPE: ReadonlySet<string> = new Set(['model', 'remote_model', 'remote_host', 'created_at', 'role', 'done']);

/** What a line says of the life of the answer. */
export function ollamaLifecycleOf({ value }: Payload, provider: string): Lifecycle {
  const line = objectOf(value);
  if (line === undefined) return { phase: 'content' };
  const failure = wordIn(line, 'error') ?? wordIn(objectIn(line, 'error'), 'message');
  if (failure !== undefined) {
    const retryable = RETRYABLE.test(failure);
    return { phase: 'content', error: providerFailure(failure, { provider, retryable }) };
  }
  if (line['done'] === true) return { phase: 'content', ending: 'final' };
  return { phase: isPadding(line) ? 'idle' : 'content' };
}

/** A line in the form of an answer that adds nothing to it. */
function isPadding(line: WireObject): boolean {
  const message = objectIn(line, 'message');
  if (message) return isBare(message) && isBare(without(line, 'message'));
  return line['response'] === '' && isBare(line);
}

function isBare(wire: WireObject): boolean {
  return Object.keys(wire).every((field) => ENVELOPE.has(field) || wire[field] === '');
}
