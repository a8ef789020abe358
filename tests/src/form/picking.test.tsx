// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { fillLists } from '#core/form/definition/fillLists.ts'
import type { LookUps } from '#core/form/definition/lookUps.ts'
import type { JsonValue } from '#core/json.ts'
import { compiled, entry, opened } from '#tests/core/form/filling.ts'

import { show, standInForBrowser } from './screen.tsx'

/** Records picked from a list or from another page of the patient. */

beforeAll(async () => {
  standInForBrowser()
  await import('#src/form/sheet/FieldSheet.tsx')
})
afterEach(cleanup)

const MEDICINES = compiled([
  { prop: 'name', label: '药名', type: 'input' },
  { prop: 'start', label: '开始日期', type: 'date' },
  { prop: 'dose', label: '剂量', type: 'number' },
])

function medicines(...rows: readonly Readonly<Record<string, JsonValue>>[]): LookUps {
  return new Map([
    ['CM', { fields: MEDICINES.page.fields, records: rows.map((values, at) => ({ key: `entry${at}`, values })) }],
  ])
}

const AE = [
  { prop: 'drug', label: '可疑药物', type: 'table', fkCrfPageId: 'CM', fkCrfPageColumn: 'name' },
  { prop: 'since', label: '用药日期', type: 'date', fkCrfPageId: 'CM', fkCrfPageColumn: 'start', groupPropId: 'drug' },
  { prop: 'dose', label: '用药剂量', type: 'input', fkCrfPageId: 'CM', fkCrfPageColumn: 'dose', groupPropId: 'drug' },
] as const

const TANG = { name: '桂枝汤', start: '2026-01-02', dose: 10 }
const FANG = { name: '麻黄汤', start: '2026-02-03', dose: 9 }

describe('a field that takes its value from another page', () => {
  it('shows what each record says, and fills the fields of its group with what the picked one holds', async () => {
    const state = opened(AE)
    const { user, edits } = show(state, { lookUps: medicines(TANG, FANG) })
    await user.click(screen.getByRole('button', { name: /^可疑药物 / }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('radio', { name: /桂枝汤.*2026-01-02.*10/ }))
    expect(['drug', 'since', 'dose'].map((prop) => state.getCell(prop)?.value)).toEqual(['桂枝汤', '2026-01-02', '10'])
    expect(edits.map((edit) => edit.kind === 'item' && [edit.code, edit.old, edit.value])).toEqual([
      ['drug', null, '桂枝汤'],
      ['since', null, '2026-01-02'],
      ['dose', null, '10'],
    ])
  })

  it('takes another record’s values where the first gave them, and leaves what a person entered', async () => {
    const state = opened(AE, entry({ drug: '桂枝汤', since: '2026-01-02', dose: '12' }))
    const { user } = show(state, { lookUps: medicines(TANG, FANG) })
    await user.click(screen.getByRole('button', { name: /^可疑药物 / }))
    await user.click(await screen.findByRole('radio', { name: /麻黄汤/ }))
    expect(['drug', 'since', 'dose'].map((prop) => state.getCell(prop)?.value)).toEqual(['麻黄汤', '2026-02-03', '12'])
  })

  it('says which record is not there any more, in the words of the specification', () => {
    show(opened(AE, entry({ drug: '葛根汤' })), { lookUps: medicines(TANG) })
    expect(screen.getByRole('alert').textContent).toBe('葛根汤 数据不存在或已损坏!')
  })

  it('is not said to be empty while its list is open, and is when it was closed without an answer and left', async () => {
    const state = opened([
      { prop: 'drug', label: '可疑药物', type: 'table', required: true, fkCrfPageId: 'CM', fkCrfPageColumn: 'name' },
      { prop: 'note', label: '备注', type: 'input' },
    ])
    const { user } = show(state, { lookUps: medicines(TANG) })
    await user.click(screen.getByRole('button', { name: /^可疑药物(?!：)/ }))
    const dialog = await screen.findByRole('dialog')
    expect([state.getCell('drug')?.left, document.querySelector('[data-row=drug] [aria-invalid=true]')]).toEqual([
      false,
      null,
    ])
    await user.keyboard('{Escape}')
    expect(dialog.isConnected).toBe(false)
    await user.click(screen.getByRole('textbox', { name: '备注' }))
    expect(state.getCell('drug')).toMatchObject({ left: true, issues: [{ code: 'required' }] })
  })

  it('that is free text can be typed as well as taken', async () => {
    const state = opened([{ prop: 'drug', label: '药物', type: 'input', fkCrfPageId: 'CM', fkCrfPageColumn: 'name' }])
    const { user } = show(state, { lookUps: medicines(TANG) })
    await user.type(screen.getByRole('textbox', { name: '药物' }), '自备药')
    expect(state.getCell('drug')).toMatchObject({ value: '自备药', issues: [] })
    await user.click(screen.getByRole('button', { name: '药物：从列表选择' }))
    await user.click(await screen.findByRole('radio', { name: /桂枝汤/ }))
    expect(state.getCell('drug')?.value).toBe('桂枝汤')
  })
})

describe('a table of records', () => {
  const HERBS = Array.from({ length: 95 }, (_, at) => ({ id: `H${at}`, name: `药材${at}`, latin: `Herba ${at}` }))
  const option = {
    column: [
      {
        prop: 'herb',
        label: '药材',
        type: 'table',
        props: { label: 'name', value: 'id' },
        children: {
          column: [
            { prop: 'name', label: '名称' },
            { prop: 'latin', label: '拉丁名' },
          ],
          props: { url: '/herbs', rowKey: 'id' },
        },
      },
    ],
  }

  it('is looked through forty at a time, and ten of what a search finds', async () => {
    const state = opened(compiled((await fillLists(option, async () => HERBS)) as never))
    const { user } = show(state)
    await user.click(screen.getByRole('button', { name: /^药材 / }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getAllByRole('radio')).toHaveLength(40)
    await user.click(within(dialog).getByRole('button', { name: '下一页' }))
    await user.click(within(dialog).getByRole('button', { name: '下一页' }))
    expect(within(dialog).getAllByRole('radio')).toHaveLength(15)
    expect(within(dialog).getByText('第 3 页，共 3 页')).toBeTruthy()
    await user.type(within(dialog).getByRole('textbox', { name: '搜索记录' }), 'herba 1')
    expect(within(dialog).getAllByRole('radio')).toHaveLength(10)
    expect(within(dialog).getByText('找到 11 条')).toBeTruthy()
    await user.type(within(dialog).getByRole('textbox', { name: '搜索记录' }), '2{Enter}')
    expect(state.getCell('herb')?.value).toBe('H12')
    expect(await screen.findByText('药材12')).toBeTruthy()
  })
})
