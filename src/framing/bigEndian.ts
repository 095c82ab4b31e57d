/** The byte at a place; beyond the end it counts as 0. */
export function byteAt(bytes: Uint8Array, place: number): number {
  return bytes[place] ?? 0;
}

/** The number in the two bytes from a place on, the higher one first. */
export function uint16At(bytes: Uint8Array, place: number): number {
  return (byteAt(bytes, place) << 8) | byteAt(bytes, place + 1);
}

/** The number in the four bytes from a place on, the highest one first. */
export function uint32At(bytes: Uint8Array, place: number): number {
  return uint16At(bytes, place) * 0x10000 + uint16At(bytes, place + 2);
}
