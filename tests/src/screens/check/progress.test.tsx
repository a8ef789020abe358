// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { CenterProgress } from '#core/api/calls/review/check.ts'
import { speak } from '#tests/src/support/screen.tsx'

import { NORTH, SOUTH, inputsOf, lookAsOneWho } from './checkDesk.tsx'

beforeAll(() => speak('zh'))

let files: Blob[] = []
beforeEach(() => {
  files = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:progress'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})

const CENTERS: readonly CenterProgress[] = [
  {
    centerId: NORTH,
    centerName: '北院',
    patients: 10,
    patientsDone: 4,
    pages: 60,
    pagesReady: 50,
    pagesDone: 30,
    due: 300,
    done: 199,
    changed: 7,
  },
  {
    centerId: SOUTH,
    centerName: '南院',
    patients: 5,
    patientsDone: 0,
    pages: 20,
    pagesReady: 0,
    pagesDone: 0,
    due: 0,
    done: 0,
    changed: 0,
  },
]

const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('each center has its line, all of them a total, and what is not quite done is not rounded up', async () => {
  lookAsOneWho(['sdv_verify'], { progress: CENTERS }, { address: '/check?part=progress' })
  const table = within(await screen.findByRole('table', { name: '各中心进度 · 源数据核查' }))
  expect(table.getAllByRole('row').slice(1).map(cellsOf)).toEqual([
    ['北院', '4/10', '60', '10', '20', '30', '199/30066%', '7'],
    ['南院', '0/5', '20', '20', '0', '0', '0/00%', '0'],
    ['合计', '4/15', '80', '30', '20', '30', '199/30066%', '7'],
  ])
  expect(screen.getByText('66%', { selector: 'dd' })).toBeTruthy()
})

test('a figure leads to the pages that it counts', async () => {
  lookAsOneWho(['sdv_verify'], { progress: CENTERS }, { address: '/check?part=progress' })
  const link = await screen.findByRole('link', { name: '北院 · 待核查 20' })
  expect(link.getAttribute('href')).toBe(`/check?state=toDo&center=${NORTH}`)
  expect(screen.getByRole('link', { name: '合计 · 需重新核查 7' }).getAttribute('href')).toBe('/check?state=changed')
})

test('who plans sees how far the other track is, without the list that is not theirs', async () => {
  const { asked } = lookAsOneWho(['data_review'], { progress: CENTERS }, { address: '/check?part=progress&track=sdv' })
  await screen.findByRole('table', { name: '各中心进度 · 源数据核查' })
  expect(screen.queryByRole('link', { name: /待核查/ })).toBeNull()
  expect(inputsOf(asked, 'review.progress')).toEqual([expect.objectContaining({ track: 'sdv' })])
})

test('who only manages the project sees progress and plans, and no list', async () => {
  lookAsOneWho(['project_edit', 'report_view'], { progress: CENTERS })
  expect(await screen.findByRole('tab', { name: '进度', selected: true })).toBeTruthy()
  expect(screen.queryByRole('tab', { name: '待核查' })).toBeNull()
  expect(screen.getByRole('tab', { name: '核查计划' })).toBeTruthy()
})

test('who enters data is not let in, though they see reports', () => {
  const { asked } = lookAsOneWho(['database_submit_page', 'report_view'], {})
  expect(screen.getByText('无权限')).toBeTruthy()
  expect(asked).toEqual([])
})

test('the file has every center and the total', async () => {
  lookAsOneWho(['sdv_verify'], { progress: CENTERS }, { address: '/check?part=progress' })
  await userEvent.click(await screen.findByRole('button', { name: '下载 CSV' }))
  const lines = (await files[0]?.text())?.split('\r\n') ?? []
  expect(lines[1]).toBe('北院,10,4,60,10,20,30,199,300,66,7')
  expect(lines[3]).toBe('合计,15,4,80,30,20,30,199,300,66,7')
})

test('before anything is asked for, the way leads to the plan', async () => {
  lookAsOneWho(['sdv_verify'], { progress: [] }, { address: '/check?part=progress' })
  expect(await screen.findByText('还没有进度')).toBeTruthy()
  expect(screen.getByRole('link', { name: '查看核查计划' })).toBeTruthy()
})
