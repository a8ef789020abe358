import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { Properties } from '#src/screens/design/properties/Properties.tsx'
import { designWith, draftOf, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { speak } from '#tests/src/support/screen.tsx'

/** What is set of a page and its form, as a designer sets it. */

beforeAll(() => speak('zh'))

const write = (name: string, text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value: text } })
const choose = async (list: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: list }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('a page is named, and its form laid out; what is as it always is stands nowhere', async () => {
  const draft = draftOf(designWith([]))
  draft.select({ of: 'page', folderId: 'f', pageId: 'p' })
  showDraft(draft, ({ design, selection }) => (
    <Properties editor={draft} design={design} selection={selection} canEdit mayRule opened onClose={() => undefined} />
  ))
  const page = () => draft.view().design.pages.get('p')
  write('页名称', '生命体征')
  write('页名称', ' ')
  expect(page()?.pageName).toBe('生命体征')
  await choose('页面大小', 'A4 横向（1125 px）')
  await choose('标签位置', '左')
  write('标签后缀', '：')
  write('英文标签后缀', ':')
  write('间距', '8')
  await choose('按钮位置', '中')
  write('提交按钮文字', '交')
  await userEvent.click(screen.getByRole('checkbox', { name: '可带附件' }))
  expect(page()?.form?.rest).toEqual({
    labelPosition: 'left',
    labelSuffix: '：',
    gutter: 8,
    menuPosition: 'center',
    submitText: '交',
    zl: { pageSize: 'A4-horizontal', labelSuffixEn: ':', attachment: true },
  })
  await choose('页面大小', '自动')
  write('英文标签后缀', '')
  write('提交按钮文字', '')
  await userEvent.click(screen.getByRole('checkbox', { name: '可带附件' }))
  expect(page()?.form?.rest).toEqual({
    labelPosition: 'left',
    labelSuffix: '：',
    gutter: 8,
    menuPosition: 'center',
  })
  draft.stop()
})
