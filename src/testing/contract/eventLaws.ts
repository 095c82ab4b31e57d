import type { ModelEvent } from '../../events';
import { brokenByBlocks } from './blockLaws';

/** The laws of the event vocabulary that these events of one response break; none, where all is well. */
export function brokenLaws(provider: string, events: readonly ModelEvent[], isComplete: boolean): string[] {
  return [...brokenByResponse(provider, events, isComplete), ...brokenByBlocks(events, isComplete)];
}

/** The laws that the events of a session break: those of each of its responses, the last of which may be cut. */
export function brokenSessionLaws(provider: string, events: readonly ModelEvent[], isCut: boolean): string[] {
  const responses = responsesIn(events);
  return responses.flatMap((response, place) => {
    const isInside = response.some(({ type }) => type === 'response-start');
    const isComplete = response.at(-1)?.type === 'finish';
    const isLeftOpen = isInside && !isComplete && !(isCut && place === responses.length - 1);
    const first = response.findIndex(({ type }) => type !== 'usage' && type !== 'raw');
    const between = response.slice(0, Math.max(0, first)); // raw and usage may come there
    const own = first === -1 ? [] : response.slice(first);
    const before = between.filter(({ type }) => type === 'raw');
    const broken = brokenLaws(provider, [...before, ...own], isComplete);
    return isLeftOpen ? [...broken, `response ${place} is left open`] : broken;
  });
}

/** The events of each response, with what came between it and the one before. */
export function responsesIn(events: readonly ModelEvent[]): ModelEvent[][] {
  let response: ModelEvent[] = [];
  const responses = [response];
  for (const event of events) {
    response.push(event);
    if (event.type !== 'finish') continue;
    response = [];
    responses.push(response);
  }
  return responses;
}

/** One response: it begins once and before everything but `raw`, ends once, and nothing comes after. */
function* brokenByResponse(provider: string, events: readonly ModelEvent[], isComplete: boolean): Generator<string> {
  const types = events.map(({ type }) => type);
  const spoken = types.filter((type) => type !== 'raw');
  const count = (wanted: ModelEvent['type']): number => types.filter((type) => type === wanted).length;
  if (spoken.length > 0 && spoken[0] !== 'response-start') yield `begins with ${String(spoken[0])}`;
  if (count('response-start') > 1) yield 'begins twice';
  if (count('finish') !== (isComplete ? 1 : 0)) yield `has ${count('finish')} finish`;
  if (isComplete && types.at(-1) !== 'finish') yield `ends with ${String(types.at(-1))}`;
  if (count('error') + count('restart') > 0) yield 'has events that belong to other operators';
  for (const event of events) {
    if (event.type === 'response-start' && event.provider !== provider) yield `begins as ${event.provider}`;
    if (event.type !== 'raw') continue;
    if (event.provider !== provider) yield `raw of ${event.provider}`;
    if (event.event === undefined) yield 'raw without the payload';
  }
}
