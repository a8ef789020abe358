import '#tests/src/data/support/indexedDb.ts'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { DesignTree } from '#src/screens/design/tree/DesignTree.tsx'
import { codesNow, designWith, draftOf, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { speak } from '#tests/src/support/screen.tsx'

/** Visits, pages and fields, as a designer walks them, moves them, adds to them and takes out of them. */

beforeAll(() => speak('zh'))

let editor: DesignEditor
/** Each test opens a version of its own: which visits are folded is remembered on the device. */
let version = 0
beforeEach(() => {
  version += 1
  editor = draftOf(
    designWith([
      { prop: 'pulse', label: '脉搏', type: 'number' },
      { prop: 'note', label: '备注', type: 'input' },
    ]),
  )
})
afterEach(() => editor.stop())

function showTree(canEdit = true): void {
  showDraft(editor, ({ design, selection }) => (
    <DesignTree
      editor={editor}
      projectId="1"
      crfId={String(version)}
      design={design}
      selection={selection}
      canEdit={canEdit}
    />
  ))
}

const names = () => screen.getAllByRole('treeitem').map((line) => line.textContent)
const line = (name: string) => screen.getByRole('treeitem', { name: new RegExp(name, 'u') })
/** Lines are gone to once the tree is drawn anew. */
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const folders = () => editor.view().design.folders.map(({ folderCode }) => folderCode)

test('an arrow goes to the next line, and the page that is come to shows its fields', async () => {
  showTree()
  expect(names()).toEqual(['基线V1', '体征VS', '随访V2', '用药CM'])
  line('基线').focus()
  await userEvent.keyboard('{ArrowDown}')
  await nextFrame()
  expect(editor.view().selection).toMatchObject({ of: 'page', pageId: 'p' })
  expect(names()).toEqual(['基线V1', '体征VS', '脉搏pulse', '备注note', '随访V2', '用药CM'])
  line('备注').focus()
  await userEvent.keyboard('{ArrowUp}')
  await nextFrame()
  expect(editor.view().selection).toMatchObject({ of: 'fields', props: ['pulse'] })
  line('基线').focus()
  await userEvent.keyboard('{End}')
  expect(document.activeElement).toBe(line('用药'))
  await userEvent.keyboard('{Home}')
  expect(document.activeElement).toBe(line('基线'))
})

test('arrows go from line to line through the whole tree, with the focus on the line that is come to', async () => {
  showTree()
  line('基线').focus()
  for (const name of ['体征', '脉搏', '备注', '随访']) {
    await userEvent.keyboard('{ArrowDown}')
    await nextFrame()
    expect(document.activeElement).toBe(line(name))
  }
})

test('Alt with an arrow moves a visit, Delete takes a field out at once', async () => {
  showTree()
  await userEvent.click(line('基线'))
  line('基线').focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(folders()).toEqual(['V2', 'V1'])
  await userEvent.click(line('体征'))
  await userEvent.click(line('脉搏'))
  line('脉搏').focus()
  await userEvent.keyboard('{Delete}')
  expect(codesNow(editor)).toEqual(['note'])
})

test('a visit is taken out only after it was asked', async () => {
  showTree()
  await userEvent.click(line('随访'))
  await userEvent.click(screen.getByRole('button', { name: '删除此访视' }))
  const dialog = await screen.findByRole('dialog', { name: '删除访视“随访”' })
  expect(folders()).toEqual(['V1', 'V2'])
  await userEvent.click(within(dialog).getByRole('button', { name: '删除' }))
  await waitFor(() => expect(folders()).toEqual(['V1']))
})

test('a visit and a page are added behind what is selected, a page of another visit is put there too', async () => {
  showTree()
  await userEvent.click(line('基线'))
  await userEvent.click(screen.getByRole('button', { name: '新增访视' }))
  expect(names()).toEqual(['基线V1', '体征VS', '新访视V3', '随访V2', '用药CM'])
  expect(line('新访视').getAttribute('aria-selected')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: '新增表单页' }))
  expect(names()).toEqual(['基线V1', '体征VS', '新访视V3', '新表单页page1', '随访V2', '用药CM'])
  await userEvent.click(screen.getByRole('button', { name: '放入已有表单页' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '用药' }))
  expect(names()).toEqual(['基线V1', '体征VS', '新访视V3', '新表单页page1', '用药CM', '随访V2', '用药CM'])
})

test('a visit is folded by its mark and by an arrow, and stays so when the design is opened again', async () => {
  showTree()
  const mark = line('基线').querySelector('[data-fold]')
  if (mark === null) throw new Error('a visit has nothing to fold it with')
  await userEvent.click(mark)
  expect(names()).toEqual(['基线V1', '随访V2', '用药CM'])
  expect(line('基线').getAttribute('aria-expanded')).toBe('false')
  cleanup()
  showTree()
  expect(names()).toEqual(['基线V1', '随访V2', '用药CM'])
  line('基线').focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(names()).toEqual(['基线V1', '体征VS', '随访V2', '用药CM'])
  await userEvent.keyboard('{ArrowLeft}')
  expect(names()).toEqual(['基线V1', '随访V2', '用药CM'])
  // What is selected elsewhere is in sight.
  act(() => editor.select({ of: 'page', folderId: 'f', pageId: 'p' }))
  expect(names()).toContain('脉搏pulse')
})

test('a search finds visits, pages and fields of all pages by name and by code', async () => {
  showTree()
  await userEvent.click(screen.getByRole('button', { name: '折叠全部访视' }))
  const search = screen.getByRole('searchbox', { name: '搜索访视、表单页、字段' })
  await userEvent.type(search, 'PULSE')
  await waitFor(() => expect(names()).toEqual(['基线V1', '体征VS', '脉搏pulse']))
  await userEvent.clear(search)
  await userEvent.type(search, '用药')
  await waitFor(() => expect(names()).toEqual(['随访V2', '用药CM']))
  await userEvent.clear(search)
  await userEvent.type(search, '心电图')
  expect(await screen.findByText('没有符合“心电图”的访视、表单页或字段。')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual(['基线V1', '随访V2']))
})

test('who may only look can walk, and has nothing to add or to take out', async () => {
  showTree(false)
  await userEvent.click(line('基线'))
  line('基线').focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}{Delete}')
  expect(folders()).toEqual(['V1', 'V2'])
  expect(screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['折叠全部访视'])
})
