/** Lengths and cuts of texts in bytes of UTF-8. */

const REPLACEMENT = 0xfffd

/** The character at a place, and the sign for a broken one where half of a pair stands alone. */
export function characterAt(text: string, at: number): number {
  const code = text.codePointAt(at) ?? REPLACEMENT
  return code >= 0xd800 && code <= 0xdfff ? REPLACEMENT : code
}

function byteCount(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x1_0000 ? 3 : 4
}

/** How many bytes a text takes. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    const character = characterAt(text, at)
    length += byteCount(character) - 1
    if (character >= 0x1_0000) {
      // A pair: its second half was counted as a character of its own.
      length -= 1
      at += 1
    }
  }
  return length
}

/** The longest beginning of a text that fits, without half a character at its end. */
export function cutUtf8(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text
  let bytes = 0
  for (let at = 0; at < text.length;) {
    const character = characterAt(text, at)
    bytes += byteCount(character)
    if (bytes > mostBytes) return text.slice(0, at)
    at += character >= 0x1_0000 ? 2 : 1
  }
  return text
}

/** The beginning of a text of at most so many characters; one outside of the first plane counts once. */
export function cutCharacters(text: string, most: number): string {
  if (text.length <= most) return text
  let at = 0
  for (let count = 0; count < most && at < text.length; count += 1) at += characterAt(text, at) >= 0x1_0000 ? 2 : 1
  return text.slice(0, at)
}
