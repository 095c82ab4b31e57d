import { numberIn, objectIn, wordIn, type WireObject } from '../../src/wire';

/**
 * The words of the beta and of Azure's Voice Live for a sound, which is 24 kHz unless the word has a rate. Source: openai
 * 6.49.0 `resources/beta/realtime`, @azure/ai-voicelive, read 2026-11-30.
 */
const PCM = /^pcm16(?:[-_](\d+)hz)?$/;

const TELEPHONY: ReadonlyMap<string, string> = new Map([
  ['g711_ulaw', 'audio/pcmu'],
  ['g711_alaw', 'audio/pcma'],
]);

/**
 * What the sound of a response is, as the response or its session says: `audio.output.format { type, rate }`, in the beta
 * the word `output_audio_format`. Undefined where it says neither.
 */
export function mimeTypeIn(wire: WireObject | undefined): string | undefined {
  const format = objectIn(objectIn(objectIn(wire, 'audio'), 'output'), 'format');
  const type = wordIn(format, 'type');
  if (type === undefined) return mimeTypeOf(wordIn(wire, 'output_audio_format') ?? '');
  const rate = numberIn(format, 'rate');
  return rate === undefined ? type : `${type};rate=${rate}`;
}

function mimeTypeOf(word: string): string | undefined {
  const pcm = PCM.exec(word);
  return pcm ? `audio/pcm;rate=${pcm[1] ?? '24000'}` : TELEPHONY.get(word);
}
