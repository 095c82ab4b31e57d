import type { ToolCallBlock } from '../../blocks';
import type { ModelEvent } from '../../events';
import type { Provider } from '../../provider';
import { toolResultsFor } from '../../toolResults';
import type { TokenUsage } from '../../usage';
import { differenceBetween } from './difference';
import { responsesIn } from './eventLaws';
import { readFrames } from './reading';
import type { Law } from './subject';

/** What a provider owes for what its answers say: their tokens, their turn, their calls. */
export const ANSWER_LAWS: readonly Law[] = [
  {
    law: 'counts what came from a cache as input, and nothing below zero',
    check({ provider, frames }) {
      for (const event of readFrames(provider, frames).events) if (event.type === 'usage') demandCounted(event.usage);
    },
  },
  {
    law: 'gives a turn that JSON carries to the next request unchanged',
    check({ provider, frames }) {
      for (const event of readFrames(provider, frames).events) {
        if (event.type === 'finish' && event.turn !== undefined) demandJson('The turn', event.turn);
      }
    },
  },
  {
    law: 'writes an answer to each tool call, which quotes it',
    check({ provider, frames }) {
      for (const response of responsesIn(readFrames(provider, frames).events)) {
        const finish = response.find((event) => event.type === 'finish');
        for (const call of answerableCalls(response)) demandAnswer(provider, call, finish?.turn);
      }
    },
  },
];

/** Reasoning may exceed the output: OpenRouter counts the two with different tokenizers. */
function demandCounted(usage: TokenUsage): void {
  const { inputTokens = Infinity, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  for (const [name, count] of Object.entries(usage)) {
    if (typeof count === 'number' && !(count >= 0)) throw new Error(`The usage has ${name} ${count}`);
  }
  if (cachedInputTokens + cacheWriteTokens <= inputTokens) return;
  const parts = `${cachedInputTokens} read from a cache and ${cacheWriteTokens} written to it`;
  throw new Error(`Of ${inputTokens} input tokens ${parts} are more than the whole`);
}

function demandJson(what: string, value: unknown): void {
  const difference = differenceBetween(JSON.parse(JSON.stringify(value)), value);
  if (difference !== undefined) throw new Error(`${what} is not what JSON makes of it: ${difference}`);
}

/** The calls of a whole response that the client runs and that can be answered by what they are called. */
function answerableCalls(response: readonly ModelEvent[]): ToolCallBlock[] {
  return response.flatMap((event) => {
    if (event.type !== 'block-end' || event.block.kind !== 'tool-call') return [];
    const { state, providerExecuted, syntheticId } = event.block;
    return state === 'whole' && !providerExecuted && !syntheticId ? [event.block] : [];
  });
}

function demandAnswer(provider: Provider, call: ToolCallBlock, turn: unknown): void {
  if (!provider.toolResults) throw new Error(`There is a call of ${call.name}, and toolResults is missing`);
  const messages = answerTo(provider, call, turn);
  if (messages === undefined) return;
  const isQuoted = [call.id, call.name].some((word) => JSON.stringify(messages).includes(JSON.stringify(word)));
  if (!isQuoted) throw new Error(`No answer to the call ${call.id} of ${call.name} quotes its id or name`);
  demandJson(`The answer to ${call.name}`, messages);
}

/** Undefined where the call takes no such result, which a provider says with a RangeError. */
function answerTo(provider: Provider, call: ToolCallBlock, turn: unknown): unknown[] | undefined {
  try {
    return toolResultsFor(provider, [{ call, content: { done: true } }], turn);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
