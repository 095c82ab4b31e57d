import { concatMap, EMPTY, expand, from, last, map, type Observable } from 'rxjs';
import { accumulateBlocks, fromModel, textOf, toolCallsOf, toolResultsFor, type Snapshot } from 'rx-model-stream';
import { tern, type TernTurn } from './provider';

/** What the tools give back, by their name. */
const TOOLS: Readonly<Record<string, unknown>> = { next_tide: { at: '18:40' }, sunrise: '06:12' };

/** Asks Tern, runs the tools it calls, and asks again until it calls no more: a line for each call and answer. */
export function conversation(url: string): Observable<string> {
  const provider = tern();
  const ask = (messages: readonly object[]) =>
    fromModel(provider, { url, body: { messages } }).pipe(
      accumulateBlocks(),
      last(),
      map((answer) => ({ messages, answer })),
    );
  return ask([{ from: 'user', say: 'When does the tide turn?' }]).pipe(
    expand(({ messages, answer }) => {
      const results = toolCallsOf(answer).map((call) => ({ call, content: TOOLS[call.name] }));
      if (results.length === 0 || !answer.turn) return EMPTY;
      return ask([...messages, answer.turn, ...toolResultsFor(provider, results, answer.turn)]);
    }),
    concatMap(({ answer }) => from(linesOf(answer))),
  );
}

function linesOf(answer: Snapshot<TernTurn>): string[] {
  const calls = toolCallsOf(answer).map(({ name, arguments: text }) => `tool   ${name}(${text})`);
  return [`model  ${textOf(answer).trim()} (${answer.usage?.inputTokens} tokens read)`, ...calls];
}
