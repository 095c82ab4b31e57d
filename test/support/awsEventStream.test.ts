import { encodeAwsLines, encodeAwsMessage, slowCrc32 } from './awsEventStream';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The checksums of these were computed by other programs. */
describe('the encoder of the fixtures writes frames that are known:', () => {
  it('the empty message', () => {
    expect(hex(encodeAwsMessage({ headers: {} }))).toBe('000000100000000005c248eb7d98c8ff');
  });

  it('a payload without headers', () => {
    const payload = hex(utf8('{"foo": "bar"}'));
    expect(hex(encodeAwsMessage({ headers: {}, payload: '{"foo": "bar"}' }))).toBe(
      `0000001e00000000baf2f68a${payload}ae7258e4`,
    );
  });

  it('a payload with a header', () => {
    const header = `0c${hex(utf8('content-type'))}070010${hex(utf8('application/json'))}`;
    const headers = { 'content-type': 'application/json' };
    expect(hex(encodeAwsMessage({ headers, payload: "{'foo':'bar'}" }))).toBe(
      `0000003d0000002007fd8396${header}${hex(utf8("{'foo':'bar'}"))}8d9c08b1`,
    );
  });
});

describe('encodeAwsLines()', () => {
  it('encodes a message a line', () => {
    const first = { headers: { ':event-type': 'a' }, payload: { n: 1 } };
    const second = { headers: { ':event-type': 'b' } };
    const lines = `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`;
    expect(hex(encodeAwsLines(lines))).toBe(hex(encodeAwsMessage(first)) + hex(encodeAwsMessage(second)));
  });

  it('writes an object that stands for bytes as base64 of its JSON', () => {
    const written = { headers: {}, payload: { bytes: { type: 'ping' }, p: 'ab' } };
    const meant = { headers: {}, payload: { bytes: 'eyJ0eXBlIjoicGluZyJ9', p: 'ab' } };
    expect(hex(encodeAwsMessage(written))).toBe(hex(encodeAwsMessage(meant)));
  });
});

describe('slowCrc32()', () => {
  it('gives the check value of CRC-32', () => {
    expect(slowCrc32(utf8('123456789'))).toBe(0xcbf43926);
  });
});
