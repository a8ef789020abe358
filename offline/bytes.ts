/** Bytes as text and back. */

export type Bytes = Uint8Array<ArrayBuffer>

/** UTF-8 bytes of a text. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** Text of UTF-8 bytes. */
export function fromUtf8(bytes: ArrayBuffer | Bytes): string {
  return new TextDecoder().decode(bytes)
}

export function toBase64(bytes: Bytes): string {
  let binary = ''
  // In pieces: a whole export as arguments of one call would overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

export function fromBase64(text: string): Bytes {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

export function toBase64Url(bytes: Bytes): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function fromBase64Url(text: string): Bytes {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
}

/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
export function sha256Hex(text: string): Promise<string> {
  return sha256OfBytes(utf8(text))
}

/** SHA-256 in lower-case hex. */
export async function sha256OfBytes(bytes: Bytes | ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
