import { DecodeUTF8 } from 'fflate'

import { dateText, numberText, showsDate } from './cellText.ts'
import type { Sheet } from './sheetTable.ts'
import { SheetFailure, SheetGathering } from './sheetTable.ts'
import type { XmlHandler } from './xmlEvents.ts'
import { XmlFailure, XmlReader } from './xmlEvents.ts'
import type { ZipPart } from './zipParts.ts'
import { inflatePart, zipParts } from './zipParts.ts'

/** Reads the cells of an Excel workbook (ECMA-376, .xlsx). Formulas are read as what they last gave. */

const MAX_STRINGS = 1_000_000

/** @throws SheetFailure */
export function readXlsx(bytes: Uint8Array): readonly Sheet[] {
  const parts = zipParts(bytes)
  const read = (part: ZipPart | undefined, handler: XmlHandler) => {
    if (part !== undefined) readPart(bytes, part, handler)
  }
  const book = bookOf((handler) => {
    const part = parts.get('xl/workbook.xml')
    if (part === undefined)
      throw new SheetFailure({ kind: parts.has('EncryptedPackage') ? 'encrypted' : 'not-a-workbook' })
    read(part, handler)
  })
  const targets = new Map<string, string>()
  read(parts.get('xl/_rels/workbook.xml.rels'), {
    ...SILENT,
    open: (name, attributes) => {
      if (name === 'Relationship') targets.set(attributes.get('Id') ?? '', pathOf(attributes.get('Target') ?? ''))
    },
  })
  const strings: string[] = []
  read(parts.get('xl/sharedStrings.xml'), stringsHandler(strings))
  const dates = new Set<number>()
  read(parts.get('xl/styles.xml'), stylesHandler(dates))
  const gathering = new SheetGathering()
  for (const { name, id } of book.sheets) {
    gathering.begin(name)
    read(parts.get(targets.get(id) ?? ''), sheetHandler({ strings, dates, from1904: book.from1904 }, gathering))
  }
  return gathering.end()
}

function readPart(bytes: Uint8Array, part: ZipPart, handler: XmlHandler): void {
  try {
    const xml = new XmlReader(handler)
    const text = new DecodeUTF8((piece) => xml.write(piece))
    inflatePart(bytes, part, (piece, last) => text.push(piece, last))
    xml.end()
  } catch (error) {
    if (!(error instanceof XmlFailure)) throw error
    throw new SheetFailure(error.reason.kind === 'not-xml' ? { kind: 'not-a-workbook' } : error.reason)
  }
}

const nothing = () => undefined
const SILENT: XmlHandler = { open: nothing, close: nothing, text: nothing }

/** `worksheets/sheet1.xml` and `/xl/worksheets/sheet1.xml` are one. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`
}

interface Book {
  readonly sheets: readonly { readonly name: string; readonly id: string }[]
  readonly from1904: boolean
}

function bookOf(read: (handler: XmlHandler) => void): Book {
  const sheets: { name: string; id: string }[] = []
  let from1904 = false
  read({
    ...SILENT,
    open: (name, attributes) => {
      if (name === 'sheet') sheets.push({ name: attributes.get('name') ?? '', id: attributes.get('id') ?? '' })
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes.get('date1904') ?? '')
    },
  })
  return { sheets, from1904 }
}

/** Texts that cells share. What is written small above a word for its reading is no part of it. */
function stringsHandler(strings: string[]): XmlHandler {
  let [text, inText, aside] = ['', false, 0]
  return {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') aside += 1
      inText = name === 't' && aside === 0
    },
    close: (name) => {
      if (name === 'rPh') aside -= 1
      if (name === 't') inText = false
      if (name !== 'si') return
      if (strings.length >= MAX_STRINGS) throw new SheetFailure({ kind: 'too-large' })
      strings.push(unescapeText(text))
    },
    text: (piece) => {
      if (inText) text += piece
    },
  }
}

/** Signs that XML cannot hold are written `_x000D_`. */
function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

/** Which formats of cells show dates, by their place. */
function stylesHandler(dates: Set<number>): XmlHandler {
  const codes = new Map<number, string>()
  let [inCells, at] = [false, 0]
  return {
    ...SILENT,
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '')
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const id = Number(attributes.get('numFmtId') ?? '0')
      if (showsDate(id, codes.get(id))) dates.add(at)
      at += 1
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  }
}

interface Around {
  readonly strings: readonly string[]
  readonly dates: ReadonlySet<number>
  readonly from1904: boolean
}

function sheetHandler(around: Around, gathering: SheetGathering): XmlHandler {
  let [row, column] = [-1, -1]
  let cell: { readonly type: string; readonly style: number } | null = null
  let [text, inText] = ['', false]
  return {
    open: (name, attributes) => {
      if (name === 'row') {
        row = findRowIndex(attributes.get('r'), row)
        column = -1
      }
      if (name === 'c') {
        column = columnOf(attributes.get('r')) ?? column + 1
        cell = { type: attributes.get('t') ?? 'n', style: Number(attributes.get('s') ?? '-1') }
        text = ''
      }
      inText = cell !== null && (name === 'v' || name === 't')
    },
    close: (name) => {
      if (name === 'v' || name === 't') inText = false
      if (name !== 'c' || cell === null) return
      gathering.put(row, column, valueText(text, cell, around))
      cell = null
    },
    text: (piece) => {
      if (inText) text += piece
    },
  }
}

function findRowIndex(reference: string | undefined, before: number): number {
  const row = Number(reference)
  return Number.isInteger(row) && row > 0 ? row - 1 : before + 1
}

/** The column of `AB12`, from 0. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,4})\d*$/.exec(reference ?? '')?.[1]
  return letters === undefined
    ? null
    : Array.from(letters).reduce((at, letter) => at * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueText(
  text: string,
  { type, style }: { readonly type: string; readonly style: number },
  { strings, dates, from1904 }: Around,
): string {
  switch (type) {
    case 's':
      return strings[Number(text)] ?? ''
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE'
    case 'str':
    case 'inlineStr':
      return unescapeText(text)
    // What a formula failed with says nothing.
    case 'e':
      return ''
    default: {
      if (text.trim() === '' || !Number.isFinite(Number(text))) return text
      return dates.has(style) ? dateText(Number(text), from1904) : numberText(Number(text))
    }
  }
}
