import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Designer } from '#src/screens/design/Designer.tsx'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { DRAFT_VERSION, codesNow, designWith, draftOf, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { ProblemsThread } from '#tests/src/screens/design/support/problemsThread.ts'
import { speak } from '#tests/src/support/screen.tsx'

/** What a reader of the screen is told when fields are moved or added without a mouse. */

beforeAll(() => speak('zh'))

let editor: DesignEditor
beforeEach(() => {
  vi.stubGlobal('Worker', ProblemsThread)
  editor = draftOf(
    designWith([
      { prop: 'pulse', label: '脉搏', type: 'number' },
      { prop: 'temp', label: '体温', type: 'number' },
      {
        prop: 'drugs',
        label: '合并用药',
        type: 'dynamic',
        children: {
          column: [
            { prop: 'name', label: '药名', type: 'input' },
            { prop: 'dose', label: '剂量', type: 'input' },
          ],
        },
      },
    ]),
  )
  editor.select({ of: 'page', folderId: 'f', pageId: 'p' })
  showDraft(editor, (view) => (
    <Designer
      editor={editor}
      view={view}
      projectId="1"
      version={DRAFT_VERSION}
      isDraft
      waits={false}
      permissions={[]}
      canEdit
      mayRule
    />
  ))
})
afterEach(() => editor.stop())

/** It is told a second later, so that what changes by the key itself does not drown it. */
const told = (words: string) => waitFor(() => expect(screen.getByText(words)).toBeTruthy(), { timeout: 3000 })
const field = (name: RegExp) => screen.getByRole('option', { name })

test('a field that is moved by keys is told with its new place, one that is at the end with that it stayed', async () => {
  await userEvent.click(field(/脉搏/u))
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(codesNow(editor)).toEqual(['temp', 'pulse', 'drugs'])
  await told('脉搏 已移到 体征：第 2 项，共 3 项')
  await userEvent.click(field(/体温/u))
  await userEvent.click(screen.getByRole('button', { name: '上移' }))
  await told('体温 没有移动')
})

test('of several fields it is told how many, and of columns the table', async () => {
  await userEvent.click(field(/脉搏/u))
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}{Alt>}{ArrowDown}{/Alt}')
  expect(codesNow(editor)).toEqual(['drugs', 'pulse', 'temp'])
  await told('2 个字段 已移到 体征：第 2 项，共 3 项')
  await userEvent.click(field(/药名/u))
  await userEvent.click(screen.getByRole('button', { name: '下移' }))
  await told('药名 已移到 表格 合并用药 的列：第 2 项，共 2 项')
})

test('a field that is added from the palette is told with its place', async () => {
  await userEvent.click(field(/脉搏/u))
  await userEvent.click(screen.getByRole('tab', { name: '控件' }))
  await userEvent.click(screen.getByRole('button', { name: '日期' }))
  expect(codesNow(editor)).toEqual(['pulse', 'date1', 'temp', 'drugs'])
  await told('日期 已添加到 体征：第 2 项，共 4 项')
})
