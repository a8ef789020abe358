import { strToU8, zipSync } from 'fflate'

/** Workbooks for tests, made part by part, so that each part can be what no spreadsheet writes. */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

export type Cells = readonly (readonly string[])[]

/** The XML of a sheet whose cells are texts. */
export function sheetXml(rows: Cells): string {
  const xml = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((cell, at) => (cell === '' ? '' : `<c r="${columnName(at)}${row + 1}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`)).join('')}</row>`,
  )
  return `<worksheet xmlns="${MAIN}"><sheetData>${xml.join('')}</sheetData></worksheet>`
}

/** The parts of a workbook of these sheets. */
export function parts(sheets: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(sheets)
  return {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="r"><sheets>${names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheets[name] ?? ''])),
  }
}

export function zipped(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
    ),
  )
}

/** A workbook of texts. */
export function workbook(sheets: Readonly<Record<string, Cells>>): Uint8Array {
  return zipped(parts(Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, sheetXml(rows)]))))
}

function columnName(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : `${columnName(Math.floor(at / 26) - 1)}${columnName(at % 26)}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
