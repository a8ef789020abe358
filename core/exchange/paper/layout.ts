import { inLanguage } from '#core/form/definition/inLanguage.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { isTable } from '#core/form/definition/page.ts'

import type { PaperBlock, PaperCell } from './document.ts'
import { cellOf } from './document.ts'
import type { Speech } from './valueWords.ts'
import { labelOf } from './valueWords.ts'

/** How the fields of a page stand on a sheet, filled in or blank. */

/** What is written of fields. */
export interface FieldWriting {
  readonly isShown: (field: Field) => boolean
  /** What is asked, and the answer or the room for it. */
  readonly ask: (field: Field) => PaperCell
  readonly answer: (field: Field) => PaperCell
  readonly table: (field: Field) => readonly PaperBlock[]
}

/** The sections of a page under their headings, without those of which nothing is shown. */
export function layPage({ sections }: PageModel, speech: Speech, writing: FieldWriting): readonly PaperBlock[] {
  return sections.flatMap(({ label, labelEn, fields }): readonly PaperBlock[] => {
    const blocks = laySection(fields, speech, writing)
    return blocks.length === 0 || label === ''
      ? blocks
      : [{ kind: 'heading', text: inLanguage(speech.language, label, labelEn) }, ...blocks]
  })
}

function laySection(fields: readonly Field[], { language }: Speech, writing: FieldWriting): readonly PaperBlock[] {
  const blocks: PaperBlock[] = []
  let rows: (readonly PaperCell[])[] = []
  const close = (): void => {
    if (rows.length > 0) blocks.push({ kind: 'table', widths: [5, 7], head: [], rows })
    rows = []
  }
  for (const field of fields) {
    if (!writing.isShown(field)) continue
    if (field.type === 'title') rows.push([cellOf(labelOf(field, language), 'strong')])
    else if (isTable(field)) {
      close()
      blocks.push({ kind: 'heading', text: labelOf(field, language) }, ...writing.table(field))
    } else rows.push([writing.ask(field), writing.answer(field)])
  }
  close()
  return blocks
}

/** Columns that stand side by side on a sheet; of a table with more, each row is a list. */
const MOST_COLUMNS = 6

/** What is written of a table. */
export interface TableWriting<Row> {
  readonly columns: readonly Field[]
  readonly rows: readonly Row[]
  readonly head: (column: Field) => string
  readonly ask: (column: Field) => PaperCell
  readonly answer: (column: Field, row: Row) => PaperCell
}

/** The rows of a table, numbered from 1. */
export function layTable<Row>(
  { words }: Speech,
  { columns, rows, head, ask, answer }: TableWriting<Row>,
): readonly PaperBlock[] {
  if (columns.length <= MOST_COLUMNS)
    return [
      {
        kind: 'table',
        widths: [1, ...columns.map(() => 4)],
        head: ['', ...columns.map(head)],
        rows: rows.map((row, at) => [cellOf(String(at + 1), 'muted'), ...columns.map((column) => answer(column, row))]),
      },
    ]
  return [
    {
      kind: 'table',
      widths: [5, 7],
      head: [],
      rows: rows.flatMap((row, at) => [
        [cellOf(words.row(at + 1), 'strong')],
        ...columns.map((column) => [ask(column), answer(column, row)]),
      ]),
    },
  ]
}
