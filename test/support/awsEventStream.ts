/** One message of an AWS event stream as a fixture writes it: a payload that is text is no JSON, one that is absent has no bytes. */
export interface AwsMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: unknown;
}

/** The bytes of a stream that is written as one message a line. */
export function encodeAwsLines(lines: string): Uint8Array<ArrayBuffer> {
  const messages = lines.split('\n').filter((line) => line !== '');
  return concatBytes(messages.map((line) => encodeAwsMessage(JSON.parse(line) as AwsMessage)));
}

export function encodeAwsMessage({ headers, payload }: AwsMessage): Uint8Array<ArrayBuffer> {
  const encoded = Object.entries(headers).map(([name, value]) => textHeader(name, value));
  return frameBytes(concatBytes(encoded), payloadBytes(payload));
}

/**
 * An object as `bytes`, where `InvokeModelWithResponseStream` has the base64 of its JSON, stands for that base64: what a
 * model wrote can then be read.
 */
function payloadBytes(payload: unknown): Uint8Array {
  if (payload === undefined) return new Uint8Array(0);
  if (typeof payload === 'string') return utf8(payload);
  const text = JSON.stringify(payload, (key, value: unknown) =>
    key === 'bytes' && typeof value === 'object' ? Buffer.from(JSON.stringify(value)).toString('base64') : value,
  );
  return utf8(text);
}

/** A header of type 7. */
export function textHeader(name: string, value: string): Uint8Array {
  const bytes = utf8(value);
  return headerOf(name, 7, concatBytes([uint(bytes.length, 2), bytes]));
}

/** A header of any type, its value as it stands on the wire. */
export function headerOf(name: string, type: number, value: Uint8Array): Uint8Array {
  const bytes = utf8(name);
  return concatBytes([uint(bytes.length, 1), bytes, uint(type, 1), value]);
}

/** A whole message around these headers and this payload. */
export function frameBytes(headers: Uint8Array, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const lengths = [uint(16 + headers.length + payload.length, 4), uint(headers.length, 4)];
  return checksummed(checksummed(...lengths), headers, payload);
}

/** The bytes, their checksum behind them. */
export function checksummed(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = concatBytes(parts);
  return concatBytes([bytes, uint(slowCrc32(bytes), 4)]);
}

/** CRC-32 by its definition, bit by bit. */
export function slowCrc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = ((rest ^ (byte >>> bit)) & 1) === 1;
      rest = (rest >>> 1) ^ (isOdd ? 0xedb88320 : 0);
    }
  }
  return ~rest >>> 0;
}

/** A whole number in so many bytes, the biggest first. */
export function uint(value: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, place) => Math.floor(value / 256 ** (size - 1 - place)));
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
