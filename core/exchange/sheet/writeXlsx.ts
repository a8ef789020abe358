import { strToU8, zipSync } from 'fflate'

import { escapedXml } from './escapedXml.ts'
import { NO_DATE, streamZip } from './zipStream.ts'

/**
 * Writes a workbook of texts (ECMA-376, .xlsx). Every cell is a text of the format's own kind, which no spreadsheet
 * runs, whatever it begins with; so it needs no sign before it and is read again as it was.
 */

export interface WrittenSheet {
  /** At most 31 characters, none of `[]:*?/\`. */
  readonly name: string
  readonly rows: readonly (readonly string[])[]
  /** Widths of the columns in characters; a default for those that are not named. */
  readonly widths?: readonly number[]
}

export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const KINDS = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The bytes of a workbook. Its first rows stand still and are bold. */
export function writeXlsx(sheets: readonly WrittenSheet[]): Uint8Array {
  const frame = writeFrame(sheets.map(({ name }) => name))
  const bodies = sheets.map((sheet, at) => [sheetPath(at), writeSheet(sheet)] as const)
  return zipSync(Object.fromEntries([...frame, ...bodies].map(([path, text]) => [path, strToU8(text)])), {
    mtime: NO_DATE,
  })
}

/** A sheet whose rows come one after the other, its head first. */
export interface StreamedSheet {
  readonly name: string
  /** How many columns the rows have. */
  readonly columns: number
  readonly rows: AsyncIterable<readonly string[]>
}

/** The same workbook with one sheet, made while it is fetched: however long it is, it is never in memory as a whole. */
export function streamXlsx(sheet: StreamedSheet): AsyncGenerator<Uint8Array> {
  return streamZip([
    ...writeFrame([sheet.name]).map(([name, text]) => ({ name, content: [text] })),
    { name: sheetPath(0), content: streamSheet(sheet) },
  ])
}

/**
 * All parts of a workbook but its sheets, by their paths.
 *
 * @param names of the sheets
 * @param styles of the cells, where there are others than texts
 */
export function writeFrame(
  names: readonly string[],
  styles: string = STYLES,
): readonly (readonly [path: string, text: string])[] {
  const sheets = names.map((name, at) => ({ name, path: sheetPath(at), id: `rId${at + 1}`, number: at + 1 }))
  return [
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${KINDS}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${KINDS}.styles+xml"/>` +
        `${sheets.map(({ path }) => `<Override PartName="/${path}" ContentType="${KINDS}.worksheet+xml"/>`).join('')}</Types>`,
    ],
    ['_rels/.rels', relationships([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }])],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.map(({ name, id, number }) => `<sheet name="${escapedXml(name)}" sheetId="${number}" r:id="${id}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...sheets.map(({ id, path }) => ({ id, type: 'worksheet', target: path.slice('xl/'.length) })),
        { id: 'styles', type: 'styles', target: 'styles.xml' },
      ]),
    ],
    ['xl/styles.xml', styles],
  ]
}

/** @param at of the sheet, from 0 */
export function sheetPath(at: number): string {
  return `xl/worksheets/sheet${at + 1}.xml`
}

/**
 * Texts: cells of the format `@`, so that what a person types into them stays the text that was typed. The second style
 * is the header's.
 */
const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>'

const WIDTH = 22

export const SHEET_END = '</sheetData></worksheet>'

function writeSheet({ rows, widths = [] }: WrittenSheet): string {
  const columns = Math.max(1, ...rows.map((row) => row.length))
  return `${writeSheetStart(columns, widths)}${rows.map(writeRow).join('')}${SHEET_END}`
}

async function* streamSheet({ columns, rows }: StreamedSheet): AsyncGenerator<string> {
  yield writeSheetStart(columns)
  let at = 0
  for await (const cells of rows) {
    yield writeRow(cells, at)
    at += 1
  }
  yield SHEET_END
}

/** What stands before the rows of a sheet. */
export function writeSheetStart(columns: number, widths: readonly number[] = []): string {
  const cols = Array.from(
    { length: columns },
    (_, at) => `<col min="${at + 1}" max="${at + 1}" width="${widths[at] ?? WIDTH}" style="0" customWidth="1"/>`,
  ).join('')
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols}</cols><sheetData>`
}

/** @param row from 0, which is the head */
function writeRow(cells: readonly string[], row: number): string {
  return `<row r="${row + 1}">${cells.map((text, at) => cellXml(text, `${columnName(at)}${row + 1}`, row === 0)).join('')}</row>`
}

/** A cell of text; nothing for an empty one. */
export function cellXml(text: string, reference: string, isHeader: boolean): string {
  return text === ''
    ? ''
    : `<c r="${reference}" s="${isHeader ? 1 : 0}" t="inlineStr"><is><t xml:space="preserve">${escapedXml(escapeText(text))}</t></is></c>`
}

/** Signs that XML changes or cannot hold, and what looks like the format's escape of one. */
// oxlint-disable-next-line no-control-regex
const NOT_AS_IT_IS = /[\u0001-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/

const ALL_OF_THEM = new RegExp(NOT_AS_IT_IS, 'g')

/** A text in which these signs are escaped as the format does. */
function escapeText(text: string): string {
  if (!NOT_AS_IT_IS.test(text)) return text
  return text.replaceAll(ALL_OF_THEM, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
}

function relationships(
  all: readonly { readonly id: string; readonly type: string; readonly target: string }[],
): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.map(({ id, type, target }) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`
}

/** The letters of a column, from 0. */
export function columnName(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : `${columnName(Math.floor(at / 26) - 1)}${columnName(at % 26)}`
}
