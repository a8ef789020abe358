import { expect, it } from 'vitest'
import type { WriteNote } from '#core/exchange/data/contract.ts'
import { tableFormatIds } from '#core/dataset/formats.ts'
import { dataFormats } from '#core/exchange/data/dataFormats.ts'
import { noteHead, noteRow } from '#core/exchange/data/noteRows.ts'

const at = { table: 'VS', variable: 'WEIGHT' }

it.each<[WriteNote, readonly unknown[]]>([
  [{ kind: 'value-not-of-type', ...at, row: 7, text: '约70' }, ['VS', 'WEIGHT', 7, null, '约70']],
  [{ kind: 'reasons-not-written', ...at, cells: 3 }, ['VS', 'WEIGHT', null, 3, null]],
  [{ kind: 'table-renamed', table: 'VS', to: 'V' }, ['VS', null, null, null, 'V']],
  [{ kind: 'code-label-cut', ...at, code: '1', text: '是' }, ['VS', 'WEIGHT', null, null, '1=是']],
  [{ kind: 'rows-split', table: 'VS', parts: 2 }, ['VS', null, null, 2, null]],
  [{ kind: 'variable-left-out', ...at }, ['VS', 'WEIGHT', null, null, null]],
])('a note is a row that says what, where and what was entered: %j', (note, cells) => {
  expect(noteRow(note, 'zh').slice(1)).toEqual(cells)
  expect(noteRow(note, 'en').slice(1)).toEqual(cells)
  expect(noteRow(note, 'zh')[0]).not.toBe(noteRow(note, 'en')[0])
  expect(noteHead('zh').length).toBe(cells.length + 1)
})

it('every format is listed once', () => {
  expect(dataFormats.map(({ id }) => id)).toEqual(tableFormatIds)
})
