import type { ClinicalPage } from '#core/exchange/clinical/subject.ts'
import type { TableRow } from '#core/exchange/clinical/rowsNow.ts'
import { rowsNow } from '#core/exchange/clinical/rowsNow.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { isRowList } from '#core/sync/entryData.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'

import type { PaperBlock, PaperCell } from './document.ts'
import { cellOf } from './document.ts'
import { layPage, layTable } from './layout.ts'
import type { Speech } from './valueWords.ts'
import { contentCell, contentText, labelOf } from './valueWords.ts'

/** The fields of a page with what was entered, in the order of the page. */

/** Whether a field of the page is printed at all; of what is not, nobody reads that it is empty. */
export type Leaves = (table: string | null, code: string) => boolean

interface Around extends Speech {
  readonly page: ClinicalPage
  readonly leaves: Leaves
  readonly unseen: ReadonlySet<string>
}

export function fieldBlocks(
  page: ClinicalPage,
  model: PageModel,
  leaves: Leaves,
  speech: Speech,
): readonly PaperBlock[] {
  const around: Around = { ...speech, page, leaves, unseen: new Set(page.hidden) }
  return layPage(model, speech, {
    isShown: (field) => isShown(field, around),
    ask: (field) => cellOf(labelOf(field, speech.language)),
    answer: (field) => contentCell(field, page.values[field.code], page.missing[field.code], speech),
    table: (field) => tableBlocks(field, around),
  })
}

/** What a rule hides is no data; what the definition hides is printed where something stands in it. */
function isShown(field: Field, { page, leaves, unseen }: Around): boolean {
  if (unseen.has(field.code) || !leaves(null, field.code)) return false
  const isNeverAsked = field.hidden.add && field.hidden.input
  return !isNeverAsked || !isEmptyValue(page.values[field.code] ?? null) || page.missing[field.code] !== undefined
}

function tableBlocks(table: Field, around: Around): readonly PaperBlock[] {
  const { page, words, language, leaves } = around
  const rows = rowsNow(page, table.code)
  const missing = page.missing[table.code]
  if (rows.length === 0) {
    const text = missing === undefined ? words.noRows : contentText(null, null, missing, around)
    return [{ kind: 'text', text, look: 'muted' }]
  }
  return layTable(around, {
    columns: table.children.filter((child) => leaves(table.code, child.code)),
    rows,
    head: (column) => labelOf(column, language),
    ask: (column) => cellOf(labelOf(column, language)),
    answer: (column, row) => rowCell(table, column, row, around),
  })
}

function rowCell(table: Field, column: Field, { rid, cells }: TableRow, around: Around): PaperCell {
  if (around.unseen.has(`${table.code}.${rid}.${column.code}`)) return []
  return contentCell(column, cells[column.code], around.page.missing[`${rid}.${column.code}`], around)
}

/** Values for which the page has no field. */
export function unplacedBlocks(page: ClinicalPage, model: PageModel | null, speech: Speech): readonly PaperBlock[] {
  const unseen = new Set(page.hidden)
  const rows: (readonly PaperCell[])[] = []
  const push = (code: string, cell: PaperCell): void => {
    rows.push([cellOf(code, 'code'), cell])
  }
  for (const [code, value] of Object.entries(page.values)) {
    const field = model?.byCode.get(code)
    if (!isRowList(value)) {
      if (field === undefined && !unseen.has(code) && !isEmptyValue(value))
        push(code, contentCell(null, value, page.missing[code], speech))
      continue
    }
    const known = new Set(field?.children.map((child) => child.code))
    rowsNow(page, code).forEach(({ cells }, at) => {
      for (const [child, cell] of Object.entries(cells))
        if (!known.has(child) && !isEmptyValue(cell))
          push(`${code}.${child} (${speech.words.row(at + 1)})`, contentCell(null, cell, undefined, speech))
    })
  }
  for (const [code, why] of Object.entries(page.missing))
    if (!code.includes('.') && model?.byCode.get(code) === undefined && page.values[code] === undefined)
      push(code, contentCell(null, null, why, speech))
  return rows.length === 0
    ? []
    : [
        { kind: 'heading', text: speech.words.unplaced },
        { kind: 'table', widths: [5, 7], head: [], rows },
      ]
}

/** What a release took out of the forms. */
export function retiredBlocks({ retired = {} }: ClinicalPage, speech: Speech): readonly PaperBlock[] {
  const rows = Object.entries(retired).map(([key, one]): readonly PaperCell[] => [
    cellOf([one.tableLabel ?? one.table ?? '', one.label ?? one.code ?? key].filter((part) => part !== '').join(' · ')),
    one.text === undefined || one.text === ''
      ? contentCell(null, one.value, one.missing ?? undefined, speech)
      : cellOf(one.text),
  ])
  return rows.length === 0
    ? []
    : [
        { kind: 'heading', text: speech.words.retired },
        { kind: 'table', widths: [5, 7], head: [], rows },
      ]
}
