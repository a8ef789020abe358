// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import type { VisitReport } from '#core/api/calls/review/check.ts'
import { speak } from '#tests/src/support/screen.tsx'

import { inputsOf, lookAsOneWho } from './checkDesk.tsx'

beforeAll(() => speak('zh'))

const of = { patientNo: '01-001', patientMark: 'AAAA', folderNameEn: null, pageNameEn: null }
const REPORT: VisitReport = {
  projectName: '通心络治疗稳定型心绞痛',
  centerName: '北院',
  from: '2026-11-20',
  to: '2026-11-21',
  pages: [
    {
      ...of,
      folderName: '筛选访视',
      pageName: '生命体征',
      track: 'sdv',
      verified: 12,
      withdrawn: 1,
      exempt: 2,
      changed: 3,
      byNames: ['周监查', '李监查'],
    },
    {
      ...of,
      folderName: '筛选访视',
      pageName: '合并用药',
      track: 'sdv',
      verified: 5,
      withdrawn: 0,
      exempt: 0,
      changed: 0,
      byNames: ['周监查'],
    },
  ],
  raised: 4,
  closed: 2,
  open: [
    {
      no: 7,
      patientNo: '01-001',
      patientMark: 'AAAA',
      state: 'open',
      text: '请核对体重。',
      askedAt: '2026-11-20T02:00:00.000Z',
    },
    {
      no: 8,
      patientNo: '01-001',
      patientMark: 'AAAA',
      state: 'answered',
      text: null,
      askedAt: '2026-11-20T03:00:00.000Z',
    },
  ],
  sdv: { due: 40, done: 30, changed: 3 },
  dmr: { due: 0, done: 0, changed: 0 },
}

const AT_REPORT = { address: '/check?part=report' }

test('the report says what was done, by whom, what was asked, how far it is, and has lines for the signatures', async () => {
  lookAsOneWho(['sdv_verify'], { report: REPORT }, AT_REPORT)
  const paper = within(await screen.findByRole('article', { name: '监查访视报告' }))
  const done = within(paper.getByRole('table', { name: '核查内容' }))
  const cells = done
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
  expect(cells).toEqual([
    ['01-001', '筛选访视 · 生命体征', '源数据核查', '12', '1', '2', '3', '周监查、李监查'],
    ['01-001', '筛选访视 · 合并用药', '源数据核查', '5', '0', '0', '0', '周监查'],
    ['合计', '', '', '17', '1', '2', '3', ''],
  ])
  expect(paper.getByText('2026-11-20 至 2026-11-21')).toBeTruthy()
  expect(paper.getByText('北院')).toBeTruthy()
  const open = within(paper.getByRole('table', { name: '未关闭的质疑' }))
  expect(open.getByText('请核对体重。')).toBeTruthy()
  expect(open.getByText('（可识别受试者身份，不显示）')).toBeTruthy()
  // Only the track of the reader, as long as the other has nothing.
  expect(within(paper.getByRole('table', { name: '目前核查进度' })).getAllByRole('row')).toHaveLength(2)
  expect(paper.getByText('75%')).toBeTruthy()
  expect(paper.getByText('监查员')).toBeTruthy()
  expect(paper.getByText('主要研究者')).toBeTruthy()
})

test('it is printed by the browser', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  lookAsOneWho(['sdv_verify'], { report: REPORT }, AT_REPORT)
  await userEvent.click(await screen.findByRole('button', { name: '打印' }))
  expect(print).toHaveBeenCalledOnce()
})

test('another period is asked for once it is one', async () => {
  const { asked } = lookAsOneWho(['sdv_verify'], { report: REPORT }, AT_REPORT)
  await screen.findByRole('article')
  const from = screen.getByRole('textbox', { name: '开始日期' })
  await userEvent.clear(from)
  expect(screen.getByText('请输入有效日期，如 2026-05-06')).toBeTruthy()
  expect(screen.queryByRole('article')).toBeNull()
  await userEvent.type(from, '29991231')
  expect(screen.getByText('不能早于开始日期')).toBeTruthy()
  await userEvent.clear(from)
  await userEvent.type(from, '20260101')
  await screen.findByRole('article')
  await waitFor(() => expect(inputsOf(asked, 'review.report').at(-1)).toMatchObject({ from: '2026-01-01' }))
})
