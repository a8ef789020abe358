import type { NotCarried, NotCarriedPart } from '#core/exchange/definition.ts'
import type { Column } from '#core/form/definition/column.ts'

import { columnOf } from './column.ts'
import type { DictionaryColumn, DictionaryRow } from './table.ts'
import { emptyCells } from './table.ts'
import { hasMarkup } from './text.ts'

/**
 * What a dictionary says and nothing here understands stays with its column, word for word, and is written again where
 * the column is still the one that it was read for.
 */

export type Cells = Partial<Readonly<Record<DictionaryColumn, string>>>

/** Cells that only together say what a field is. */
const TYPE_CELLS = [
  'field_type',
  'select_choices_or_calculations',
  'text_validation_type_or_show_slider_number',
] as const

/** The cells that a part of a field stands in. Those of the annotation are kept tag by tag. */
const CELLS_OF = {
  field: TYPE_CELLS,
  label: ['field_label', 'field_note', 'select_choices_or_calculations'],
  choices: TYPE_CELLS,
  validation: ['text_validation_type_or_show_slider_number'],
  range: ['text_validation_min', 'text_validation_max'],
  branching: ['branching_logic'],
  calculation: TYPE_CELLS,
  layout: ['custom_alignment', 'question_number', 'matrix_ranking', 'text_validation_type_or_show_slider_number'],
  flag: ['identifier', 'required_field'],
} as const satisfies Partial<Record<NotCarriedPart, readonly DictionaryColumn[]>>

function cellsFor(what: NotCarriedPart): readonly DictionaryColumn[] {
  return what in CELLS_OF ? CELLS_OF[what as keyof typeof CELLS_OF] : []
}

/** The cells of a row to keep, by the parts that were not carried over; null when there are none. */
export function rememberCells(row: DictionaryRow, lost: readonly NotCarried[]): Cells | null {
  const kept: Partial<Record<DictionaryColumn, string>> = {}
  for (const { what, why, text: reported } of lost) {
    // A row that names no form lost its place, and nothing of its own.
    if (why === 'no-form') continue
    for (const cell of cellsFor(what)) {
      const text = row.cells[cell]
      // A row without a type is one too, and must not come back as another.
      const isSaid = text !== '' || cell === 'field_type'
      if (isSaid && isLost(row, cell, what, reported)) kept[cell] = text
    }
  }
  const tags = lost.filter(
    ({ what }) => what === 'annotation' || (what === 'calculation' && row.cells.field_type !== 'calc'),
  )
  // In the order of the annotation; what stood between the tags comes last.
  const place = (text: string) =>
    text.startsWith('@') ? row.cells.field_annotation.indexOf(text) : Number.MAX_SAFE_INTEGER
  const inOrder = tags.map(({ text }) => text).toSorted((a, b) => place(a) - place(b))
  if (tags.length > 0) kept.field_annotation = inOrder.join(' ')
  // A field without a label has its name here, which is not what it said.
  if (row.cells.field_label === '') kept.field_label = ''
  if (hasMarkup(row.cells.section_header)) kept.section_header = row.cells.section_header
  return Object.keys(kept).length === 0 ? null : kept
}

/** Whether a cell is the one that the report of its part is about. */
function isLost({ cells }: DictionaryRow, cell: DictionaryColumn, what: NotCarriedPart, reported: string): boolean {
  if (what === 'flag') return cells[cell] === reported
  if (what !== 'label') return true
  const isChoice = ![cells.field_label, cells.field_note, cells.section_header].includes(reported)
  return hasMarkup(cells[cell]) && (cell === 'select_choices_or_calculations' ? isChoice : cells[cell] === reported)
}

/** The cells of a column with those that were kept, as far as they still read as the same column. */
export function restoreCells(generated: Cells, { prop, zl = {} }: Column): Cells {
  const kept: Cells = zl.kept ?? {}
  let cells = generated
  const offer = (change: Cells) => {
    const changed = { ...cells, ...change }
    if (readAgain(changed, prop) === readAgain(cells, prop)) cells = changed
  }
  // A formula that somebody wrote here since goes before the one that was kept.
  if (cells.field_type === 'calc')
    offer({ text_validation_type_or_show_slider_number: kept.text_validation_type_or_show_slider_number ?? '' })
  else if (kept.field_type !== undefined && (kept.field_type !== 'calc' || zl.calculate === undefined)) {
    offer(Object.fromEntries(TYPE_CELLS.map((cell) => [cell, kept[cell] ?? ''])))
  }
  const isChoice =
    kept.field_type === undefined && (cells.select_choices_or_calculations ?? '') !== '' && cells.field_type !== 'calc'
  const choices: readonly DictionaryColumn[] = isChoice ? ['select_choices_or_calculations'] : []
  for (const cell of [
    'field_label',
    'field_note',
    ...choices,
    ...CELLS_OF.range,
    ...CELLS_OF.layout,
    ...CELLS_OF.flag,
  ] as const) {
    if (kept[cell] !== undefined) offer({ [cell]: kept[cell] })
  }
  if (kept.branching_logic !== undefined && zl.show === undefined)
    cells = { ...cells, branching_logic: kept.branching_logic }
  if (kept.field_annotation !== undefined) {
    const tags = [cells.field_annotation ?? '', kept.field_annotation]
    cells = { ...cells, field_annotation: tags.filter((tag) => tag !== '').join(' ') }
  }
  return cells
}

function readAgain(cells: Cells, prop: string): string {
  const all = { ...emptyCells(), ...cells, field_name: prop, field_annotation: '' }
  return JSON.stringify(columnOf({ row: 0, cells: all, strangers: [] }, prop, () => undefined))
}
