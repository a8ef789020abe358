/** The text of a file in whatever encoding it was saved. Decoding itself is the platform's; which one to use is decided here. */

export type SourceEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252'

/** Decodes strictly: null when the bytes are not of that encoding. A `TextDecoder` with `fatal` does. */
export type Decode = (bytes: Uint8Array, encoding: SourceEncoding) => string | null

export interface FileText {
  readonly text: string
  readonly encoding: SourceEncoding
}

/** Every byte is a character of it, so that a broken file too gets as far as an error that names what is wrong. */
const LAST_RESORT = 'windows-1252'

/** How much of a file is looked at to tell encodings apart. */
const SAMPLE = 200_000

/**
 * Decodes a file: by its byte order mark, else UTF-16 by its zero bytes, else UTF-8 if it is that, else the encoding of a Chinese or of a
 * Western spreadsheet. Never fails.
 */
export function readFileText(bytes: Uint8Array, decode: Decode): FileText {
  for (const encoding of candidates(bytes)) {
    const text = decode(bytes, encoding)
    if (text !== null) return { text, encoding }
  }
  return { text: decode(bytes, LAST_RESORT) ?? '', encoding: LAST_RESORT }
}

function candidates(bytes: Uint8Array): readonly SourceEncoding[] {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return ['utf-16le']
  if (first === 0xfe && second === 0xff) return ['utf-16be']
  const wide = wideEncoding(bytes)
  if (wide !== null) return [wide, 'utf-8']
  return looksChinese(bytes) ? ['utf-8', 'gb18030'] : ['utf-8']
}

/** UTF-16 without a mark: the header is ASCII, so nearly every other byte of the beginning is zero. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const head = bytes.subarray(0, 200)
  if (head.length < 8) return null
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = head.length * 0.4
  if (odd > most && even === 0) return 'utf-16le'
  return even > most && odd === 0 ? 'utf-16be' : null
}

/** Chinese text comes in pairs of high bytes; the accents of Western text stand between ASCII letters. */
function looksChinese(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE)
  let pairs = 0
  let others = 0
  for (let at = 0; at < sample.length; at += 1) {
    if ((sample[at] ?? 0) < 0x80) continue
    if ((sample[at] ?? 0) >= 0xa1 && (sample[at + 1] ?? 0) >= 0xa1) {
      pairs += 1
      at += 1
    } else others += 1
  }
  return pairs > others * 4
}
