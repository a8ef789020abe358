/**
 * Workbooks of 1997 to 2003 for tests (BIFF8 in a compound file), made record by record, so that a text can be cut
 * wherever a record may end.
 */

/**
 * A cell: a text, a number, a truth, a day counted as spreadsheets do, a text in several formats with its reading, what
 * a formula last gave.
 */
type XlsCell =
  | string
  | number
  | boolean
  | null
  | { readonly day: number }
  | { readonly rich: string }
  | { readonly inPlace: string }
  | { readonly formula: string | number | boolean }

export type XlsRows = readonly (readonly XlsCell[])[]

interface XlsOptions {
  /** Most bytes of the record of shared texts and of those that continue it; Excel's own are 8,224. */
  readonly recordBytes?: number
  readonly from1904?: boolean
  /** The name of the stream, which says of which age the workbook is, or that it is encrypted. */
  readonly stream?: string
  /** A workbook that asks for a password. */
  readonly password?: boolean
}

/** Styles of the cells by their places: plain, a date of every workbook, a date of this one. */
const STYLES = [0, 14, 170] as const
const PLAIN = 0
const DATE = 2

/** A workbook of these sheets. */
export function oldWorkbook(
  sheets: Readonly<Record<string, XlsRows>>,
  { recordBytes = 8_224, from1904 = false, stream = 'Workbook', password = false }: XlsOptions = {},
): Uint8Array {
  const texts = new SharedTexts()
  const bodies = Object.values(sheets).map((rows) =>
    joined([begin(0x10), ...rows.flatMap((cells, row) => cellRecords(cells, row, texts)), record(0x0a)]),
  )
  const globals = (offsets: readonly number[]) =>
    joined([
      begin(0x05),
      ...(password ? [record(0x2f, 0, 0, 0, 0, 0, 0)] : []),
      record(0x22, ...two(from1904 ? 1 : 0)),
      record(0x41e, ...two(170), ...wideOrNarrow('yyyy/m/d', 2)),
      ...STYLES.map((format) => record(0xe0, ...two(0), ...two(format), ...Array.from({ length: 16 }, () => 0))),
      ...Object.keys(sheets).map((name, at) => record(0x85, ...four(offsets[at] ?? 0), 0, 0, ...wideOrNarrow(name, 1))),
      ...texts.records(recordBytes),
      record(0x0a),
    ])
  // A sheet is found by how far from the beginning it stands, and what stands before is as long whatever the numbers in
  // it.
  let at = globals([]).length
  const offsets = bodies.map((body) => {
    const here = at
    at += body.length
    return here
  })
  return compoundFile(stream, joined([globals(offsets), ...bodies]))
}

/** The texts that cells share. */
class SharedTexts {
  readonly #texts: { readonly text: string; readonly rich: boolean }[] = []

  add(text: string, rich: boolean): number {
    return this.#texts.push({ text, rich }) - 1
  }

