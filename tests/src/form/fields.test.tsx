// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import { MOMENT, YES_NO, compiled, entry, opened } from '#tests/core/form/filling.ts'

import { i18n, show, standInForBrowser } from './screen.tsx'

beforeAll(async () => {
  standInForBrowser()
  await import('#src/form/sheet/FieldSheet.tsx')
})
afterEach(cleanup)

const course: Column = { prop: 'course', label: '疗程', type: 'daterange', required: true }

describe('a range', () => {
  it('is entered end by end, each in its own box, and asks for both', async () => {
    const state = opened([course])
    const { user, edits } = show(state)
    const group = screen.getByRole('group', { name: '疗程' })
    await user.type(within(group).getByRole('textbox', { name: '疗程：开始' }), '20240506')
    await user.tab()
    expect(within(group).getByRole<HTMLInputElement>('textbox', { name: '疗程：开始' }).value).toBe('2024-05-06')
    await user.click(document.body)
    expect(await screen.findByText('两端都需填写')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: '疗程：结束' }), '20240505')
    expect(screen.getByText('结束不应早于开始')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: '疗程：结束' }), '{Backspace}7')
    expect(state.getCell('course')).toMatchObject({ value: ['2024-05-06', '2024-05-07'], issues: [] })
    expect(edits.at(-1)).toMatchObject({ code: 'course', value: ['2024-05-06', '2024-05-07'], text: null })
  })

  it('is empty again when both its ends are', async () => {
    const state = opened([course], entry({ course: ['2024-05-06', '2024-05-07'] }))
    const { user } = show(state)
    await user.clear(screen.getByRole('textbox', { name: '疗程：开始' }))
    await user.clear(screen.getByRole('textbox', { name: '疗程：结束' }))
    expect(state.getCell('course')?.value).toBeNull()
  })

  it('of a scale has a slider for each end, neither of which is an answer before it is touched', () => {
    const state = opened([
      { prop: 'rate', label: '心率', type: 'slider', range: true, min: 40, max: 180, zl: { unit: 'bpm' } },
    ])
    show(state)
    const low = screen.getByRole('slider', { name: '心率：下限' })
    fireEvent.input(low, { target: { value: '60' } })
    expect(state.getCell('rate')).toMatchObject({ value: [60, ''], issues: [{ code: 'incomplete-range' }] })
    expect(low.getAttribute('aria-valuetext')).toBe('60 bpm')
    expect(screen.getByRole('slider', { name: '心率：上限' }).getAttribute('aria-valuetext')).toBe('未填写')
  })
})

describe('a date', () => {
  it('picked from the calendar stands in the box at once, and is not typed over with what stood there before', async () => {
    const state = opened([{ prop: 'visit', label: '访视日期', type: 'date' }], entry({ visit: '2024-05-06' }))
    const { user } = show(state)
    await user.click(screen.getByRole('button', { name: '访视日期：日历' }))
    await user.click(await screen.findByRole('button', { name: '2024年5月17日' }))
    const box = screen.getByRole<HTMLInputElement>('textbox', { name: '访视日期' })
    expect(document.activeElement).toBe(box)
    expect(box.value).toBe('2024-05-17')
    expect(state.getCell('visit')?.value).toBe('2024-05-17')
  })

  it('of which the day is unknown is shown with the words for it', () => {
    const page = compiled([{ prop: 'onset', label: '发病日期', type: 'date', zl: { partial: 'year' } }])
    show(createFormState(page, entry({ onset: '2024-05' }), { moment: MOMENT, readOnly: true }), { mode: 'view' })
    expect(screen.getByText('2024-05（日未知）')).toBeTruthy()
    cleanup()
    show(createFormState(page, entry({ onset: '2024' }), { moment: MOMENT, readOnly: true }), {
      mode: 'view',
      language: 'en',
    })
    expect(screen.getByText('2024 (month and day unknown)')).toBeTruthy()
  })

  it('of a week is shown as the week, with its days', async () => {
    const state = opened([{ prop: 'week', label: '随访周', type: 'week' }])
    const { user } = show(state)
    const box = screen.getByRole<HTMLInputElement>('textbox', { name: '随访周' })
    await user.type(box, '20240515')
    expect(screen.getByText('05-13 – 05-19')).toBeTruthy()
    await user.click(document.body)
    expect(box.value).toBe('2024-W20')
    expect(state.getCell('week')?.value).toBe('2024-05-13')
  })
})

describe('lists', () => {
  it('are entered one item a line', async () => {
    const state = opened([{ prop: 'symptoms', label: '症状', type: 'array' }])
    const { user } = show(state)
    await user.type(screen.getByRole('textbox', { name: '症状' }), '咳嗽{Enter}头痛, 眩晕')
    expect(state.getCell('symptoms')?.value).toEqual(['咳嗽', '头痛, 眩晕'])
  })

  it('of addresses are links only where they lead to the web', () => {
    const page = compiled([{ prop: 'links', label: '网址', type: 'url' }])
    const data = entry({ links: ['https://a.cn/x', 'javascript:alert(1)'] })
    show(createFormState(page, data, { moment: MOMENT, readOnly: true }), { mode: 'view' })
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['https://a.cn/x'])
    expect(screen.getByText('javascript:alert(1)')).toBeTruthy()
  })
})

