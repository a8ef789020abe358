import { Inflate } from 'fflate'

import { SheetFailure } from './sheetTable.ts'

/**
 * The parts of a ZIP archive, each inflated when it is asked for and only as far as the bounds allow: what an archive
 * says of its own sizes is looked at, and what really comes out is counted.
 */

export interface ZipPart {
  readonly name: string
  /** 0 stored, 8 deflated. */
  readonly method: number
  readonly packed: number
  /** As the archive says it. */
  readonly size: number
  /** Where its local header begins. */
  readonly at: number
}

const LIMITS = { parts: 2_000, size: 100_000_000, total: 200_000_000, ratio: 1_100 }

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const ENCRYPTED = 1

/** The parts by their names. The first of two with one name counts. @throws SheetFailure */
export function zipParts(bytes: Uint8Array): ReadonlyMap<string, ZipPart> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  if (count > LIMITS.parts) throw new SheetFailure({ kind: 'too-large' })
  const parts = new Map<string, ZipPart>()
  let at = view.getUint32(end + 16, true)
  let total = 0
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL)
      throw new SheetFailure({ kind: 'not-a-workbook' })
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) throw new SheetFailure({ kind: 'encrypted' })
    const [nameLength, extraLength, commentLength] = [
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
    ]
    const part = {
      name: String.fromCharCode(...bytes.subarray(at + 46, at + 46 + nameLength)).replaceAll('\\', '/'),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    }
    total += part.size
    if (part.size > LIMITS.size || total > LIMITS.total || part.size > part.packed * LIMITS.ratio + 1_000)
      throw new SheetFailure({ kind: 'too-large' })
    if (!parts.has(part.name)) parts.set(part.name, part)
    at += 46 + nameLength + extraLength + commentLength
  }
  return parts
}

/** The record at the end of the archive, behind which there may be a comment of 64 KB. */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === END) return at
  }
  throw new SheetFailure({ kind: 'not-a-workbook' })
}

const PIECE = 16_384

/** Gives the content of a part, piece by piece. More than the part said there is makes it none. @throws SheetFailure */
export function inflatePart(bytes: Uint8Array, part: ZipPart, take: (piece: Uint8Array, last: boolean) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (part.at + 30 > bytes.length || view.getUint32(part.at, true) !== LOCAL)
    throw new SheetFailure({ kind: 'not-a-workbook' })
  const start = part.at + 30 + view.getUint16(part.at + 26, true) + view.getUint16(part.at + 28, true)
  const packed = bytes.subarray(start, start + part.packed)
  if (packed.length !== part.packed) throw new SheetFailure({ kind: 'not-a-workbook' })
  if (part.method === 0) return take(packed, true)
  if (part.method !== 8) throw new SheetFailure({ kind: 'not-a-workbook' })
  let length = 0
  const inflate = new Inflate((piece, last) => {
    length += piece.length
    if (length > part.size) throw new SheetFailure({ kind: 'too-large' })
    take(piece, last)
  })
  try {
    for (let at = 0; at < packed.length; at += PIECE)
      inflate.push(packed.subarray(at, at + PIECE), at + PIECE >= packed.length)
  } catch (error) {
    // What the inflater itself throws are errors of a broken archive, with a code.
    if (error instanceof Error && 'code' in error && typeof error.code === 'number')
      throw new SheetFailure({ kind: 'not-a-workbook' })
    throw error
  }
}
