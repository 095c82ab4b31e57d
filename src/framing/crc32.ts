import { byteAt } from './bigEndian';

/** The polynomial of IEEE 802.3, its bits reversed. */
const POLYNOMIAL = 0xedb88320;

/** What each byte does to a checksum when 0, 1, 2 or 3 bytes come after it, 256 numbers each: four bytes are one step. */
const TABLES = /* @__PURE__ */ createTables();

/**
 * CRC-32 as in gzip, zip and Ethernet.
 *
 * @param before - The checksum of the bytes before these.
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before;
  let place = 0;
  for (; place + 4 <= bytes.length; place += 4) {
    rest =
      entry(3, rest ^ byteAt(bytes, place)) ^
      entry(2, (rest >>> 8) ^ byteAt(bytes, place + 1)) ^
      entry(1, (rest >>> 16) ^ byteAt(bytes, place + 2)) ^
      entry(0, (rest >>> 24) ^ byteAt(bytes, place + 3));
  }
  for (; place < bytes.length; place += 1) rest = (rest >>> 8) ^ entry(0, rest ^ byteAt(bytes, place));
  return ~rest >>> 0;
}

function entry(bytesAfter: number, byte: number): number {
  return TABLES[256 * bytesAfter + (byte & 0xff)] ?? 0;
}

function createTables(): Int32Array {
  const tables = new Int32Array(4 * 256);
  for (let place = 0; place < tables.length; place += 1) {
    if (place < 256) {
      let rest = place;
      for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
      tables[place] = rest;
    } else {
      const rest = tables[place - 256] ?? 0;
      tables[place] = (rest >>> 8) ^ (tables[rest & 0xff] ?? 0);
    }
  }
  return tables;
}
