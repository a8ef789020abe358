import { withoutFormula } from '#core/exchange/formula.ts'
import { escapedXml } from '#core/exchange/sheet/escapedXml.ts'
import { zipped } from '#server/sheet/zip.ts'

/** A workbook with one sheet of text (ECMA-376), made while it is sent. */

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const KINDS = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** @param name of the sheet, at most 31 characters, none of `[]:*?/\` */
export function xlsx(name: string, rows: AsyncIterable<readonly string[]>): AsyncGenerator<Buffer> {
  return zipped([
    {
      name: '[Content_Types].xml',
      content: [
        `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
          `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${KINDS}.sheet.main+xml"/>` +
          `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${KINDS}.worksheet+xml"/></Types>`,
      ],
    },
    { name: '_rels/.rels', content: [relationship(`${OFFICE}/officeDocument`, 'xl/workbook.xml')] },
    {
      name: 'xl/workbook.xml',
      content: [
        `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapedXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ],
    },
    { name: 'xl/_rels/workbook.xml.rels', content: [relationship(`${OFFICE}/worksheet`, 'worksheets/sheet1.xml')] },
    { name: 'xl/worksheets/sheet1.xml', content: sheet(rows) },
  ])
}

function relationship(type: string, target: string): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`
}

async function* sheet(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`
  for await (const cells of rows) yield `<row>${cells.map(cell).join('')}</row>`
  yield '</sheetData></worksheet>'
}

function cell(text: string): string {
  return text === ''
    ? '<c/>'
    : `<c t="inlineStr"><is><t xml:space="preserve">${escapedXml(withoutFormula(text))}</t></is></c>`
}
