import '#tests/src/data/support/indexedDb.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { Palette } from '#src/screens/design/canvas/Palette.tsx'
import { PreviewDialog } from '#src/screens/design/PreviewDialog.tsx'
import { designWith, draftOf, fieldNow } from '#tests/src/screens/design/support/draft.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

/** A designer reads where the next field goes before it is there, and what of a page nobody could fill in. */

beforeAll(() => speak('zh'))

const START = designWith([
  { prop: 'pulse', label: '脉搏', type: 'number' },
  { prop: 'drugs', label: '合并用药', type: 'dynamic', children: { column: [] } },
])

test('the palette says where a click puts a field, and puts it there', async () => {
  const opened = draftOf(START)
  show(<Palette editor={opened} />)
  const target = () => screen.getByRole('status').textContent
  const select = async (props: readonly string[]) => {
    opened.select({ of: 'fields', folderId: 'f', pageId: 'p', table: null, props: [...props] })
    await Promise.resolve()
  }
  opened.select({ of: 'page', folderId: 'f', pageId: 'p' })
  await select(['pulse'])
  expect(await screen.findByText('点击后添加到：“脉搏”之后')).toBeTruthy()
  await select(['drugs'])
  expect(await screen.findByText('点击后添加到：表格“合并用药”中，作为一列')).toBeTruthy()
  expect(target()).toContain('合并用药')
  await userEvent.click(screen.getByRole('button', { name: '单行文本' }))
  expect(fieldNow(opened, 'input1', 'drugs')?.label).toBe('单行文本')
  opened.stop()
})

test('a table without columns is told where the page is tried, by its name', async () => {
  show(<PreviewDialog design={START} place={{ folderId: 'f', pageId: 'p' }} onClose={() => undefined} />)
  expect(await screen.findByText('表格没有列，无法填写：合并用药。请选中表格后从控件中添加列。')).toBeTruthy()
})
