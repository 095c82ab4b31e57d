/**
 * Lyria RealTime, `BidiGenerateMusic` over a WebSocket, on the Gemini Developer API.
 *
 * Wire: one JSON object a message. Music comes in pieces, faster than it plays, until the client stops it or closes the
 * socket: there is no ending, no usage and no way to go on. A prompt that is refused is a `filteredPrompt`, and the music
 * plays on.
 *
 * Source: types of @google/genai 3.3.0, read 2026-11-30. There is no capture of a real session.
 */
import type { Payload } from '../../src/payload';
import type { Lifecycle, Provider } from '../../src/provider';
import { listIn, objectIn, objectOf } from '../../src/wire';
import { createLyriaMapper } from './mapper';

const NAME = 'lyria';

/**
 * The provider for Lyria RealTime: one response for as long as the music plays.
 *
 * 1. Music is media, one `media-delta` a piece, in blocks of at most 16 MiB: read those events, since a snapshot holds all of it.
 * 2. Closing the socket is the ending (`stop`); before the first piece there is no response.
 * 3. `{ filteredPrompt: { text, filteredReason } }` comes as `raw`.
 *
 * @example
 * ```ts
 * import { lyria } from 'rx-model-stream';
 *
 * const message = { serverContent: { audioChunks: [{ data: 'AAAA', mimeType: 'audio/l16;rate=48000;channels=2' }] } };
 * console.log(lyria().lifecycleOf({ value: message }).ending); // possible
 * ```
 */
export function lyria(): Provider<never> {
  return { name: NAME, session: true, lifecycleOf, createMapper: () => createLyriaMapper(NAME) };
}

function lifecycleOf({ value }: Payload): Lifecycle {
  const message = objectOf(value);
  if (listIn(objectIn(message, 'serverContent'), 'audioChunks').length > 0)
    return { phase: 'content', ending: 'possible' };
  return { phase: message && 'setupComplete' in message ? 'preamble' : 'content' };
}
