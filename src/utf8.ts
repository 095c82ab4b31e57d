const decoder = /* @__PURE__ */ new TextDecoder();

/** The text of bytes in UTF-8. Bad ones give U+FFFD; a byte order mark at the start is dropped. */
export function textOfUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
