import type { Language } from '#core/language.ts'

import type { WriteNote } from './contract.ts'
import { dataWords } from './words.ts'

/** The head of a table of notes. */
export function noteHead(language: Language): readonly string[] {
  const { what, table, variable, row, count, text } = dataWords(language).noteColumns
  return [what, table, variable, row, count, text]
}

/** A note as a row below that head, for a file that lies beside the data: it quotes what was entered. */
export function noteRow(note: WriteNote, language: Language): readonly (string | number | null)[] {
  return [
    dataWords(language).notes[note.kind],
    note.table,
    'variable' in note ? note.variable : null,
    'row' in note ? note.row : null,
    countOf(note),
    textOf(note),
  ]
}

function countOf(note: WriteNote): number | null {
  if ('cells' in note) return note.cells
  return 'parts' in note ? note.parts : null
}

function textOf(note: WriteNote): string | null {
  if ('to' in note) return note.to
  if ('code' in note) return `${note.code}=${note.text}`
  return 'text' in note ? note.text : null
}
