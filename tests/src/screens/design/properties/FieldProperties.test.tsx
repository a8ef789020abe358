import '#tests/src/data/support/indexedDb.ts'
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { itemsOf, partOf } from '#core/form/definition/lists.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import { Properties } from '#src/screens/design/properties/Properties.tsx'
import { codesNow, designWith, draftOf, fieldNow, showDraft } from '#tests/src/screens/design/support/draft.tsx'
import { speak } from '#tests/src/support/screen.tsx'

/** What is set of a field beside the page, as a designer sets it. */

beforeAll(() => speak('zh'))

let editor: DesignEditor | null = null
afterEach(() => editor?.stop())

function openField(
  column: { readonly prop: string; readonly [key: string]: unknown },
  { mayRule = true } = {},
): DesignEditor {
  const opened = draftOf(designWith([column, { prop: 'other', label: '其他', type: 'input' }]))
  editor = opened
  opened.select({ of: 'fields', folderId: 'f', pageId: 'p', table: null, props: [column.prop] })
  showDraft(opened, ({ design, selection }) => (
    <Properties
      editor={opened}
      design={design}
      selection={selection}
      canEdit
      mayRule={mayRule}
      opened
      onClose={() => undefined}
    />
  ))
  return opened
}

const box = (name: string) => screen.getByRole('textbox', { name })
/** Types a text over what a box holds. */
const write = (name: string, text: string) => fireEvent.change(box(name), { target: { value: text } })
const open = async (part: string) => {
  await userEvent.click(screen.getByRole('button', { name: part }))
  await screen.findByRole('region', { name: part })
}
const choose = async (list: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: list }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('its name is taken as it is typed, its code when the box is left and nobody has it', async () => {
  const draft = openField({ prop: 'pulse', label: '脉搏', type: 'number' })
  write('名称', '心率')
  write('英文名称', 'Heart rate')
  expect(fieldNow(draft, 'pulse')).toMatchObject({ label: '心率', zl: { labels: { zh: '心率', en: 'Heart rate' } } })
  write('编码', 'other')
  expect(screen.getByText('编码 other 已被使用')).toBeTruthy()
  fireEvent.blur(box('编码'))
  expect(codesNow(draft)).toEqual(['pulse', 'other'])
  write('编码', 'heart')
  fireEvent.blur(box('编码'))
  expect(codesNow(draft)).toEqual(['heart', 'other'])
})

test('what must be filled in says so in its message, and its bounds are there for a stock form too', async () => {
  const draft = openField({ prop: 'pulse', label: '脉搏', type: 'number' })
  await userEvent.click(screen.getByRole('checkbox', { name: '必填' }))
  write('单位', 'bpm')
  write('允许下限', '30')
  expect(fieldNow(draft, 'pulse')).toMatchObject({
    required: true,
    rules: [{ required: true }],
    min: 30,
    zl: { unit: 'bpm', min: 30 },
  })
  await userEvent.click(screen.getByRole('checkbox', { name: '必填' }))
  expect(fieldNow(draft, 'pulse')?.required).toBeUndefined()
})

test('only what means something for its type is offered, and a new type keeps what another had', async () => {
  const draft = openField({ prop: 'x', label: '某项', type: 'input', maxlength: 20 })
  expect(screen.queryByRole('textbox', { name: '允许下限' })).toBeNull()
  await choose('格式', '手机号')
  expect(fieldNow(draft, 'x')).toMatchObject({ zl: { validation: 'phone' } })
  await choose('类型', '动态表格')
  expect(fieldNow(draft, 'x')).toMatchObject({ type: 'dynamic', children: { column: [] }, maxlength: 20 })
  expect(box('最多行数')).toBeTruthy()
  await choose('类型', '说明文字')
  expect(screen.queryByRole('button', { name: '取值' })).toBeNull()
  expect(screen.queryByRole('button', { name: '规则' })).toBeNull()
})

test('choices are added, called, put before each other and taken away; their values differ', async () => {
  const dicData = [
    { label: '男', value: '1' },
    { label: '女', value: '2' },
  ]
  const draft = openField({ prop: 'sex', label: '性别', type: 'radio', dicData })
  const values = () => itemsOf(fieldNow(draft, 'sex')?.dicData).map((choice) => partOf(choice).value)
  await userEvent.click(screen.getByRole('button', { name: '添加选项' }))
  write('名称 3', '不详')
  write('英文名称 3', 'Unknown')
  expect(fieldNow(draft, 'sex')?.dicData).toEqual([...dicData, { label: '不详', value: '3', labelEn: 'Unknown' }])
  await userEvent.click(screen.getByRole('button', { name: '上移选项 3' }))
  expect(values()).toEqual(['1', '3', '2'])
  write('值 2', '9')
  expect(values()).toEqual(['1', '3', '2'])
  fireEvent.blur(box('值 2'))
  expect(values()).toEqual(['1', '9', '2'])
  await userEvent.click(screen.getByRole('button', { name: '删除选项 1' }))
  expect(values()).toEqual(['9', '2'])
  write('值 1', '2')
  fireEvent.blur(box('值 1'))
  expect(screen.getByText('选项的值不能重复。')).toBeTruthy()
})

test('a check that says nothing yet is in no design; with its first words it is, and goes again', async () => {
  const draft = openField({ prop: 'pulse', label: '脉搏', type: 'number' })
  const checks = () => (fieldNow(draft, 'pulse')?.['zl'] as { readonly checks?: unknown } | undefined)?.checks
  await open('规则')
  write('显示条件', 'page.nobody > 1.0')
  expect(screen.getByText('字段 nobody 不存在')).toBeTruthy()
  write('显示条件', '')
  await userEvent.click(screen.getByRole('button', { name: '添加核查' }))
  expect(checks()).toBeUndefined()
  write('出现问题的条件', 'page.pulse > 200.0')
  expect(checks()).toMatchObject([{ when: 'page.pulse > 200.0', severity: 'error', message: { zh: '请核对“脉搏”' } }])
  write('提示', '脉搏过快')
  await choose('级别', '警告')
  write('出现问题的条件', '')
  expect(checks()).toMatchObject([{ when: 'page.pulse > 200.0', severity: 'warning', message: { zh: '脉搏过快' } }])
  await userEvent.click(screen.getByRole('button', { name: '删除核查 1' }))
  expect(checks()).toBeUndefined()
})

test('who may not change rules reads them', async () => {
  openField({ prop: 'pulse', label: '脉搏', type: 'number', zl: { show: 'page.other != ""' } }, { mayRule: false })
  await open('规则')
  expect(box('显示条件').matches(':disabled')).toBe(true)
  expect(box('名称').matches(':disabled')).toBe(false)
})

test('its width and what its box says before anything is typed; as it is stored, under its own code', async () => {
  const draft = openField({ prop: 'pulse', label: '脉搏', type: 'number', span: 12 })
  await open('布局')
  await choose('宽度', '整行')
  write('输入提示', '每分钟')
  expect(fieldNow(draft, 'pulse')).toMatchObject({ span: 24, placeholder: '每分钟' })
  await open('高级')
  write('原始定义', '{"prop":"other","type":"input"}')
  expect(screen.getByText('无法读取：other')).toBeTruthy()
  write('原始定义', '{"type":"input","label":"文字"}')
  await userEvent.click(screen.getByRole('button', { name: '应用' }))
  expect(fieldNow(draft, 'pulse')).toEqual({ prop: 'pulse', type: 'input', label: '文字' })
})
