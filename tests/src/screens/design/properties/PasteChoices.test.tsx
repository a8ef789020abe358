import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Raw } from '#core/form/definition/option.ts'
import { ChoicesEditor } from '#src/screens/design/properties/choices/ChoicesEditor.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Choices come from a spreadsheet: a designer sees what becomes of each line before it is taken. */

beforeAll(() => speak('zh'))

const TONGUE = [
  { value: '1', label: '淡红', labelEn: 'Pink' },
  { value: '2', label: '红', was: ['h'] },
]

async function paste(text: string, items: readonly Raw[] = TONGUE) {
  const onChange = vi.fn<(items: readonly Raw[]) => void>()
  show(<ChoicesEditor items={items} onChange={onChange} />)
  await userEvent.click(screen.getByRole('button', { name: '从表格粘贴' }))
  const dialog = await screen.findByRole('dialog', { name: '从表格粘贴选项' })
  fireEvent.change(within(dialog).getByRole('textbox', { name: '选项' }), { target: { value: text } })
  const lines = within(dialog)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
  return { dialog, lines, onChange, taken: () => onChange.mock.lastCall?.[0] }
}

test('two columns are values and labels: new ones come last, known ones keep what the sheet does not have', async () => {
  const { dialog, lines, taken } = await paste('2\t红色\n3\t紫\n3\t暗紫\n4\t\n1\t淡红\n')
  expect(lines).toEqual([
    ['2', '红色', '更新名称'],
    ['3', '紫', '新增'],
    ['3', '暗紫', '值重复，不加入'],
    ['4', '', '缺少名称，不加入'],
    ['1', '淡红', '已有'],
  ])
  expect(within(dialog).getByRole('status').textContent).toBe('新增 1 项，更新 1 项，已有 1 项 · 2 行不加入')
  await userEvent.click(within(dialog).getByRole('button', { name: '加入 2 项' }))
  expect(taken()).toEqual([
    { value: '1', label: '淡红', labelEn: 'Pink' },
    { value: '2', label: '红色', was: ['h'] },
    { value: '3', label: '紫' },
  ])
})

test('one column is labels, which get the next numbers; a label that is there is no new choice', async () => {
  const { dialog, lines, taken } = await paste('红\r\n绛\r\n青紫\r\n绛')
  expect(lines.map(([value, label, fate]) => `${value ?? ''} ${label ?? ''} ${fate ?? ''}`)).toEqual([
    '2 红 已有',
    '3 绛 新增',
    '4 青紫 新增',
    ' 绛 值重复，不加入',
  ])
  await userEvent.click(within(dialog).getByRole('button', { name: '加入 2 项' }))
  expect(taken()?.map(({ value, label }) => [value, label])).toEqual([
    ['1', '淡红'],
    ['2', '红'],
    ['3', '绛'],
    ['4', '青紫'],
  ])
})

test('three columns bring English too, and a replacement says which choices go', async () => {
  const { dialog, taken } = await paste('a\t薄白\tThin white\nb\t黄腻\tYellow greasy')
  await userEvent.click(within(dialog).getByRole('radio', { name: '用粘贴的选项替换' }))
  expect(within(dialog).getByText('将移除 2 项：淡红、红')).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: '替换为 2 项' }))
  expect(taken()).toEqual([
    { value: 'a', label: '薄白', labelEn: 'Thin white' },
    { value: 'b', label: '黄腻', labelEn: 'Yellow greasy' },
  ])
})