  records(most: number): readonly Uint8Array[] {
    const pieces: number[][] = [[...four(this.#texts.length), ...four(this.#texts.length)]]
    const last = () => pieces.at(-1) ?? []
    for (const { text, rich } of this.#texts) {
      // Two formats from the first and the second character on, and a reading of six bytes.
      const more = rich ? [...two(2), ...four(6)] : []
      // The head of a text is never cut.
      if (last().length + 3 + more.length > most) pieces.push([])
      const kinds = rich ? 0x0c : 0
      let left = text
      let piece = cutFor(left, most - last().length - 3 - more.length)
      last().push(...two(text.length), kinds | piece.flag, ...more, ...piece.bytes)
      for (left = left.slice(piece.length); left !== ''; left = left.slice(piece.length)) {
        piece = cutFor(left, most - 1)
        pieces.push([piece.flag, ...piece.bytes])
      }
      for (const byte of rich ? [...two(0), ...two(1), ...two(1), ...two(2), 1, 0, 2, 0, 3, 0] : []) {
        if (last().length === most) pieces.push([])
        last().push(byte)
      }
    }
    return pieces.map((bytes, at) => record(at === 0 ? 0xfc : 0x3c, ...bytes))
  }
}

/**
 * As many characters of a text as go into so many bytes: one byte each where all of these are of Western Europe, else
 * two.
 */
function cutFor(
  text: string,
  room: number,
): { readonly flag: number; readonly length: number; readonly bytes: readonly number[] } {
  const narrow = text.slice(0, Math.max(0, room))
  if (!isWide(narrow)) return { flag: 0, length: narrow.length, bytes: codes(narrow) }
  const wide = text.slice(0, Math.max(0, Math.floor(room / 2)))
  return { flag: 1, length: wide.length, bytes: codes(wide).flatMap(two) }
}

function cellRecords(cells: readonly XlsCell[], row: number, texts: SharedTexts): readonly Uint8Array[] {
  const records: Uint8Array[] = []
  for (let at = 0; at < cells.length; at += 1) {
    // Whole numbers side by side share a record.
    const run = cells.slice(at).findIndex((cell) => !isPacked(cell))
    const packed = cells.slice(at, run === -1 ? cells.length : at + run).filter(isPacked)
    if (packed.length > 1) {
      records.push(
        record(
          0xbd,
          ...two(row),
          ...two(at),
          ...packed.flatMap((value) => [...two(PLAIN), ...four(packedNumber(value))]),
          ...two(at + packed.length - 1),
        ),
      )
      at += packed.length - 1
      continue
    }
    records.push(...cellRecord(cells[at] ?? null, [...two(row), ...two(at)], texts))
  }
  return records
}

function cellRecord(cell: XlsCell, place: readonly number[], texts: SharedTexts): readonly Uint8Array[] {
  const plain = [...place, ...two(PLAIN)]
  if (cell === null || cell === '') return []
  if (typeof cell === 'string') return [record(0xfd, ...plain, ...four(texts.add(cell, false)))]
  if (typeof cell === 'boolean') return [record(0x205, ...plain, cell ? 1 : 0, 0)]
  if (typeof cell === 'number')
    return [
      isPacked(cell) ? record(0x27e, ...plain, ...four(packedNumber(cell))) : record(0x203, ...plain, ...double(cell)),
    ]
  if ('day' in cell)
    return [record(0x203, ...place, ...two(Number.isInteger(cell.day) ? 1 : DATE), ...double(cell.day))]
  if ('rich' in cell) return [record(0xfd, ...plain, ...four(texts.add(cell.rich, true)))]
  if ('inPlace' in cell) return [record(0x204, ...plain, ...wideOrNarrow(cell.inPlace, 2))]
  const { formula } = cell
  const behind = [...two(0), ...four(0), ...two(0)]
  if (typeof formula === 'number') return [record(0x06, ...plain, ...double(formula), ...behind)]
  if (typeof formula === 'boolean')
    return [record(0x06, ...plain, 1, 0, formula ? 1 : 0, 0, 0, 0, 0xff, 0xff, ...behind)]
  return [record(0x06, ...plain, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...behind), record(0x207, ...wideOrNarrow(formula, 2))]
}

/** Whether a number goes into thirty bits: a whole one, or one of whole hundredths. */
function isPacked(cell: XlsCell): cell is number {
  return (
    typeof cell === 'number' &&
    Math.abs(cell) < 5_000_000 &&
    (Number.isInteger(cell) || Math.round(cell * 100) / 100 === cell)
  )
}

function packedNumber(value: number): number {
  return Number.isInteger(value) ? (value << 2) | 2 : (Math.round(value * 100) << 2) | 3
}

function begin(kind: number): Uint8Array {
  return record(0x809, ...two(0x600), ...two(kind), ...two(0), ...two(1_997), ...four(0), ...four(0x600))
}

function record(type: number, ...data: readonly number[]): Uint8Array {
  return Uint8Array.from([...two(type), ...two(data.length), ...data])
}

/** A text with its length before it, in so many bytes. */
function wideOrNarrow(text: string, width: 1 | 2): readonly number[] {
  return [
    ...(width === 1 ? [text.length] : two(text.length)),
    ...(isWide(text) ? [1, ...codes(text).flatMap(two)] : [0, ...codes(text)]),
  ]
}

function isWide(text: string): boolean {
  return codes(text).some((code) => code > 0xff)
}

function codes(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
}

function two(value: number): readonly number[] {
  return [value & 0xff, (value >> 8) & 0xff]
}

function four(value: number): readonly number[] {
  return [...two(value), ...two(value >>> 16)]
}

function double(value: number): readonly number[] {
  return [...new Uint8Array(Float64Array.of(value).buffer)]
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]))
}

