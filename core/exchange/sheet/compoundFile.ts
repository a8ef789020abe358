import { SheetFailure } from './sheetTable.ts'

/**
 * The streams of a compound file (MS-CFB), in which workbooks were kept before 2007. Every chain is followed once and
 * no further than the file is long.
 */

export const COMPOUND_MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

const END_OF_CHAIN = 0xfffffffe
const MAX_ENTRIES = 10_000

interface Entry {
  readonly name: string
  readonly start: number
  readonly size: number
}

/** A stream by the first of these names that is there; null without any. @throws SheetFailure */
export function compoundStream(
  bytes: Uint8Array,
  names: readonly string[],
): { readonly name: string; readonly bytes: Uint8Array } | null {
  const file = new CompoundFile(bytes)
  const entries = file.entries()
  for (const name of names) {
    const entry = entries.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (entry !== undefined) return { name, bytes: file.content(entry) }
  }
  return null
}

class CompoundFile {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #sector: number
  readonly #table: readonly number[]
  readonly #small: {
    readonly sector: number
    readonly below: number
    readonly table: readonly number[]
    readonly content: Uint8Array
  }

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.length < 1_536) throw makeFailure()
    const shift = this.#view.getUint16(30, true)
    if (shift !== 9 && shift !== 12) throw makeFailure()
    this.#sector = 1 << shift
    this.#table = this.#numbersOf(this.#tableSectors())
    const smallTable = this.#numbersOf(this.#chain(this.#view.getUint32(60, true), this.#table))
    const root = this.entries()[0]
    if (root === undefined) throw makeFailure()
    const content = this.#joined(this.#chain(root.start, this.#table), root.size)
    this.#small = { sector: 64, below: this.#view.getUint32(56, true), table: smallTable, content }
  }

  entries(): readonly Entry[] {
    const bytes = this.#joined(this.#chain(this.#view.getUint32(48, true), this.#table), Number.MAX_SAFE_INTEGER)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const count = Math.min(MAX_ENTRIES, Math.floor(bytes.length / 128))
    return Array.from({ length: count }, (_, index): Entry => {
      const at = index * 128
      const length = Math.min(64, view.getUint16(at + 64, true))
      const codes = Array.from({ length: Math.max(0, length / 2 - 1) }, (_one, place) =>
        view.getUint16(at + place * 2, true),
      )
      return {
        name: String.fromCharCode(...codes),
        start: view.getUint32(at + 116, true),
        size: view.getUint32(at + 120, true),
      }
    })
  }

  content({ start, size }: Entry): Uint8Array {
    const { sector, below, table, content } = this.#small
    if (size >= below) return this.#joined(this.#chain(start, this.#table), size)
    const pieces = this.#chain(start, table).map((at) => content.subarray(at * sector, (at + 1) * sector))
    return joinPieces(pieces, size)
  }

  /** The sectors in which the table of sectors itself stands. */
  #tableSectors(): readonly number[] {
    const sectors: number[] = []
    const take = (at: number, count: number) => {
      for (let index = 0; index < count && at + index * 4 + 4 <= this.#bytes.length; index += 1) {
        const sector = this.#view.getUint32(at + index * 4, true)
        if (sector < END_OF_CHAIN - 1 && this.#has(sector)) sectors.push(sector)
      }
    }
    take(76, 109)
    const seen = new Set<number>()
    for (let next = this.#view.getUint32(68, true); this.#has(next) && !seen.has(next);) {
      seen.add(next)
      const at = this.#offset(next)
      take(at, this.#sector / 4 - 1)
      next = this.#view.getUint32(at + this.#sector - 4, true)
    }
    return [...new Set(sectors)]
  }

  #numbersOf(sectors: readonly number[]): readonly number[] {
    return sectors.flatMap((sector) =>
      Array.from({ length: this.#sector / 4 }, (_, index) =>
        this.#view.getUint32(this.#offset(sector) + index * 4, true),
      ),
    )
  }

  #chain(start: number, table: readonly number[]): readonly number[] {
    const chain: number[] = []
    const seen = new Set<number>()
    for (let at = start; at < END_OF_CHAIN - 1; at = table[at] ?? END_OF_CHAIN) {
      if (seen.has(at)) throw makeFailure()
      seen.add(at)
      chain.push(at)
    }
    return chain
  }

  #joined(sectors: readonly number[], size: number): Uint8Array {
    const pieces = sectors.flatMap((sector) =>
      this.#offset(sector) < this.#bytes.length
        ? [this.#bytes.subarray(this.#offset(sector), this.#offset(sector) + this.#sector)]
        : [],
    )
    return joinPieces(pieces, size)
  }

  #has(sector: number): boolean {
    return this.#offset(sector) + this.#sector <= this.#bytes.length
  }

  #offset(sector: number): number {
    return (sector + 1) * this.#sector
  }
}

function joinPieces(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const length = Math.min(
    size,
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    if (at >= length) break
    all.set(piece.subarray(0, length - at), at)
    at += piece.length
  }
  return all
}

function makeFailure(): SheetFailure {
  return new SheetFailure({ kind: 'not-a-workbook' })
}
