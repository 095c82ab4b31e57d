import type { ModelEvent } from './events';
import type { Frame } from './frame';
import { payloadOf } from './payload';
import type { Provider } from './provider';

/**
 * Whether an event is part of the answer itself: what belongs to a block. The beginning of the response, usage, `raw` and
 * endings are not.
 *
 * @example
 * ```ts
 * import { isContent } from 'rx-model-stream';
 *
 * console.log(isContent({ type: 'text-delta', index: 0, text: 'Hi' })); // true
 * console.log(isContent({ type: 'response-start', provider: 'demo' })); // false
 * ```
 *
 * @see {@link isContentOf}, for frames
 */
export function isContent(event: ModelEvent): boolean {
  return 'index' in event;
}

/**
 * Tells the frames of a provider that are part of the answer itself from keep-alives, hints, and what comes before content.
 * What the provider does not know is content, as everywhere, and so are endings and failures.
 *
 * @param provider - Whose words the frames are.
 * @returns A function that looks at one frame.
 *
 * @example
 * ```ts
 * import { anthropic, isContentOf } from 'rx-model-stream';
 *
 * console.log(isContentOf(anthropic())({ type: 'json', value: { type: 'ping' } })); // false
 * ```
 *
 * @see {@link isContent}, for events
 */
export function isContentOf(provider: Provider): (frame: Frame) => boolean {
  return (frame) => {
    try {
      const payload = payloadOf(frame, provider.eventData);
      return payload !== undefined && provider.lifecycleOf(payload).phase === 'content';
    } catch {
      return true; // whoever reads the frame says what is wrong with it
    }
  };
}
