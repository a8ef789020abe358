import { dateText, numberText, showsDate } from './cellText.ts'
import { compoundStream } from './compoundFile.ts'
import type { Sheet } from './sheetTable.ts'
import { SheetFailure, SheetGathering } from './sheetTable.ts'
import { readSharedStrings, xlsText } from './xlsStrings.ts'

/** Reads the cells of an Excel workbook of 1997 to 2003 (MS-XLS, BIFF8). Formulas are read as what they last gave. */

const RECORD = {
  begin: 0x809,
  end: 0x0a,
  sheet: 0x85,
  strings: 0xfc,
  further: 0x3c,
  sharedText: 0xfd,
  label: 0x204,
  richLabel: 0xd6,
  number: 0x203,
  packed: 0x27e,
  packedRow: 0xbd,
  logical: 0x205,
  formula: 0x06,
  formulaText: 0x207,
  password: 0x2f,
  format: 0x41e,
  style: 0xe0,
  dates1904: 0x22,
} as const

interface Piece {
  readonly type: number
  readonly at: number
  readonly data: Uint8Array
}

/** @throws SheetFailure */
export function readXls(bytes: Uint8Array): readonly Sheet[] {
  const stream = compoundStream(bytes, ['Workbook', 'Book', 'EncryptedPackage'])
  if (stream === null) throw new SheetFailure({ kind: 'not-a-workbook' })
  if (stream.name === 'EncryptedPackage') throw new SheetFailure({ kind: 'encrypted' })
  if (stream.name === 'Book') throw new SheetFailure({ kind: 'old-workbook' })
  const records = recordsOf(stream.bytes)
  const book = bookOf(records)
  const gathering = new SheetGathering()
  const begins = new Map(records.map(({ at }, index) => [at, index]))
  for (const { name, at } of book.sheets) {
    gathering.begin(name)
    const first = begins.get(at)
    if (first !== undefined) readSheet(records, first, book, gathering)
  }
  return gathering.end()
}

function recordsOf(bytes: Uint8Array): readonly Piece[] {
  const view = viewOf(bytes)
  const records: Piece[] = []
  for (let at = 0; at + 4 <= bytes.length;) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    // Sectors are filled up with zeros behind the last record.
    if (type === 0 && length === 0) break
    records.push({ type, at, data: bytes.subarray(at + 4, at + 4 + length) })
    at += 4 + length
  }
  const [first] = records
  if (first === undefined || first.type !== RECORD.begin || first.data.length < 4)
    throw new SheetFailure({ kind: 'not-a-workbook' })
  if (viewOf(first.data).getUint16(0, true) !== 0x600) throw new SheetFailure({ kind: 'old-workbook' })
  return records
}

interface Book {
  readonly sheets: readonly { readonly name: string; readonly at: number }[]
  readonly strings: readonly string[]
  readonly dates: ReadonlySet<number>
  readonly from1904: boolean
}

/** What stands before the sheets. */
function bookOf(records: readonly Piece[]): Book {
  const sheets: { name: string; at: number }[] = []
  const codes = new Map<number, string>()
  const formats: number[] = []
  let strings: readonly string[] = []
  let from1904 = false
  for (const [index, { type, data }] of records.entries()) {
    const view = viewOf(data)
    if (type === RECORD.end) break
    if (type === RECORD.password) throw new SheetFailure({ kind: 'encrypted' })
    if (type === RECORD.sheet && data.length >= 8 && data[5] === 0)
      sheets.push({ name: xlsText(data, 6, 1), at: view.getUint32(0, true) })
    if (type === RECORD.format && data.length >= 5) codes.set(view.getUint16(0, true), xlsText(data, 2, 2))
    if (type === RECORD.style && data.length >= 4) formats.push(view.getUint16(2, true))
    if (type === RECORD.dates1904 && data.length >= 2) from1904 = view.getUint16(0, true) === 1
    if (type === RECORD.strings) strings = readSharedStrings(withFurther(records, index))
  }
  return {
    sheets,
    strings,
    from1904,
    dates: new Set(formats.flatMap((id, at) => (showsDate(id, codes.get(id)) ? [at] : []))),
  }
}

function withFurther(records: readonly Piece[], first: number): readonly Uint8Array[] {
  const pieces = records[first] === undefined ? [] : [records[first].data]
  for (let at = first + 1; records[at]?.type === RECORD.further; at += 1)
    pieces.push(records[at]?.data ?? new Uint8Array())
  return pieces
}

function readSheet(records: readonly Piece[], first: number, book: Book, gathering: SheetGathering): void {
  let depth = 0
  let waiting: { readonly row: number; readonly column: number } | null = null
  for (let at = first; at < records.length; at += 1) {
    const { type, data } = records[at] ?? { type: 0, data: new Uint8Array() }
    if (type === RECORD.begin) depth += 1
    if (type === RECORD.end && --depth === 0) return
    // A chart within a sheet has cells of its own.
    if (depth !== 1 || data.length < 6) {
      if (depth === 1 && type === RECORD.formulaText && waiting !== null)
        gathering.put(waiting.row, waiting.column, xlsText(data, 0, 2))
      continue
    }
    const view = viewOf(data)
    const [row, column, style] = [view.getUint16(0, true), view.getUint16(2, true), view.getUint16(4, true)]
    const put = (text: string) => gathering.put(row, column, text)
    if (type === RECORD.formulaText && waiting !== null) gathering.put(waiting.row, waiting.column, xlsText(data, 0, 2))
    else if (type === RECORD.sharedText && data.length >= 10) put(book.strings[view.getUint32(6, true)] ?? '')
    else if (type === RECORD.label || type === RECORD.richLabel) put(xlsText(data, 6, 2))
    else if (type === RECORD.number && data.length >= 14) put(writeNumber(view.getFloat64(6, true), style, book))
    else if (type === RECORD.packed && data.length >= 10)
      put(writeNumber(unpackNumber(view.getUint32(6, true)), style, book))
    else if (type === RECORD.logical && data.length >= 8 && data[7] === 0) put(data[6] === 1 ? 'TRUE' : 'FALSE')
    else if (type === RECORD.packedRow) {
      for (let place = 4; place + 8 <= data.length; place += 6) {
        gathering.put(
          row,
          column + (place - 4) / 6,
          writeNumber(unpackNumber(view.getUint32(place + 2, true)), view.getUint16(place, true), book),
        )
      }
    } else if (type === RECORD.formula && data.length >= 14) {
      const isNumber = view.getUint16(12, true) !== 0xffff
      if (isNumber) put(writeNumber(view.getFloat64(6, true), style, book))
      else if (data[6] === 1) put(data[8] === 1 ? 'TRUE' : 'FALSE')
      waiting = !isNumber && data[6] === 0 ? { row, column } : null
    }
  }
}

function writeNumber(value: number, style: number, { dates, from1904 }: Book): string {
  return dates.has(style) ? dateText(value, from1904) : numberText(value)
}

/** A number in 30 bits: a whole one or the front of a double, and whether it is in hundredths. */
function unpackNumber(bits: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(4, bits & 0xfffffffc, true)
  const value = (bits & 2) === 0 ? view.getFloat64(0, true) : bits >> 2
  return (bits & 1) === 0 ? value : value / 100
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
