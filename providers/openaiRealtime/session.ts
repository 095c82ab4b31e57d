import type { ModelEvent } from '../../src/events';
import type { Payload } from '../../src/payload';
import type { Provider } from '../../src/provider';
import type { Stage } from '../../src/stage';
import { objectOf } from '../../src/wire';
import type { OpenAIResponsesTurn } from '../openaiResponses';
import { callFactsOf } from '../openaiResponses/calls';
import { createResponsesMapper } from '../openaiResponses/mapper';
import { usageOf } from '../openaiResponses/usage';
import { delegatedEventIn } from './delegated';
import { createRealtimeMapper, type SessionFacts } from './mapper';

/** Makes the mappers of one connection. */
export function createRealtimeSession(name: string): Pick<Provider<OpenAIResponsesTurn>, 'createMapper'> {
  const session: SessionFacts = { model: undefined, mimeType: undefined };
  return { createMapper: () => createMapper(name, session) };
}

/** Translates the events of one response: one of the session, or one that a Live session delegates. */
function createMapper(name: string, session: SessionFacts): Stage<Payload, ModelEvent<OpenAIResponsesTurn>> {
  const own = createRealtimeMapper(name, session);
  let delegated: Stage<Payload, ModelEvent<OpenAIResponsesTurn>> | undefined;
  return {
    push(payload, emit) {
      const value = delegatedEventIn(objectOf(payload.value));
      if (value === undefined) {
        if (!delegated) own.push(payload, emit);
        return;
      }
      if (own.isBegun) return;
      delegated ??= createResponsesMapper({ name, callFactsOf, usageOf });
      delegated.push({ value }, emit);
    },
    end(emit) {
      (delegated ?? own).end(emit);
    },
    fail(error, emit) {
      (delegated ?? own).fail?.(error, emit);
    },
  };
}
