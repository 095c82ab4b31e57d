/**
 * The bytes that a base64 text stands for.
 *
 * @throws When the text is not base64.
 */
export function bytesOfBase64(base64: string): Uint8Array {
  const characters = atob(base64); // one for each byte
  const bytes = new Uint8Array(characters.length);
  for (let place = 0; place < bytes.length; place += 1) bytes[place] = characters.charCodeAt(place);
  return bytes;
}

/** One base64 text for pieces each of which is base64 of its own. What is not base64 is joined as it is. */
export function joinedBase64(pieces: readonly string[]): string {
  if (pieces.length < 2) return pieces.join('');
  try {
    return btoa(pieces.map((piece) => atob(piece)).join(''));
  } catch {
    return pieces.join('');
  }
}
