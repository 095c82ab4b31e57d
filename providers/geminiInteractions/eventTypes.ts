import { objectIn, objectOf, wordIn, type WireObject } from '../../src/wire';
import type { WireStep } from './turn';

/** The names until June 2026, when an interaction had contents in place of steps. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['interaction.start', 'interaction.created'],
  ['interaction.complete', 'interaction.completed'],
  ['content.start', 'step.start'],
  ['content.delta', 'step.delta'],
  ['content.stop', 'step.stop'],
]);

/** What can stand in the `content` of a `model_output` step. */
export const CONTENT_TYPES: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'video', 'document']);

/** The type of an event, by its name of today. */
export function eventTypeOf(event: WireObject | undefined): string | undefined {
  const name = wordIn(event, 'event_type');
  return name === undefined ? undefined : (OLD_NAMES.get(name) ?? name);
}

/** The step with which a `step.start` or a `content.start` begins. */
export function stepIn(event: WireObject): WireStep | undefined {
  return stepOf(objectIn(event, 'step') ?? event['content']);
}

/** A step, or a content of old as the step it is today; undefined when it is neither. */
export function stepOf(value: unknown): WireStep | undefined {
  const wire = objectOf(value);
  const type = wordIn(wire, 'type');
  if (type === undefined) return undefined;
  return CONTENT_TYPES.has(type) ? { type: 'model_output', content: [wire] } : { ...wire, type };
}
