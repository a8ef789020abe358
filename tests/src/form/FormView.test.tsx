// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { MOMENT, VITALS, YES_NO, compiled, entry, opened } from '#tests/core/form/filling.ts'

import { show, standInForBrowser } from './screen.tsx'

beforeAll(async () => {
  standInForBrowser()
  // The form loads its sheet when it is first opened; on a busy machine that takes longer than a screen is waited for.
  await import('#src/form/sheet/FieldSheet.tsx')
})
afterEach(cleanup)

const LETTERS = Array.from({ length: 26 }, (_, at) => ({
  value: String(at),
  label: `选项${String.fromCharCode(65 + at)}`,
}))

describe('entering a page', () => {
  it('says that a calculation waits while it lacks an input, and not where it has none or no result', async () => {
    const state = opened([
      { prop: 'dose', label: '剂量', type: 'number' },
      { prop: 'days', label: '天数', type: 'number' },
      { prop: 'daily', label: '日剂量', type: 'number', zl: { calculate: 'page.dose / page.days' } },
      { prop: 'batch', label: '批号', type: 'input', readonly: true },
    ])
    const { user } = show(state)
    const said = (label: string) => screen.getByLabelText(label).textContent
    expect([said('日剂量'), said('批号')]).toEqual(['待计算', '未填写'])
    await user.type(screen.getByLabelText('剂量'), '10')
    expect(said('日剂量')).toContain('待计算')
    // All of it is there, and nothing can be divided by zero.
    await user.type(screen.getByLabelText('天数'), '0')
    expect(said('日剂量')).toBe('未填写自动计算')
    await user.type(screen.getByLabelText('天数'), '{Backspace}5')
    expect(said('日剂量')).toBe('2自动计算')
  })

  it('shows a field when a choice asks for it, and computes the BMI while typing', async () => {
    const { user } = show(opened(VITALS))
    expect(screen.queryByRole('radiogroup', { name: /怀孕/ })).toBeNull()
    await user.click(screen.getByRole('radio', { name: '女' }))
    expect(screen.getByRole('radiogroup', { name: /怀孕/ })).toBeTruthy()
    await user.type(screen.getByLabelText('身高'), '170')
    await user.type(screen.getByLabelText('体重'), '65')
    expect(screen.getByLabelText('BMI').textContent).toContain('22.5')
  })

  it('tells of each edit: old, new and the text as typed', async () => {
    const { user, edits } = show(opened(VITALS, entry({ weight: 60 })))
    await user.clear(screen.getByLabelText('体重'))
    await user.type(screen.getByLabelText('体重'), '1.10')
    expect(
      edits.flatMap((edit) => (edit.kind === 'item' ? [[edit.code, edit.old, edit.value, edit.text]] : [])),
    ).toEqual([
      ['weight', 60, null, null],
      ['weight', null, 1, null],
      ['weight', 1, 1, '1.'],
      ['weight', 1, 1.1, null],
      ['weight', 1.1, 1.1, '1.10'],
    ])
  })

  it('says what is wrong under the field, once it is left, and ties it to the box', async () => {
    const { user } = show(opened(VITALS))
    const height = screen.getByLabelText('身高')
    await user.type(height, '20')
    expect(screen.queryByText('不应小于 50')).toBeNull()
    await user.tab()
    const message = screen.getByText('不应小于 50')
    expect(height.getAttribute('aria-invalid')).toBe('true')
    expect(height.getAttribute('aria-describedby')?.split(' ')).toContain(message.closest('ul')?.id)
  })

  it('takes a required field left empty for an error, in either language', async () => {
    const page: readonly Column[] = [
      { prop: 'name', label: '姓名', type: 'input', required: true, zl: { labels: { zh: '姓名', en: 'Name' } } },
    ]
    const { user, update } = show(opened(page))
    await user.click(screen.getByRole('textbox', { name: '姓名' }))
    await user.tab()
    await user.tab()
    expect(screen.getByText('姓名必须填写')).toBeTruthy()
    update({ language: 'en' })
    expect(screen.getByText('Name must be filled in')).toBeTruthy()
  })

  it('takes eight digits for a date and shows it in its stored form when left', async () => {
    const state = opened([{ prop: 'visit', label: '访视日期', type: 'date' }])
    const { user } = show(state)
    const box = screen.getByLabelText<HTMLInputElement>('访视日期')
    await user.type(box, '20240506')
    expect(state.getCell('visit')?.value).toBe('2024-05-06')
    expect(box.value).toBe('20240506')
    await user.click(document.body)
    expect(box.value).toBe('2024-05-06')
    await user.click(screen.getByRole('button', { name: '访视日期：今天' }))
    expect(box.value).toBe('2026-03-01')
  })

  it('keeps a number as it was typed and a date in its stored form while the rest of their rows changes', async () => {
    const state = opened([
      { prop: 'dose', label: '剂量', type: 'number' },
      { prop: 'visit', label: '访视日期', type: 'date' },
    ])
    const { user } = show(state)
    await user.type(screen.getByLabelText('剂量'), '1.10')
    await user.type(screen.getByLabelText('访视日期'), '20240506')
    await user.click(document.body)
    act(() => state.setServerMessages({ dose: '偏低', visit: '早于知情同意' }))
    expect(screen.getByText('早于知情同意')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('剂量').value).toBe('1.10')
    expect(screen.getByLabelText<HTMLInputElement>('访视日期').value).toBe('2024-05-06')
  })

  it('leaves the box alone that is being typed into when newer data arrive, and fills the others', async () => {
    const state = opened(VITALS, entry({ weight: 60 }))
    const { user } = show(state)
    await user.type(screen.getByLabelText('身高'), '17')
    act(() => state.receive(entry({ height: 180, weight: 61 })))
    expect(screen.getByLabelText<HTMLInputElement>('身高').value).toBe('17')
    expect(screen.getByLabelText<HTMLInputElement>('体重').value).toBe('61')
  })

  it('takes no half-typed Chinese word for a value', () => {
    const state = opened([{ prop: 'name', label: '姓名', type: 'input' }])
    const { edits } = show(state)
    const box = screen.getByLabelText('姓名')
    fireEvent.compositionStart(box)
    fireEvent.input(box, { target: { value: 'zhang' }, isComposing: true })
    expect(state.getCell('name')?.value).toBeNull()
    fireEvent.input(box, { target: { value: '张' }, isComposing: true })
    fireEvent.compositionEnd(box)
    expect(state.getCell('name')?.value).toBe('张')
    expect(edits).toHaveLength(1)
  })

  it('goes to the next visible field on Enter', async () => {
    const { user } = show(opened(VITALS))
    await user.type(screen.getByLabelText('身高'), '170{Enter}')
    expect(document.activeElement).toBe(screen.getByLabelText('体重'))
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(screen.getByLabelText('建议'))
  })

  it('moves between choices by arrow, chooses by space, and takes a choice back by a second tap', async () => {
    const state = opened([{ prop: 'ok', label: '合格', type: 'radio', dicData: YES_NO, zl: { widget: 'yesno' } }])
    const { user } = show(state)
    // A field is one stop.
    await user.tab()
    await user.keyboard('{ArrowRight}')
    expect(state.getCell('ok')?.value).toBeNull()
    await user.keyboard(' ')
    expect(state.getCell('ok')?.value).toBe('0')
    await user.click(screen.getByRole('radio', { name: '否' }))
    expect(state.getCell('ok')?.value).toBeNull()
  })

  it('keeps several choices in the order of the definition', async () => {
    const state = opened([{ prop: 'meds', label: '用药', type: 'checkbox', dicData: LETTERS.slice(0, 4) }])
    const { user } = show(state)
    await user.click(screen.getByRole('checkbox', { name: '选项C' }))
    await user.click(screen.getByRole('checkbox', { name: '选项A' }))
    expect(state.getCell('meds')?.value).toEqual(['0', '2'])
  })

  it('searches a long list of choices in a sheet', async () => {
    const state = opened([{ prop: 'drug', label: '药名', type: 'select', dicData: LETTERS }])
    const { user } = show(state)
    await user.click(screen.getByRole('button', { name: '药名 请选择' }))
    await user.type(await screen.findByRole('textbox', { name: '搜索选项' }), 'q')
    expect(screen.getAllByRole('radio')).toHaveLength(1)
    await user.keyboard('{Enter}')
    expect(state.getCell('drug')?.value).toBe('16')
    expect(screen.getByRole('button', { name: /药名.*选项Q/ })).toBeTruthy()
  })

  it('leaves an untouched scale unanswered', async () => {
    const state = opened([{ prop: 'pain', label: '疼痛', type: 'slider', min: 0, max: 100 }])
    show(state)
    const scale = screen.getByLabelText('疼痛')
    expect(scale.getAttribute('aria-valuetext')).toBe('未填写')
    fireEvent.input(scale, { target: { value: '70' } })
    expect(state.getCell('pain')?.value).toBe(70)
  })
})