describe('a copied row', () => {
  it('says of a value that is kept from its reader why it is not in the copy', async () => {
    const column: Column[] = [
      { prop: 'name', label: '姓名', type: 'input', zl: { identifier: true } },
      { prop: 'relation', label: '关系', type: 'input' },
    ]
    const state = createFormState(
      compiled([{ prop: 'family', label: '家属', type: 'dynamic', children: { column } }]),
      entry({ family: [{ _rid: 'r1', _ord: 'a', name: MASK, relation: '女儿' }] }),
      { moment: MOMENT, readOnly: false, masked: true },
    )
    const { user } = show(state)
    await user.click(screen.getByRole('button', { name: /第 1 行/ }))
    await user.click(await screen.findByRole('button', { name: '复制此行' }))
    expect(await screen.findByText('未复制：您无权查看原行的值，请录入')).toBeTruthy()
    const box = screen.getByRole<HTMLInputElement>('textbox', { name: '姓名' })
    expect(box.value).toBe('')
    await user.type(box, '王五')
    expect(screen.queryByText('未复制：您无权查看原行的值，请录入')).toBeNull()
  })
})

describe('what is read only', () => {
  it('is shown in words: the way down a cascade, the rows of a table, a choice whose list is elsewhere', () => {
    show(
      opened(
        [
          {
            prop: 'place',
            label: '籍贯',
            type: 'cascader',
            readonly: true,
            dicData: [{ value: '11', label: '北京', children: [{ value: '1101', label: '东城' }] }],
          },
          {
            prop: 'drugs',
            label: '用药',
            type: 'dynamic',
            children: {
              column: [
                { prop: 'drug', label: '药名', type: 'input' },
                { prop: 'from', label: '自', type: 'date' },
              ],
            },
          },
          { prop: 'center', label: '医院', type: 'select', required: true },
        ],
        entry({
          place: ['11', '1101'],
          drugs: [
            { _rid: 'r1', _ord: 'a0', drug: '甘草', from: '2024-05-06' },
            { _rid: 'r2', _ord: 'a1', drug: '黄芪', _deleted: true },
          ],
          center: 'h-12',
        }),
      ),
    )
    expect(screen.getByRole('group', { name: '籍贯' }).textContent).toContain('北京 / 东城')
    expect(screen.getByRole('group', { name: '用药' }).textContent).toContain('药名：甘草自：2024-05-06')
    expect(screen.queryByText(/黄芪/)).toBeNull()
    expect(screen.getByRole('group', { name: '医院' }).textContent).toContain('h-12')
  })

  it('is not asked for: a required choice without a list here does not stop a submit', () => {
    const form = opened([{ prop: 'center', label: '医院', type: 'select', required: true }])
    expect(form.validate()).toEqual([])
  })
})

describe('errors and warnings', () => {
  const page: readonly Column[] = [
    { prop: 'name', label: '姓名', type: 'input', required: true },
    {
      prop: 'height',
      label: '身高',
      type: 'number',
      zl: {
        checks: [{ id: 'tall', when: 'page.height > 210.0', severity: 'warning', message: { zh: '身高超过 210 cm' } }],
      },
    },
  ]

  it('stand apart under the field: a warning says that it is to be checked and makes nothing invalid', async () => {
    const { user } = show(opened(page))
    const box = screen.getByRole('textbox', { name: '身高' })
    await user.type(box, '220')
    await user.click(document.body)
    const line = (await screen.findByText(/身高超过 210 cm/)).closest('li')
    expect(line?.dataset['severity']).toBe('warning')
    expect(line?.textContent).toBe('请核对：身高超过 210 cm')
    expect(box.getAttribute('aria-invalid')).toBeNull()
  })

  it('stand apart in the box of the page, whose errors come first', () => {
    const state = opened(page)
    state.setText('height', '220')
    render(
      <I18nextProvider i18n={i18n}>
        <FormErrorBox state={state} issues={state.validate()} language="zh" onJump={() => undefined} />
      </I18nextProvider>,
    )
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
      '错误',
      '请核对：确认无误或更正',
    ])
    expect(screen.getAllByRole('list').map(({ textContent }) => textContent)).toEqual([
      '姓名必须填写',
      '身高超过 210 cm',
    ])
  })
})

describe('by keyboard', () => {
  it('a group is reached whose first choice is closed', async () => {
    const dicData = [
      { ...YES_NO[0], value: '1', label: 'Yes', disabled: true },
      { value: '0', label: 'No' },
    ]
    const { user } = show(opened([{ prop: 'ok', label: '合格', type: 'radio', dicData }]))
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'No' }))
  })

  it('the focus stays with a field whose answer is cleared', async () => {
    const { user } = show(
      opened([{ prop: 'pain', label: '疼痛', type: 'slider', min: 0, max: 10 }], entry({ pain: 7 })),
    )
    await user.click(screen.getByRole('button', { name: '疼痛：清除' }))
    expect(document.activeElement).toBe(screen.getByRole('slider', { name: /疼痛/ }))
  })

  it('Enter that an input method has taken goes nowhere, also where the word has ended before it', () => {
    show(
      opened([
        { prop: 'name', label: '姓名', type: 'input' },
        { prop: 'more', label: '其他', type: 'input' },
      ]),
    )
    const box = screen.getByRole('textbox', { name: '姓名' })
    box.focus()
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 229 })
    expect(document.activeElement).toBe(box)
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '其他' }))
  })

  it('a word that is half typed when its field is left is kept, also from an input method that does not say that it has ended', () => {
    const state = opened([{ prop: 'name', label: '姓名', type: 'input' }])
    const { edits } = show(state)
    const box = screen.getByRole('textbox', { name: '姓名' })
    box.focus()
    fireEvent.compositionStart(box)
    fireEvent.input(box, { target: { value: '张san' }, isComposing: true })
    expect(state.getCell('name')?.value).toBeNull()
    fireEvent.blur(box)
    expect(state.getCell('name')?.value).toBe('张san')
    expect(edits).toHaveLength(1)
  })
})
