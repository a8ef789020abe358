// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { speak } from '#tests/src/support/screen.tsx'

import { NORTH, inputsOf, line, lookAsOneWho } from './checkDesk.tsx'

beforeAll(() => speak('zh'))

let files: Blob[] = []
beforeEach(() => {
  files = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:list'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})

const rows = async () => (await screen.findAllByRole('row')).slice(1)

test('a monitor sees what the plan asks for in their own track, how far it is, and no switch of tracks', async () => {
  const { asked } = lookAsOneWho(['sdv_verify'], {
    list: [
      line({ queries: 2 }),
      line({ patientNo: '01-002', done: 4, changed: 1, rollUp: 'changed' }),
      line({ patientNo: '01-003', ready: false, rollUp: 'none', done: 0, submittedAt: null }),
    ],
  })
  const [first, second, third] = await rows()
  expect(first?.textContent).toContain('01-001 ZS')
  expect(first?.textContent).toContain('北院')
  expect(first?.textContent).toContain('1/4')
  expect(first?.textContent).toContain('部分核查')
  expect(within(second as HTMLElement).getByText('需重新核查')).toBeTruthy()
  expect(within(third as HTMLElement).getByText('未提交')).toBeTruthy()
  expect(screen.getByText('源数据核查')).toBeTruthy()
  expect(screen.queryByRole('radiogroup', { name: '核查类型' })).toBeNull()
  expect(inputsOf(asked, 'review.list')).toEqual([expect.objectContaining({ track: 'sdv', state: 'toDo' })])
})

test('who holds both tracks switches between them', async () => {
  const { asked } = lookAsOneWho(['sdv_verify', 'data_review'], { list: [line()] })
  await rows()
  await userEvent.click(screen.getByRole('radio', { name: '数据审核' }))
  await waitFor(() => expect(inputsOf(asked, 'review.list').at(-1)).toMatchObject({ track: 'dmr' }))
})

test('filters in the address are asked of the server, and can be cleared', async () => {
  const { asked } = lookAsOneWho(['sdv_verify'], {}, { address: `/check?state=changed&center=${NORTH}` })
  expect(await screen.findByText('没有符合条件的表单页')).toBeTruthy()
  expect(inputsOf(asked, 'review.list')[0]).toMatchObject({ state: 'changed', centerId: NORTH })
  await userEvent.click(screen.getByRole('button', { name: '清除全部条件' }))
  await waitFor(() => expect(inputsOf(asked, 'review.list').at(-1)).toMatchObject({ state: 'all' }))
})

test('Enter on a line opens its page', async () => {
  const one = line()
  const { projectId } = lookAsOneWho(['sdv_verify'], { list: [one] })
  await rows()
  await userEvent.keyboard('j{Enter}')
  expect(await screen.findByText(`到达 /eCRF/${one.patientId}/page/${one.entryId}?p=${projectId}`)).toBeTruthy()
})

test('the next page is that of the filtered list, and where the list shows what is done, what is to do', async () => {
  const one = line()
  const { asked } = lookAsOneWho(['data_review'], { list: [], next: one }, { address: '/check?state=complete' })
  await userEvent.click(await screen.findByRole('button', { name: '开始核查' }))
  expect(await screen.findByText(new RegExp(one.entryId))).toBeTruthy()
  expect(inputsOf(asked, 'review.next')).toEqual([expect.objectContaining({ state: 'toDo', track: 'dmr' })])
})

test('at the end of the list it is said that nothing is left', async () => {
  lookAsOneWho(['sdv_verify'], { list: [line()], next: null })
  await userEvent.click(await screen.findByRole('button', { name: '开始核查' }))
  expect(await screen.findByText('没有待核查的表单页了。')).toBeTruthy()
})

test('without a plan a manager is led to make one', async () => {
  lookAsOneWho(['data_review'], { plans: [] })
  expect((await screen.findByRole('link', { name: '制定核查计划' })).getAttribute('href')).toContain('part=plan')
})

test('without a plan a monitor is told who makes it', async () => {
  lookAsOneWho(['sdv_verify'], { plans: [] })
  expect(await screen.findByText(/由数据管理员或项目经理制定/)).toBeTruthy()
})

test('where all is done, the next step is the progress', async () => {
  lookAsOneWho(['sdv_verify'], {})
  expect(await screen.findByText('没有待核查的表单页')).toBeTruthy()
  expect(screen.getByRole('link', { name: '查看进度' })).toBeTruthy()
})

test('the file holds what is shown, and no figure that a spreadsheet takes for a day', async () => {
  lookAsOneWho(['sdv_verify'], { list: [line()] })
  await rows()
  await userEvent.click(screen.getByRole('button', { name: '更多' }))
  await userEvent.click(screen.getByRole('button', { name: /下载 CSV/ }))
  await waitFor(() => expect(files).toHaveLength(1))
  expect(await files[0]?.text()).toContain('01-001,北院,筛选访视,生命体征,1/4 (25%),部分核查,0')
})

test('without a network no state is shown that may be old', async () => {
  lookAsOneWho(['sdv_verify'], { list: [line()] }, { reachable: false })
  expect(await screen.findByText('当前离线')).toBeTruthy()
  expect(screen.queryByRole('row')).toBeNull()
})
