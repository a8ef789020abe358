import { strToU8, zipSync } from 'fflate'

import { escapedXml } from './escapedXml.ts'

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

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const KINDS = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The first day that the format knows: a file made twice is the same. */
const NO_DATE = new Date(1980, 0, 1)

/** The bytes of a workbook. Its first rows stand still and are bold. */
export function writeXlsx(sheets: readonly WrittenSheet[]): Uint8Array {
  const numbered = sheets.map((sheet, at) => ({
    ...sheet,
    file: `sheet${at + 1}.xml`,
    id: `rId${at + 1}`,
    number: at + 1,
  }))
  const files: Record<string, string> = {
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${KINDS}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${KINDS}.styles+xml"/>` +
      `${numbered.map(({ file }) => `<Override PartName="/xl/worksheets/${file}" ContentType="${KINDS}.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': relationships([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbered.map(({ name, id, number }) => `<sheet name="${escapedXml(name)}" sheetId="${number}" r:id="${id}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...numbered.map(({ id, file }) => ({ id, type: 'worksheet', target: `worksheets/${file}` })),
      { id: 'styles', type: 'styles', target: 'styles.xml' },
    ]),
    'xl/styles.xml': STYLES,
    ...Object.fromEntries(numbered.map((sheet) => [`xl/worksheets/${sheet.file}`, sheetXml(sheet)])),
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
    mtime: NO_DATE,
  })
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

function sheetXml({ rows, widths = [] }: WrittenSheet): string {
  const columns = Math.max(1, ...rows.map((row) => row.length))
  const cols = Array.from(
    { length: columns },
    (_, at) => `<col min="${at + 1}" max="${at + 1}" width="${widths[at] ?? WIDTH}" style="0" customWidth="1"/>`,
  ).join('')
  const body = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, at) => cellXml(text, `${columnName(at)}${row + 1}`, row === 0)).join('')}</row>`,
  )
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols}</cols><sheetData>${body.join('')}</sheetData></worksheet>`
}

function cellXml(text: string, reference: string, isHeader: boolean): string {
  return text === ''
    ? ''
    : `<c r="${reference}" s="${isHeader ? 1 : 0}" t="inlineStr"><is><t xml:space="preserve">${escapedXml(kept(text))}</t></is></c>`
}

/** A return sign alone, and what looks like an escape of the format, is escaped as the format does. */
function kept(text: string): string {
  return text.replaceAll(/_x(?=[0-9A-Fa-f]{4}_)/g, '_x005F_x').replaceAll('\r', '_x000D_')
}

function relationships(
  all: readonly { readonly id: string; readonly type: string; readonly target: string }[],
): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.map(({ id, type, target }) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`
}

function columnName(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : `${columnName(Math.floor(at / 26) - 1)}${columnName(at % 26)}`
}