const SECTOR = 512
const SMALL_SECTOR = 64
const SMALL_BELOW = 4_096
const END = 0xfffffffe
const FREE = 0xffffffff
const TABLE = 0xfffffffd

/**
 * One stream in a compound file. Its sectors stand from the last to the first, as a file may have them that was saved
 * often.
 */
function compoundFile(name: string, content: Uint8Array): Uint8Array {
  const isSmall = content.length < SMALL_BELOW
  const sectors: Uint8Array[] = []
  const table: number[] = []
  /** Puts bytes into sectors of their own. @returns the first */
  const put = (bytes: Uint8Array): number => {
    const count = Math.ceil(bytes.length / SECTOR)
    const first = sectors.length
    for (let at = count - 1; at >= 0; at -= 1) {
      sectors.push(padded(bytes.subarray(at * SECTOR, (at + 1) * SECTOR), SECTOR, 0))
      table.push(at === count - 1 ? END : sectors.length - 2)
    }
    return first + count - 1
  }
  const body = put(isSmall ? padded(content, Math.ceil(content.length / SMALL_SECTOR) * SMALL_SECTOR, 0) : content)
  const smallCount = Math.ceil(content.length / SMALL_SECTOR)
  const smallTable = isSmall
    ? put(
        padded(
          numbers(Array.from({ length: smallCount }, (_, at) => (at === smallCount - 1 ? END : at + 1))),
          SECTOR * Math.ceil(smallCount / 128),
          0xff,
        ),
      )
    : END
  const root = directoryEntry('Root Entry', 5, 1, isSmall ? body : END, isSmall ? smallCount * SMALL_SECTOR : 0)
  const directory = put(
    joined([
      root,
      directoryEntry(name, 2, FREE, isSmall ? 0 : body, content.length),
      directoryEntry('', 0, FREE, 0, 0),
      directoryEntry('', 0, FREE, 0, 0),
    ]),
  )
  const tables = Array.from({ length: Math.ceil((table.length + 8) / 128) }, (_, at) => sectors.length + at)
  if (tables.length > 8) throw new Error('a workbook for tests is smaller')
  table.push(...tables.map(() => TABLE))
  sectors.push(padded(numbers(table), tables.length * SECTOR, 0xff))
  const head = [
    0xd0,
    0xcf,
    0x11,
    0xe0,
    0xa1,
    0xb1,
    0x1a,
    0xe1,
    ...Array.from({ length: 16 }, () => 0),
    ...two(0x3e),
    ...two(3),
    ...two(0xfffe),
    ...two(9),
    ...two(6),
    ...Array.from({ length: 10 }, () => 0),
  ]
  const numbersOfHead = [
    tables.length,
    directory,
    0,
    SMALL_BELOW,
    smallTable,
    isSmall ? Math.ceil(smallCount / 128) : 0,
    END,
    0,
    ...tables,
  ]
  return joined([padded(joined([Uint8Array.from(head), numbers(numbersOfHead)]), SECTOR, 0xff), ...sectors])
}

function directoryEntry(name: string, type: number, child: number, start: number, size: number): Uint8Array {
  const named = padded(Uint8Array.from(codes(name).flatMap(two)), 64, 0)
  const links = [...two(name === '' ? 0 : (name.length + 1) * 2), type, 1, ...four(FREE), ...four(FREE), ...four(child)]
  return joined([
    named,
    Uint8Array.from([...links, ...Array.from({ length: 36 }, () => 0), ...four(start), ...four(size), ...four(0)]),
  ])
}

function numbers(values: readonly number[]): Uint8Array {
  return Uint8Array.from(values.flatMap(four))
}

function padded(bytes: Uint8Array, length: number, filler: number): Uint8Array {
  const all = new Uint8Array(length).fill(filler)
  all.set(bytes)
  return all
}
