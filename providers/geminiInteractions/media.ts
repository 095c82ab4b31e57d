import type { MediaBlock } from '../../src/blocks';
import { numberIn, present, textIn, wordIn, type WireObject } from '../../src/wire';
import type { EmitEvent, Writer } from './step';

const MEDIA_TYPES: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'document']);

/** Sound without a header of its own: it says nothing without its rate. */
const BARE_SAMPLES = /^audio\/(l16|alaw|mulaw)$/i;

/** The block of a content that is a picture, sound, video or document, its data left out; undefined when there is nothing of it. */
export function mediaOf(content: WireObject): MediaBlock | undefined {
  const url = wordIn(content, 'uri');
  if (!MEDIA_TYPES.has(wordIn(content, 'type') ?? '')) return undefined;
  if (url === undefined && wordIn(content, 'data') === undefined) return undefined;
  return { kind: 'media', parts: [], ...present({ mimeType: mimeTypeOf(content), url }) };
}

/** Writes a content that comes whole: everything but sound. */
export function writeMedia(writer: Writer, block: MediaBlock, content: WireObject, emit: EmitEvent): void {
  const written = writer.open(block, emit);
  writer.attach(written, textIn(content, 'data') ?? '', emit);
  writer.end(written, {}, undefined, emit);
}

/** With the rate and the channels where they are needed, as in RFC 2586. */
function mimeTypeOf(content: WireObject): string | undefined {
  const mimeType = wordIn(content, 'mime_type');
  if (mimeType === undefined || !BARE_SAMPLES.test(mimeType)) return mimeType;
  const parameters = present({ rate: numberIn(content, 'sample_rate'), channels: numberIn(content, 'channels') });
  return [mimeType, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join(';');
}
