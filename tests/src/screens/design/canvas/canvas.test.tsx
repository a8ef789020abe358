import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Designer } from '#src/screens/design/Designer.tsx'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import {
  DRAFT_VERSION,
  codesNow,
  designWith,
  draftOf,
  fieldNow,
  showDraft,
} from '#tests/src/screens/design/support/draft.tsx'
import { ProblemsThread } from '#tests/src/screens/design/support/problemsThread.ts'
import { speak } from '#tests/src/support/screen.tsx'

/** The page in the designer looks as it will be filled in, and what is added comes beside what is selected. */

beforeAll(() => speak('zh'))

let editor: DesignEditor
beforeEach(async () => {
  vi.stubGlobal('Worker', ProblemsThread)
  editor = draftOf(
    designWith([
      { prop: 'pulse', label: '脉搏', type: 'number', required: true, zl: { unit: '次/分' } },
      { prop: 'tongue', label: '舌色', type: 'radio', dicData: [{ value: '1', label: '淡红' }] },
      { prop: 'score', label: '总分', type: 'number', zl: { calculate: 'page.pulse * 2.0', show: 'page.pulse > 1.0' } },
      { prop: 'note', label: '备注', type: 'textarea' },
    ]),
  )
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
  await userEvent.click(screen.getByRole('treeitem', { name: /体征/u }))
})
afterEach(() => editor.stop())

const field = (name: RegExp) => screen.getByRole('option', { name })
const sections = () =>
  editor
    .view()
    .design.pages.get('p')
    ?.form?.sections.map(({ columns }) => columns.map(({ prop }) => prop))
const openPalette = () => userEvent.click(screen.getByRole('tab', { name: '控件' }))

test('a field stands on the page with its own control, out of reach of keys and mouse', () => {
  const pulse = field(/^脉搏 pulse 数字 必填$/u)
  const box = pulse.querySelector('input')
  expect(box?.closest('[inert]')).not.toBeNull()
  expect(pulse.textContent).toContain('次/分')
  expect(within(field(/舌色/u)).queryByText('淡红')?.getAttribute('role')).toBe('radio')
  // Rules do not hide it from its designer, and are marked.
  expect(field(/^总分 score 数字 条件显示 自动计算$/u)).toBeTruthy()
})

test('a new section begins right after the selected field, and takes the fields that follow', async () => {
  await userEvent.click(field(/舌色/u))
  await openPalette()
  await userEvent.click(screen.getByRole('button', { name: '分组标题' }))
  expect(sections()).toEqual([
    ['pulse', 'tongue'],
    ['score', 'note'],
  ])
  expect(editor.view().selection).toMatchObject({ of: 'section', key: 'group1' })
  // A section after the selected one leaves the fields where they are; one press undoes each.
  await userEvent.click(screen.getByRole('button', { name: '分组标题' }))
  expect(sections()).toEqual([['pulse', 'tongue'], ['score', 'note'], []])
  await userEvent.click(screen.getByRole('button', { name: '撤销' }))
  await userEvent.click(screen.getByRole('button', { name: '撤销' }))
  expect(sections()).toEqual([['pulse', 'tongue', 'score', 'note']])
})

test('a new field says no width where its neighbours say none, so that the page is laid out by the app', async () => {
  await userEvent.click(field(/备注/u))
  await openPalette()
  await userEvent.click(screen.getByRole('button', { name: '日期' }))
  expect(fieldNow(editor, 'date1')?.span).toBeUndefined()
})

test('Delete goes to the field below, so that the next key has something to act on', async () => {
  await userEvent.click(field(/舌色/u))
  fireEvent.keyDown(field(/舌色/u), { key: 'Delete' })
  expect(codesNow(editor)).toEqual(['pulse', 'score', 'note'])
  expect(editor.view().selection).toMatchObject({ of: 'fields', props: ['score'] })
  fireEvent.keyDown(field(/总分/u), { key: 'z', ctrlKey: true })
  expect(codesNow(editor)).toEqual(['pulse', 'tongue', 'score', 'note'])
  expect(editor.view().selection).toMatchObject({ of: 'fields', props: ['tongue'] })
})
