import { expect, test } from 'vitest'
import { NO_LAYOUT } from '#src/ui/table/contract.ts'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { sortRows } from '#src/ui/table/order.ts'
import { gridColumns, shownColumns, withColumn, withWidth } from '#src/ui/table/shownColumns.ts'
import { sheetText } from '#src/ui/table/tableText.ts'
import { actOfKey } from '#src/ui/table/useTableKeys.ts'
import { panelWithin } from '#src/ui/panel/SplitView.tsx'

const column = (key: string, more: Partial<TableColumn<string>> = {}): TableColumn<string> => ({
  key,
  title: key,
  width: 6,
  text: (row) => row,
  ...more,
})

test('names are sorted as a Chinese reader looks for them', () => {
  const by = [column('name', { sortBy: (row) => row })]
  expect(sortRows(['张', '李', '王', '陈'], by, { key: 'name', down: false })).toEqual(['陈', '李', '王', '张'])
  expect(sortRows(['张', '李', '王', '陈'], by, { key: 'name', down: true })).toEqual(['张', '王', '李', '陈'])
})

test('figures in a text are sorted by what they count, however long they are', () => {
  const by = [column('no', { sortBy: (row) => row })]
  const sorted = (rows: readonly string[]) => sortRows(rows, by, { key: 'no', down: false })
  expect(sorted(['V10', 'V9', 'V1'])).toEqual(['V1', 'V9', 'V10'])
  expect(sorted(['2026-10-01', '2026-09-30'])).toEqual(['2026-09-30', '2026-10-01'])
  expect(sorted(['ZXM', 'LI', 'WCH'])).toEqual(['LI', 'WCH', 'ZXM'])
})

test('a column of a desk is left out on a tablet until it is asked for; the key column always stays', () => {
  const all = [column('no', { place: 'key' }), column('date', { from: 'desk' }), column('note', { extra: true })]
  const keys = (layout = NO_LAYOUT, mode: 'desk' | 'touch' = 'touch') =>
    shownColumns(all, layout, mode).map(({ key }) => key)
  expect(keys()).toEqual(['no'])
  expect(keys(NO_LAYOUT, 'desk')).toEqual(['no', 'date'])
  const asked = withColumn(NO_LAYOUT, column('date', { from: 'desk' }), true, 'touch')
  expect(keys(asked)).toEqual(['no', 'date'])
  expect(withColumn(asked, column('date', { from: 'desk' }), false, 'touch')).toEqual(NO_LAYOUT)
  expect(keys({ ...NO_LAYOUT, columns: { no: false } })).toEqual(['no'])
})

test('a width that was drawn stays within what a column can be; the others share what is left', () => {
  const layout = withWidth(withWidth(NO_LAYOUT, 'a', 3), 'b', 200.4)
  expect(layout.widths).toEqual({ a: 48, b: 200 })
  expect(gridColumns([column('a'), column('b'), column('c', { grows: 2 })], layout.widths)).toBe(
    '48px 200px minmax(6rem, 2fr)',
  )
  expect(withWidth(layout, 'a', null).widths).toEqual({ b: 200 })
})

test('what goes to a spreadsheet keeps its cells: tabs and lines within a cell are quoted', () => {
  expect(
    sheetText({ columns: [column('a')], rows: ['一\t二', '三"四\n五', '@x'], facts: new Map(), rowKey: (row) => row }),
  ).toBe('a\n"一\t二"\n"三""四\n五"\n\'@x')
})

test('letters work everywhere, arrows and Enter only in the rows, and nothing with Ctrl but marking all', () => {
  const key = (name: string, more = {}) => ({
    key: name,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  })
  expect(actOfKey(key('j'), false)).toEqual({ do: 'step', by: 1, mark: false })
  expect(actOfKey(key('ArrowDown'), false)).toBeNull()
  expect(actOfKey(key('ArrowDown'), true)).toEqual({ do: 'step', by: 1, mark: false })
  expect(actOfKey(key('Enter'), false)).toBeNull()
  expect(actOfKey(key('j', { ctrlKey: true }), true)).toBeNull()
  expect(actOfKey(key('a', { metaKey: true }), true)).toEqual({ do: 'markAll' })
})

test('a panel is never wider than what leaves the list readable', () => {
  expect(panelWithin(2000, 1200)).toBe(840)
  expect(panelWithin(10, 1200)).toBe(280)
})
