import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RuleKey } from '#core/design/rules/ruleList.ts'
import { ruleAt } from '#core/design/rules/ruleList.ts'
import type { RuleKind } from '#core/wire/ruleRoles.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { fieldRuleReader } from '#src/screens/design/ruleReader.ts'
import { RuleEditor } from '#src/screens/design/rules/RuleEditor.tsx'
import { ruleNames } from '#src/screens/design/rules/ruleNames.ts'
import { designWith, draftOf, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { speak } from '#tests/src/support/screen.tsx'

/** A rule as somebody writes it: as text with suggestions, or picked; taken after the last key, or when it is left. */

beforeAll(() => speak('zh'))

let editor: DesignEditor
beforeEach(() => {
  editor = draftOf(
    designWith([
      { prop: 'pulse', label: '脉搏', type: 'number' },
      { prop: 'weight', label: '体重', type: 'number', zl: { show: 'page.pulse > 50.0' } },
      { prop: 'height', label: '身高', type: 'number' },
      { prop: 'birth', label: '出生日期', type: 'date' },
    ]),
  )
})
afterEach(() => editor.stop())

const addressOf = (prop: string, kind: RuleKind): RuleKey => ({
  pageId: 'p',
  table: null,
  prop,
  kind,
  checkId: kind === 'check' ? 'c1' : null,
})

/** Opens the editor of a rule. Gives what it was last read as. */
function openRule(prop: string, kind: RuleKind, canEdit = true) {
  const address = addressOf(prop, kind)
  const reads: { readonly text: string; readonly ok: boolean | null }[] = []
  const { unmount } = showDraft(editor, ({ design }) => {
    const reader = fieldRuleReader(design, address)
    if (reader === null) throw new Error('the field is gone')
    return (
      <RuleEditor
        editor={editor}
        design={design}
        address={address}
        line={ruleAt(design, address)}
        names={ruleNames(design, address, 'zh')}
        reader={reader}
        canEdit={canEdit}
        onRead={({ text, result }) => {
          reads.push({ text, ok: result?.ok ?? null })
        }}
      />
    )
  })
  return {
    leave: unmount,
    source: () => ruleAt(editor.view().design, address)?.source ?? null,
    read: () => reads.at(-1),
  }
}

const asText = () => userEvent.click(screen.getByRole('radio', { name: 'CEL 表达式' }))
const box = () => screen.getByRole('combobox', { name: 'CEL 表达式' })
const write = (text: string) => fireEvent.change(box(), { target: { value: text } })
const choose = async (list: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: list }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('what was typed last is in the design when the rule is left at once', async () => {
  const rule = openRule('pulse', 'require')
  await asText()
  write('page.height > 1.0')
  expect(rule.read()).toEqual({ text: 'page.height > 1.0', ok: true })
  expect(rule.source()).toBeNull()
  rule.leave()
  expect(rule.source()).toBe('page.height > 1.0')
})

test('it is there when the box is left, and a while after the last key by itself', async () => {
  const rule = openRule('pulse', 'require')
  await asText()
  write('page.height > 1.0')
  fireEvent.blur(box())
  expect(rule.source()).toBe('page.height > 1.0')
  write('page.height > 2.0')
  expect(rule.source()).toBe('page.height > 1.0')
  await waitFor(() => expect(rule.source()).toBe('page.height > 2.0'))
})

test('one that would close a circle is refused with the way round it, and taken once it closes none', async () => {
  const rule = openRule('pulse', 'show')
  await asText()
  write('page.weight > 50.0')
  fireEvent.blur(box())
  expect(rule.source()).toBeNull()
  expect(screen.getByText(/会形成循环引用，未采用：.*pulse/u)).toBeTruthy()
  write('page.height > 50.0')
  expect(screen.queryByText(/会形成循环引用/u)).toBeNull()
  fireEvent.blur(box())
  expect(rule.source()).toBe('page.height > 50.0')
})

test('a text that is no rule says why and where, and pickers have no word for it', async () => {
  const rule = openRule('pulse', 'require')
  await asText()
  write('page.nobody > 1.0')
  expect(screen.getByText(/字段 nobody 不存在/u)).toBeTruthy()
  write('round(page.height, 0) > 1.0 || has(page.weight)')
  expect(screen.getByText(/无法用点选表达/u)).toBeTruthy()
  expect((screen.getByRole('radio', { name: '点选' }) as HTMLInputElement).disabled).toBe(true)
  expect(rule.read()?.text).toContain('round')
})

test('a rule is taken away, with what was being typed in it', async () => {
  const rule = openRule('weight', 'show')
  await asText()
  write('page.pulse > 60.0')
  fireEvent.click(screen.getByRole('button', { name: '删除规则' }))
  expect(rule.source()).toBeNull()
  rule.leave()
  expect(rule.source()).toBeNull()
})

test('a check comes into the design with its first words, with what it says to be written over', async () => {
  const rule = openRule('pulse', 'check')
  await asText()
  expect(screen.queryByRole('textbox', { name: '提示' })).toBeNull()
  write('page.pulse > 200.0')
  fireEvent.blur(box())
  fireEvent.change(await screen.findByRole('textbox', { name: '提示' }), { target: { value: '脉搏过快' } })
  await choose('级别', '警告')
  expect(ruleAt(editor.view().design, addressOf('pulse', 'check'))?.check).toMatchObject({
    severity: 'warning',
    message: { zh: '脉搏过快' },
  })
  write('')
  fireEvent.blur(box())
  expect(rule.source()).toBe('false')
})

test('suggestions are walked with arrows, taken with Enter or the mouse, closed with Escape', async () => {
  openRule('pulse', 'require')
  await asText()
  await userEvent.type(box(), 'page.')
  const chosen = () => screen.getByRole('option', { selected: true }).textContent
  expect(chosen()).toContain('pulse')
  expect(box().getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{ArrowDown}')
  expect(chosen()).toContain('weight')
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  expect(chosen()).toContain('birth')
  await userEvent.keyboard('{ArrowUp}{Enter}')
  expect(box()).toHaveProperty('value', 'page.height')
  expect(box().getAttribute('aria-expanded')).toBe('false')
  await userEvent.type(box(), ' > page.')
  await userEvent.click(screen.getByRole('option', { name: /pulse/u }))
  expect(box()).toHaveProperty('value', 'page.height > page.pulse')
  expect(box()).toHaveProperty('selectionStart', 'page.height > page.pulse'.length)
  expect(document.activeElement).toBe(box())
  await userEvent.type(box(), ' && pa')
  expect(box().getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(box().getAttribute('aria-expanded')).toBe('false')
  await userEvent.keyboard('{Control>} {/Control}')
  expect(box().getAttribute('aria-expanded')).toBe('true')
})

test('conditions are picked, put into groups and taken away', async () => {
  const rule = openRule('pulse', 'require')
  await userEvent.click(screen.getByRole('button', { name: '添加条件' }))
  await choose('条件 1：字段', '身高 (height)')
  fireEvent.change(screen.getByRole('textbox', { name: '条件 1：值' }), { target: { value: '150' } })
  await userEvent.click(screen.getByRole('button', { name: '添加条件组' }))
  const inner = within(screen.getAllByRole('group', { name: '条件' })[1] ?? document.body)
  await userEvent.click(inner.getByRole('combobox', { name: '条件 1：字段' }))
  await userEvent.click(await screen.findByRole('option', { name: '体重 (weight)' }))
  fireEvent.change(inner.getByRole('textbox', { name: '条件 1：值' }), { target: { value: '40' } })
  await waitFor(() => expect(rule.source()).toMatch(/page\.height.*150.*&&.*page\.weight.*40/u))
  await userEvent.click(screen.getAllByRole('radio', { name: '任一成立' })[0] ?? document.body)
  await waitFor(() => expect(rule.source()).toMatch(/150.*\|\|.*40/u))
  await userEvent.click(inner.getByRole('button', { name: '删除此条件组' }))
  await waitFor(() => expect(rule.source()).not.toContain('weight'))
})

test('a calculation is picked: of many, of two, until today, rounded', async () => {
  const rule = openRule('weight', 'calculate')
  await choose('计算方式', '求和')
  await choose('字段 1：字段', '身高 (height)')
  await userEvent.click(screen.getByRole('button', { name: '添加字段' }))
  await choose('字段 2：字段', '脉搏 (pulse)')
  await waitFor(() => expect(rule.source()).toMatch(/^sum\(.*page\.height.*page\.pulse/u))
  fireEvent.change(screen.getByRole('textbox', { name: '保留小数位' }), { target: { value: '1' } })
  await waitFor(() => expect(rule.source()).toMatch(/^round\(.*, 1\)$/u))
  await userEvent.click(screen.getByRole('button', { name: '删除字段 2' }))
  await waitFor(() => expect(rule.source()).not.toContain('pulse'))
  await choose('计算方式', '周岁')
  await choose('出生日期：字段', '出生日期 (birth)')
  await choose('到：比较对象', '今天')
  await waitFor(() => expect(rule.source()).toMatch(/age\(page\.birth, today\)/u))
})

test('who may not change it reads it', () => {
  openRule('weight', 'show', false)
  expect(screen.getByText('page.pulse > 50.0')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '删除规则' })).toBeNull()
  expect(screen.queryByRole('button', { name: '添加条件' })).toBeNull()
  expect(screen.getByRole('combobox', { name: '条件 1：字段' }).matches(':disabled')).toBe(true)
})
