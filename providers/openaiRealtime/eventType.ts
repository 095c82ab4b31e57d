import { textIn, type WireObject } from '../../src/wire';

/** Names of the beta, and what they are called now. Source: openai 6.49.0, `resources/beta/realtime`. */
const BETA_NAMES: ReadonlyMap<string, string> = new Map([
  ['response.text.delta', 'response.output_text.delta'],
  ['response.text.done', 'response.output_text.done'],
  ['response.audio.delta', 'response.output_audio.delta'],
  ['response.audio.done', 'response.output_audio.done'],
  ['response.audio_transcript.delta', 'response.output_audio_transcript.delta'],
  ['response.audio_transcript.done', 'response.output_audio_transcript.done'],
]);

/** The type of an event, by its name of today. */
export function eventTypeOf(event: WireObject | undefined): string {
  const type = textIn(event, 'type') ?? '';
  return BETA_NAMES.get(type) ?? type;
}
