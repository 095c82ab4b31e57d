import { bytesOfBase64 } from './base64';
import { ModelStreamError } from './errors';
import type { Frame, JsonFrame, SseFrame } from './frame';
import { textOfUtf8 } from './utf8';
import { objectOf, textIn } from './wire';

/** One message of a provider, decoded: what a frame carries. */
export interface Payload {
  readonly value: unknown;
  readonly name?: string;
  readonly lastEventId?: string;
  /** Present when the end of the body cut its event short: JSON parses, but text may be half, and the id not its own. */
  readonly incomplete?: true;
}

/**
 * What the data of an event is. `json`: a JSON text, which is decoded here. `text`: it is handed on as it is, blank and empty
 * included, and the provider knows which events hold JSON nevertheless.
 */
export type EventData = 'json' | 'text';

/** The sentinel with which some providers end a stream. It is no JSON; as a payload it is this text. */
export const DONE = '[DONE]';

/** The event in which Amazon Bedrock passes on what the model itself streams, as `{ bytes }`. */
const CHUNK = 'chunk';

/**
 * The payload of a frame, decoded at most once: a `json` frame is handed on as it is.
 *
 * 1. A frame without content, such as an event whose data is empty or a comment, has no payload.
 * 2. A `stray` frame that is not JSON has no payload either.
 * 3. What a model wrote and Amazon Bedrock put into a `chunk`, as base64, is the payload: its provider finds what it would
 *    find without Bedrock.
 * 4. Where the data of events is text, every event has a payload, even one that the end of the body cut short.
 *
 * Fails with `truncated` when the frame is incomplete and does not parse, with `malformed` when a whole one does not.
 */
export function payloadOf(frame: Frame, eventData: EventData = 'json'): Payload | undefined {
  switch (frame.type) {
    case 'json':
      return frame.name === CHUNK ? unwrapped(frame) : frame;
    case 'sse':
      return eventData === 'text' ? payloadOfText(frame) : payloadOfSse(frame.data, frame);
    case 'stray':
      return payloadOfStray(frame.text, frame.incomplete);
    case 'hint':
    case 'restart':
      return undefined;
  }
}

function payloadOfText(frame: SseFrame): Payload {
  const { data, incomplete } = frame;
  return named(incomplete ? data.replace(/\ufffd$/, '') : data, frame); // half a character, as a rule
}

function payloadOfSse(data: string, frame: SseFrame): Payload | undefined {
  try {
    return named(JSON.parse(data) as unknown, frame);
  } catch (cause) {
    const text = data.trim();
    if (text === '' || text.startsWith(':')) return undefined; // nothing, or a comment that a proxy put into data
    if (text !== DONE) throw frame.incomplete ? cutFrame(cause) : malformedFrame(data, cause);
    return named(DONE, frame);
  }
}

/** The value with what its event says of itself. */
function named(value: unknown, { name, lastEventId, incomplete }: SseFrame): Payload {
  const payload: { -readonly [Key in keyof Payload]: Payload[Key] } = { value };
  if (name !== undefined) payload.name = name;
  if (lastEventId !== undefined) payload.lastEventId = lastEventId;
  if (incomplete) payload.incomplete = incomplete;
  return payload;
}

/** The JSON within the chunk, which has no name of its own. A chunk that holds something else is left as it is. */
function unwrapped(frame: JsonFrame): Payload {
  const bytes = textIn(objectOf(frame.value), 'bytes');
  if (bytes === undefined) return frame;
  try {
    return { value: JSON.parse(textOfUtf8(bytesOfBase64(bytes))) as unknown };
  } catch {
    return frame;
  }
}

function payloadOfStray(text: string, incomplete: true | undefined): Payload | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (cause) {
    if (incomplete) throw cutFrame(cause);
    return undefined;
  }
}

function cutFrame(cause: unknown): ModelStreamError {
  return new ModelStreamError('truncated', 'Cannot read the last frame: the body ends inside it', {
    retryable: true,
    cause,
  });
}

function malformedFrame(data: string, cause: unknown): ModelStreamError {
  return new ModelStreamError('malformed', `Cannot read frame: its ${data.length} characters are not JSON`, { cause });
}
