import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Designer } from '#src/screens/design/Designer.tsx'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { DRAFT_VERSION, codesNow, designWith, draftOf, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { ProblemsThread } from '#tests/src/screens/design/support/problemsThread.ts'
import { speak } from '#tests/src/support/screen.tsx'

/** The whole of the designer: what stands above it, and the keys that are everywhere in it. */

beforeAll(() => speak('zh'))

let editor: DesignEditor
beforeEach(() => {
  vi.stubGlobal('Worker', ProblemsThread)
  editor = draftOf(designWith([{ prop: 'pulse', label: '脉搏', type: 'number' }]))
})
afterEach(() => editor.stop())

function showDesigner(canEdit: boolean): void {
  showDraft(editor, (view) => (
    <Designer
      editor={editor}
      view={view}
      projectId="1"
      version={DRAFT_VERSION}
      isDraft
      waits={false}
      permissions={[]}
      canEdit={canEdit}
      mayRule={canEdit}
    />
  ))
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test('a field is copied and put in again by keys, and that is undone', async () => {
  showDesigner(true)
  await userEvent.click(screen.getByRole('treeitem', { name: /体征/u }))
  await userEvent.click(screen.getByRole('treeitem', { name: /脉搏/u }))
  const tree = screen.getByRole('tree')
  fireEvent.keyDown(tree, { key: 'c', ctrlKey: true })
  fireEvent.keyDown(tree, { key: 'v', ctrlKey: true })
  expect(codesNow(editor)).toHaveLength(2)
  fireEvent.keyDown(screen.getByRole('textbox', { name: '编码' }), { key: 'v', ctrlKey: true })
  expect(codesNow(editor)).toHaveLength(2)
  fireEvent.keyDown(tree, { key: 'z', ctrlKey: true })
  expect(codesNow(editor)).toEqual(['pulse'])
  await userEvent.click(button('重做'))
  expect(codesNow(editor)).toHaveLength(2)
})

test('keys and history are told, and a page that is open is tried', async () => {
  showDesigner(true)
  expect(button('预览').disabled).toBe(true)
  await userEvent.click(button('快捷键'))
  expect(screen.getByText(/上下方向键/u)).toBeTruthy()
  await userEvent.click(button('快捷键'))
  expect(screen.queryByText(/上下方向键/u)).toBeNull()
  await userEvent.click(button('草稿历史'))
  await userEvent.click(await screen.findByRole('button', { name: '关闭' }))
  await userEvent.click(screen.getByRole('treeitem', { name: /体征/u }))
  await userEvent.click(button('预览'))
  expect(await screen.findByRole('dialog', { name: '预览：体征' })).toBeTruthy()
})

test('who may only look is told so, and can try a page', async () => {
  showDesigner(false)
  expect(screen.getByText('您没有设计表单的权限，只能查看。')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '撤销' })).toBeNull()
  await userEvent.click(screen.getByRole('treeitem', { name: /体征/u }))
  expect(button('预览').disabled).toBe(false)
  fireEvent.keyDown(screen.getByRole('treeitem', { name: /脉搏/u }), { key: 'Delete' })
  expect(codesNow(editor)).toEqual(['pulse'])
})
