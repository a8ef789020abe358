import type { DefinitionError } from './definition.ts'

/**
 * The text of a file in whatever encoding it was saved. Decoding itself is the platform's; which one to use is decided
 * here.
 */

export type SourceEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252'

/** Decodes strictly: null when the bytes are not of that encoding. A `TextDecoder` with `fatal` does. */
export type Decode = (bytes: Uint8Array, encoding: SourceEncoding) => string | null

export interface FileText {
  readonly text: string
  readonly encoding: SourceEncoding
}

type FileTextResult =
  | ({ readonly ok: true } & FileText)
  | {
      readonly ok: false
      readonly error: Extract<DefinitionError, { readonly kind: 'bad-encoding' | 'unknown-encoding' }>
    }

/** How much of a file is looked at to tell encodings apart. */
const SAMPLE = 200_000

/**
 * Decodes a file: by its byte order mark, else UTF-16 by its zero bytes, else UTF-8 if it is that, else the encoding of
 * a Chinese or of a Western spreadsheet, each only where the text looks like one. A text with a byte that does not
 * belong, or in another encoding, is refused with the place: read as something else, every label would be wrong without
 * a word.
 */
export function readFileText(bytes: Uint8Array, decode: Decode): FileTextResult {
  const read = (encoding: SourceEncoding): FileTextResult => {
    const text = decode(bytes, encoding)
    return text === null
      ? refuseText('bad-encoding', bytes, badLine(bytes, encoding, decode))
      : { ok: true, text, encoding }
  }
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return read('utf-16le')
  if (first === 0xfe && second === 0xff) return read('utf-16be')
  const wide = wideEncoding(bytes)
  if (wide !== null) {
    const text = read(wide)
    if (text.ok) return text
  }
  const utf8 = decode(bytes, 'utf-8')
  if (utf8 !== null) return { ok: true, text: utf8, encoding: 'utf-8' }
  const found = sequencesIn(bytes)
  // A text of many characters beyond ASCII that all but a few are those of UTF-8 is one that was damaged.
  if (found.whole >= 2 * found.broken) return refuseText('bad-encoding', bytes, found.firstBroken)
  if (looksChinese(bytes)) return read('gb18030')
  return looksWestern(bytes) ? read('windows-1252') : refuseText('unknown-encoding', bytes, found.firstBroken)
}

function refuseText(kind: 'bad-encoding' | 'unknown-encoding', bytes: Uint8Array, at: number): FileTextResult {
  let line = 1
  for (let place = 0; place < at; place += 1) if (bytes[place] === LINE_FEED) line += 1
  return { ok: false, error: { kind, line, byte: at + 1 } }
}

const LINE_FEED = 10

/** Where the first line begins that is not of that encoding; 0 where no line by itself is wrong. */
function badLine(bytes: Uint8Array, encoding: SourceEncoding, decode: Decode): number {
  // A line end of UTF-16 is not one byte.
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return bytes.length - 1
  for (let start = 0; start < bytes.length;) {
    const next = bytes.indexOf(LINE_FEED, start)
    const end = next === -1 ? bytes.length : next
    if (decode(bytes.subarray(start, end), encoding) === null) return start
    start = end + 1
  }
  return 0
}

interface Sequences {
  /** Bytes of characters beyond ASCII that are whole in UTF-8, and bytes that belong to none. */
  readonly whole: number
  readonly broken: number
  readonly firstBroken: number
}

function sequencesIn(bytes: Uint8Array): Sequences {
  let [whole, broken, firstBroken] = [0, 0, 0]
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at)
    if (length > 1) whole += length
    if (length === 0) {
      if (broken === 0) firstBroken = at
      broken += 1
    }
    at += Math.max(1, length)
  }
  return { whole, broken, firstBroken }
}

/** Bytes of the character of UTF-8 that begins there; 0 where none does. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
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

/**
 * Chinese text of the mainland comes in pairs of high bytes, most of them characters of everyday (B0 to F7) or
 * punctuation; the second byte of Big5 and Shift-JIS is often an ASCII one, and Shift-JIS begins its kana lower.
 */
function looksChinese(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE)
  let [pairs, others] = [0, 0]
  for (let at = 0; at < sample.length; at += 1) {
    const first = sample[at] ?? 0
    if (first < 0x80) continue
    const isCommon = (first >= 0xb0 && first <= 0xf7) || (first >= 0xa1 && first <= 0xa9)
    if (isCommon && (sample[at + 1] ?? 0) >= 0xa1) {
      pairs += 1
      at += 1
    } else {
      others += 1
      // The second byte of whatever this is, too.
      if ((sample[at + 1] ?? 0) >= 0x40) at += 1
    }
  }
  return pairs > others * 4
}

/**
 * Bytes below its letters that Windows-1252 has no sign for, or one that hardly any text has; other encodings begin
 * characters with them.
 */
const SELDOM_WESTERN: ReadonlySet<number> = new Set([
  0x81, 0x83, 0x86, 0x87, 0x88, 0x89, 0x8b, 0x8d, 0x8f, 0x90, 0x98, 0x9b, 0x9d,
])
/** Where the letters of Windows-1252 begin. */
const FIRST_LETTER = 0xc0

/** Words of Western text have more letters of ASCII than others, and two others seldom stand together. */
function looksWestern(bytes: Uint8Array): boolean {
  let [alone, together, accents, letters] = [0, 0, 0, 0]
  let word = { accents: 0, letters: 0 }
  for (const [at, byte] of bytes.entries()) {
    if (SELDOM_WESTERN.has(byte)) return false
    if (byte >= FIRST_LETTER) word.accents += 1
    else if (isAsciiLetter(byte)) word.letters += 1
    else {
      if (word.accents > 0) [accents, letters] = [accents + word.accents, letters + word.letters]
      word = { accents: 0, letters: 0 }
    }
    if (byte < 0x80) continue
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) together += 1
    else alone += 1
  }
  return letters + word.letters >= accents + word.accents && together <= alone
}

function isAsciiLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
