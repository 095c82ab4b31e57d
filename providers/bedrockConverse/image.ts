import { joinedBase64 } from '../../src/base64';
import { objectIn, present, wordIn, type WireObject } from '../../src/wire';
import type { ContentBlock, ConverseWriter, EmitEvent } from './contentBlock';

/** A picture, inline or in a bucket. */
export function openImage(start: WireObject, writer: ConverseWriter, emit: EmitEvent): ContentBlock {
  const format = wordIn(start, 'format');
  const mimeType = format === undefined ? undefined : `image/${format}`;
  const picture = { kind: 'media', parts: [], ...present({ mimeType }) } as const;
  const written = writer.open(picture, emit);
  let stored: WireObject | undefined; // where the picture is, if it is not inline
  return {
    written,
    read(delta, emit) {
      const source = objectIn(objectIn(delta, 'image'), 'source');
      writer.attach(written, wordIn(source, 'bytes') ?? '', emit);
      const url = wordIn(objectIn(source, 's3Location'), 'uri');
      if (url === undefined) return;
      stored = source;
      writer.update(written, { ...picture, url }, emit);
    },
    end(event, emit) {
      writer.end(written, {}, event, emit);
    },
    turn() {
      const inline = written.parts.length > 0 ? { bytes: joinedBase64(written.parts) } : undefined;
      const source = inline ?? stored;
      return source ? [{ image: { ...start, source } }] : [];
    },
  };
}
