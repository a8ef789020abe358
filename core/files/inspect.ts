/**
 * What a file is, read from its first bytes alone: nothing is decoded, so that a file made to break a decoder meets
 * none. The device looks before it takes a file, the server before it keeps one.
 */

/** Largest file that is taken unless the server says otherwise, in bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024
/** More pixels than any camera takes of a ward: a small file may claim them and fill a memory when it is drawn. */
export const MAX_PIXELS = 120_000_000
/** Bytes from the beginning within which a file must have said what it is: cameras put previews before the figures. */
export const HEAD_BYTES = 1024 * 1024

/** Why a file is not taken. */
export type FileProblem = 'type_not_allowed' | 'type_forged' | 'too_many_pixels' | 'too_big' | 'empty'

export type Inspected =
  | {
      readonly ok: true
      readonly type: string
      readonly size: { readonly width: number; readonly height: number } | null
    }
  | { readonly ok: false; readonly problem: FileProblem }

interface Kind {
  readonly type: string
  /** Endings of names, lower case. */
  readonly endings: readonly string[]
  readonly begins: (head: Uint8Array) => boolean
  readonly measure?: (head: Uint8Array) => { readonly width: number; readonly height: number } | null
}

/** Specification §5 names the images; the rest is what wards attach. Nothing that a browser would run. */
const KINDS: readonly Kind[] = [
  {
    type: 'image/png',
    endings: ['png'],
    begins: starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    measure: pngSize,
  },
  { type: 'image/jpeg', endings: ['jpg', 'jpeg'], begins: starts([0xff, 0xd8, 0xff]), measure: jpegSize },
  { type: 'image/bmp', endings: ['bmp'], begins: starts([0x42, 0x4d]), measure: bmpSize },
  { type: 'application/pdf', endings: ['pdf'], begins: starts([0x25, 0x50, 0x44, 0x46, 0x2d]) },
  {
    type: 'application/dicom',
    endings: ['dcm'],
    begins: (head) => starts([0x44, 0x49, 0x43, 0x4d])(head.subarray(128)),
  },
  {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    endings: ['docx'],
    begins: isOffice,
  },
  { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', endings: ['xlsx'], begins: isOffice },
  { type: 'text/csv', endings: ['csv'], begins: isPlainText },
  { type: 'text/plain', endings: ['txt'], begins: isPlainText },
]

/** For the `accept` of a file chooser. Endings, because not every system knows every type. */
export const ACCEPTED_ENDINGS: readonly string[] = KINDS.flatMap(({ endings }) => endings.map((ending) => `.${ending}`))
/** The same for images alone. */
export const IMAGE_ENDINGS: readonly string[] = KINDS.filter(({ measure }) => measure !== undefined).flatMap(
  ({ endings }) => endings.map((ending) => `.${ending}`),
)

/**
 * Says what a file is by its name and its beginning, which must agree.
 *
 * @param head the first `HEAD_BYTES`, or all of a shorter file
 */
export function inspectFile(name: string, head: Uint8Array): Inspected {
  if (head.length === 0) return { ok: false, problem: 'empty' }
  const ending = endingOf(name)
  const kind = KINDS.find(({ endings }) => endings.includes(ending))
  if (kind === undefined) return { ok: false, problem: 'type_not_allowed' }
  if (!kind.begins(head)) return { ok: false, problem: 'type_forged' }
  if (kind.measure === undefined) return { ok: true, type: kind.type, size: null }
  const size = kind.measure(head)
  if (size === null || size.width < 1 || size.height < 1) return { ok: false, problem: 'type_forged' }
  if (size.width * size.height > MAX_PIXELS) return { ok: false, problem: 'too_many_pixels' }
  return { ok: true, type: kind.type, size }
}

/** The ending of a name, lower case, without its point; empty without one. */
function endingOf(name: string): string {
  const at = name.lastIndexOf('.')
  return at < 1 ? '' : name.slice(at + 1).toLowerCase()
}

/** UTF-16 units of a name that is shown and saved. */
const MAX_NAME = 120

/**
 * A name that can be shown and saved anywhere: no folders, no control characters, nothing that turns the direction of
 * writing, and never empty. Its ending stays.
 */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replaceAll(HIDDEN, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  const ending = endingOf(clean)
  const stem = ending === '' ? clean : clean.slice(0, -ending.length - 1)
  const short = stem.slice(0, MAX_NAME - ending.length).toWellFormed()
  const safe = short === '' ? 'file' : short
  return ending === '' ? safe : `${safe}.${clean.slice(-ending.length)}`
}

/** Control characters, and those that order writing from right to left or hide it. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

function starts(bytes: readonly number[]): (head: Uint8Array) => boolean {
  return (head) => bytes.every((byte, at) => head[at] === byte)
}

function isOffice(head: Uint8Array): boolean {
  if (!starts([0x50, 0x4b, 0x03, 0x04])(head)) return false
  // An Office document says what it holds in its first part.
  const text = String.fromCharCode(...head.subarray(30, 200))
  return ['[Content_Types].xml', '_rels/', 'docProps/', 'word/', 'xl/'].some((name) => text.startsWith(name))
}

/** Text that no browser takes for a page: no zero bytes, and not beginning with a tag. */
function isPlainText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  let at = starts([0xef, 0xbb, 0xbf])(head) ? 3 : 0
  while ([0x20, 0x09, 0x0a, 0x0d].includes(head[at] ?? -1)) at += 1
  return head[at] !== 0x3c
}

function pngSize(head: Uint8Array) {
  if (head.length < 24 || String.fromCharCode(...head.subarray(12, 16)) !== 'IHDR') return null
  const view = viewOf(head)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function bmpSize(head: Uint8Array) {
  if (head.length < 26) return null
  const view = viewOf(head)
  // The oldest header has figures of two bytes.
  if (view.getUint32(14, true) === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) }
  // A height below zero says that the rows come from the top.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/** Walks the segments of a JPEG to the one that holds its figures. */
function jpegSize(head: Uint8Array) {
  const view = viewOf(head)
  let at = 2
  while (at + 9 < head.length) {
    if (head[at] !== 0xff) return null
    const marker = head[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    // Markers that stand alone.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2
      continue
    }
    const length = view.getUint16(at + 2)
    if (length < 2) return null
    at += 2 + length
  }
  return null
}

function viewOf(head: Uint8Array): DataView {
  return new DataView(head.buffer, head.byteOffset, head.byteLength)
}
