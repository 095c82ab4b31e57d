import { objectIn, textIn, type WireObject } from '../../src/wire';

/**
 * The event of OpenAI Responses that an event of a Live session wraps: what is delegated to a model runs there as a response
 * of its own. Undefined for every other event.
 */
export function delegatedEventIn(event: WireObject | undefined): WireObject | undefined {
  return textIn(event, 'type') === 'response.event' ? objectIn(event, 'event') : undefined;
}
