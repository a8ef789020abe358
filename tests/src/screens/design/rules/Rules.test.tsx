import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { Rules } from '#src/screens/design/rules/Rules.tsx'
import { DRAFT_VERSION, designWith, draftOf, fieldNow, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { ProblemsThread } from '#tests/src/screens/design/support/problemsThread.ts'
import { speak } from '#tests/src/support/screen.tsx'

/** All rules beside the one that is written, as somebody works with them. */

beforeAll(() => speak('zh'))

let editor: DesignEditor
beforeEach(() => {
  vi.stubGlobal('Worker', ProblemsThread)
  // Nothing is laid out in jsdom, and of a list without a height no line is drawn.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  editor = draftOf(
    designWith([
      { prop: 'pulse', label: '脉搏', type: 'number', zl: { show: 'page.weight > 1.0' } },
      { prop: 'weight', label: '体重', type: 'number', zl: { show: 'page.pulse > 1.0' } },
    ]),
  )
})
afterEach(() => {
  editor.stop()
  vi.restoreAllMocks()
})

function showRules(canEdit: boolean): void {
  showDraft(editor, (view) => (
    <Rules
      editor={editor}
      view={view}
      projectId="1"
      version={DRAFT_VERSION}
      isDraft
      waits={false}
      permissions={canEdit ? ['rule_edit'] : []}
      canEdit={canEdit}
    />
  ))
}

const choose = async (list: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: list }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('fields that wait for each other are told, and gone once one of them does not', async () => {
  showRules(true)
  const [told] = await screen.findAllByText('循环引用')
  await userEvent.click(screen.getAllByText('体重')[0] ?? document.body)
  await userEvent.click(screen.getByRole('button', { name: '删除规则' }))
  expect(fieldNow(editor, 'weight')?.['zl']).toBeUndefined()
  await vi.waitFor(() => expect(told?.isConnected).toBe(false), { timeout: 10_000 })
  await userEvent.click(screen.getByRole('button', { name: '撤销' }))
  expect(fieldNow(editor, 'weight')?.['zl']).toEqual({ show: 'page.pulse > 1.0' })
})

test('a new check is begun, and is in the design with its first words', async () => {
  showRules(true)
  expect(screen.getByText('在列表中选择一条，或新建一条。')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '新规则' }))
  const form = within(screen.getByRole('region', { name: '新规则' }))
  await userEvent.click(form.getByRole('combobox', { name: '表单页' }))
  await userEvent.click(await screen.findByRole('option', { name: '体征 (VS)' }))
  await choose('字段', '脉搏 (pulse)')
  await userEvent.click(form.getByRole('button', { name: '开始编写' }))
  expect(screen.getByText('共 2 条规则')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'CEL 表达式' }))
  const box = screen.getByRole('combobox', { name: 'CEL 表达式' })
  fireEvent.change(box, { target: { value: 'page.pulse > 200.0' } })
  fireEvent.blur(box)
  expect(await screen.findByText('共 3 条规则')).toBeTruthy()
  expect(screen.getByRole('button', { name: '删除规则' })).toBeTruthy()
})

test('who may not change rules looks at them, and has nothing to do with them', async () => {
  showRules(false)
  expect(screen.getByText('您没有修改规则的权限，只能查看和试算。')).toBeTruthy()
  expect(screen.getByText('在列表中选择一条查看。')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
  await userEvent.click(screen.getAllByText('体重')[0] ?? document.body)
  expect(screen.getByText('page.pulse > 1.0', { selector: 'p code' })).toBeTruthy()
  expect(screen.queryByRole('tab', { name: '用已有数据试算' })).toBeNull()
})