describe('a value that is missing', () => {
  it('gets its reason in a sheet, which stands in place of the box until it is taken back', async () => {
    const state = opened([{ prop: 'dose', label: '剂量', type: 'number', required: true }])
    const { user } = show(state)
    await user.click(screen.getByRole('button', { name: '剂量：更多操作' }))
    await user.click(await screen.findByRole('button', { name: '其他原因…' }))
    await user.click(screen.getByRole('radio', { name: '不详' }))
    await user.click(screen.getByRole('button', { name: '确定' }))
    expect(screen.getByText('请填写原因')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: /原因/ }), '记录遗失')
    await user.click(screen.getByRole('button', { name: '确定' }))
    expect(state.getCell('dose')?.missing).toEqual({ m: 'UNK', reason: '记录遗失' })
    expect(screen.getByText('不详 — 记录遗失')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '剂量：改为填写' }))
    expect(screen.getByLabelText(/剂量/, { selector: 'input' })).toBeTruthy()
  })

  it('gets a usual reason by one tap', async () => {
    const state = opened([{ prop: 'dose', label: '剂量', type: 'number', required: true }])
    const { user } = show(state)
    await user.click(screen.getByRole('button', { name: '剂量：更多操作' }))
    await user.click(await screen.findByRole('button', { name: '受试者拒绝' }))
    expect(state.getCell('dose')?.missing).toEqual({ m: 'ND', reason: '受试者拒绝' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is asked for by a sheet that closes without an answer, and leaves the hand in the box', async () => {
    const state = opened([{ prop: 'dose', label: '剂量', type: 'number', required: true }])
    const { user } = show(state)
    await user.click(screen.getByRole('button', { name: '剂量：更多操作' }))
    await user.click(within(await screen.findByRole('dialog', { name: '剂量' })).getByRole('button', { name: '关闭' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(state.getCell('dose')).toMatchObject({ value: null, missing: null })
    expect(document.activeElement).toBe(screen.getByLabelText(/剂量/, { selector: 'input' }))
  })

  it('is said once for a section that was not done; what has a value or is hidden keeps what it has', async () => {
    const column: readonly Column[] = [
      { prop: 'sbp', label: '收缩压', type: 'number' },
      { prop: 'dbp', label: '舒张压', type: 'number' },
      { prop: 'arm', label: '测量侧', type: 'input', zl: { show: 'page.sbp > 200' } },
    ]
    const page = compiled({ column: [], group: [{ label: '血压', prop: 'bp', column }] })
    const state = createFormState(page, entry({ dbp: 80 }), { moment: MOMENT, readOnly: false })
    const { user, edits } = show(state)
    await user.click(screen.getByRole('button', { name: '血压：本组未做' }))
    await user.click(await screen.findByRole('button', { name: '设备故障' }))
    expect(state.getCell('sbp')?.missing).toEqual({ m: 'ND', reason: '设备故障' })
    expect(state.getCell('dbp')).toMatchObject({ value: 80, missing: null })
    expect(state.getCell('arm')?.missing).toBeNull()
    expect(edits.map((edit) => (edit.kind === 'item' ? edit.code : edit.kind))).toEqual(['sbp'])
  })
})

describe('looking at a page', () => {
  it('draws values with labels and units, and no control', () => {
    const data = entry({ sex: '1', height: 170, weight: 65, bmi: 22.5 })
    const state = createFormState(compiled(VITALS), data, { moment: MOMENT, readOnly: true })
    const { container } = show(state, { mode: 'view' })
    expect(container.querySelectorAll('input, textarea, button')).toHaveLength(0)
    expect(within(container).getByText('男')).toBeTruthy()
    expect(within(container).getByText('cm')).toBeTruthy()
  })

  it('names the files of a field, whoever stored them, and has no row for a field that cannot be collected, unless it holds something', async () => {
    const course: readonly Column[] = [{ prop: 'course', label: '疗程', type: 'cascader' }]
    show(opened(course))
    expect(screen.queryByText('疗程')).toBeNull()
    cleanup()
    show(opened(course, entry({ course: ['1'] })))
    expect(screen.getByText('此字段的定义中没有可填写的内容，已有数据原样保留')).toBeTruthy()
    cleanup()
    const photo = {
      id: '0196aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa',
      name: '舌象.jpg',
      type: 'image/jpeg',
      size: 2048,
      hash: 'a'.repeat(64),
    }
    show(opened([{ prop: 'scan', label: '影像', type: 'upload' }], entry({ scan: ['/u/1.png', photo] })))
    expect(await screen.findByText('2.0 KB', { exact: false })).toBeTruthy()
    expect(screen.getByText('/u/1.png')).toBeTruthy()
    expect(screen.getByText('舌象.jpg')).toBeTruthy()
  })
})

describe('accessibility', () => {
  it('has no violation that axe finds, with every kind of field, errors and a missing value', async () => {
    const page: readonly Column[] = [
      ...VITALS,
      { prop: 'many', label: '药名', type: 'select', dicData: LETTERS, required: true },
      { prop: 'meds', label: '用药', type: 'checkbox', dicData: LETTERS.slice(0, 4), required: true },
      { prop: 'day', label: '日期', type: 'date', required: true },
      { prop: 'pain', label: '疼痛', type: 'slider', min: 0, max: 10, zl: { marks: ['无', '剧痛'] } },
      { prop: 'dose', label: '剂量', type: 'number' },
    ]
    const state = opened(
      { ...compiled(page) },
      { values: { sex: '0' }, missing: { dose: { m: 'ND', reason: '拒绝' } } },
    )
    state.validate()
    const { container } = show(state)
    // Colours are not computed by jsdom; they are checked in the browser.
    const result = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(result.violations.map((violation) => [violation.id, violation.nodes.map((node) => node.html)])).toEqual([])
  })
})

describe('a large page', () => {
  const page = compiled(
    Array.from({ length: 300 }, (_, at): Column => ({ prop: `f${at}`, label: `字段${at}`, type: 'input' })),
  )

  it('draws the first screen at once and a linked field before it is scrolled to', () => {
    const { container, update } = show(opened(page))
    const drawn = container.querySelectorAll('[data-row]').length
    expect(drawn).toBeGreaterThanOrEqual(40)
    expect(drawn).toBeLessThan(100)
    expect(container.textContent).toContain('字段299')
    update({ focus: { address: 'f299' } })
    expect(document.activeElement).toBe(screen.getByLabelText('字段299'))
  })

  it('draws the rest by itself, and takes nothing of what is typed meanwhile', async () => {
    const state = opened(page)
    const { container } = show(state)
    const box = screen.getByLabelText<HTMLInputElement>('字段1')
    box.focus()
    fireEvent.input(box, { target: { value: '甲' } })
    await waitFor(() => expect(container.querySelectorAll('[data-row]')).toHaveLength(300))
    expect(document.activeElement).toBe(box)
    expect(box.value).toBe('甲')
    expect(state.getCell('f1')?.value).toBe('甲')
  })
})
