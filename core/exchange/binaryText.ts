/**
 * A file as text, to be kept beside what was made of it: a text as it is, anything else as a data URL, which says of
 * itself what it is.
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** @param type the media type of the bytes */
export function binaryAsText(bytes: Uint8Array, type: string): string {
  return `data:${type};base64,${base64(bytes)}`
}

/** Many groups of three are put together at once: a file has millions. */
const AT_ONCE = 3 * 4_096

function base64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; from += AT_ONCE) pieces.push(piece(bytes.subarray(from, from + AT_ONCE)))
  return pieces.join('')
}

function piece(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
    const bits = (a << 16) | (b << 8) | c
    const left = bytes.length - at
    text += `${digit(bits >> 18)}${digit(bits >> 12)}${left > 1 ? digit(bits >> 6) : '='}${left > 2 ? digit(bits) : '='}`
  }
  return text
}

function digit(bits: number): string {
  return DIGITS[bits & 63] ?? ''
}
