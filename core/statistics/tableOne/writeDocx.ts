import { strToU8, zipSync } from 'fflate'

import type { TableLayout } from './layout.ts'
import { escapeHtml, nameOf } from './writeTable.ts'

/** Writes a table as a document for word processors (Office Open XML, ECMA-376): with three lines, as journals want. */

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Eighths of a point: the outer lines are twice as thick as the one below the header. */
const [THICK, THIN] = [12, 6]
/** Characters that XML cannot hold. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
/** The same file for the same table: a date within what ZIP can say. */
const STAMP = '1980-01-01T00:00:00'

/** The bytes of a .docx file. */
export function tableDocx(layout: TableLayout): Uint8Array {
  const files = {
    '[Content_Types].xml': strToU8(
      `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': strToU8(documentXml(layout)),
  }
  return zipSync(files, { mtime: STAMP })
}

function documentXml({ title, header, lines, note }: TableLayout): string {
  const columns = header.map(() => '<w:gridCol/>').join('')
  const rows = [
    rowXml(header, { isHeader: true }),
    ...lines.map((line) => rowXml([nameOf(line), ...line.cells], { isHeader: false })),
  ].join('')
  const borders = `<w:tblBorders><w:top w:val="single" w:sz="${THICK}"/><w:bottom w:val="single" w:sz="${THICK}"/></w:tblBorders>`
  const table = `<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/>${borders}</w:tblPr><w:tblGrid>${columns}</w:tblGrid>${rows}</w:tbl>`
  const page = '<w:sectPr><w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/></w:sectPr>'
  return `${DECLARATION}<w:document xmlns:w="${W}"><w:body>${paragraphXml(title, { isBold: true, isNumber: false })}${table}${paragraphXml(note, { isBold: false, isNumber: false })}${page}</w:body></w:document>`
}

function rowXml(texts: readonly string[], { isHeader }: { readonly isHeader: boolean }): string {
  const line = isHeader ? `<w:tcPr><w:tcBorders><w:bottom w:val="single" w:sz="${THIN}"/></w:tcBorders></w:tcPr>` : ''
  const cells = texts.map(
    (text, column) => `<w:tc>${line}${paragraphXml(text, { isBold: isHeader, isNumber: column > 0 })}</w:tc>`,
  )
  // A header comes again on each page.
  return `<w:tr><w:trPr><w:cantSplit/>${isHeader ? '<w:tblHeader/>' : ''}</w:trPr>${cells.join('')}</w:tr>`
}

function paragraphXml(
  text: string,
  { isBold, isNumber }: { readonly isBold: boolean; readonly isNumber: boolean },
): string {
  const place = isNumber ? '<w:pPr><w:jc w:val="center"/></w:pPr>' : ''
  const style = isBold ? '<w:rPr><w:b/></w:rPr>' : ''
  const safe = escapeHtml(text.replaceAll(UNWRITABLE, ''))
  return `<w:p>${place}<w:r>${style}<w:t xml:space="preserve">${safe}</w:t></w:r></w:p>`
}
