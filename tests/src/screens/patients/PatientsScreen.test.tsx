// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes, useLocation } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { err, ok } from '#core/result.ts'
import type { PatientFilter } from '#src/data/shapes/listTypes.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { PatientsScreen } from '#src/screens/patients/PatientsScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const at = '2026-11-02T00:00:00.000Z'
const patient = (no: string, sex: 'F' | 'M', enrolledOn: string): PatientView => ({
  id: `0190a000-0000-7000-8000-0000000001${no}`,
  centerId: '0190a000-0000-7000-8000-0000000000c1',
  no: `01-0${no}`,
  mark: '00AA',
  mark4: '00AA',
  initials: 'ZS',
  sex,
  enrolledOn,
  identity: null,
  rev: 1,
  deleted: false,
  createdBy: '0190a000-0000-7000-8000-0000000000aa',
  createdAt: at,
  updatedAt: at,
  sync: 'received',
  centerName: '北院',
  pass: 1,
})
const PATIENTS = [patient('01', 'F', '2026-01-10'), patient('02', 'M', '2026-02-10'), patient('03', 'M', '2026-03-10')]

/** What is listed. */
let listed = PATIENTS
let downloads: unknown[] = []
let saved: string[] = []
beforeEach(() => {
  listed = PATIENTS
  downloads = []
  saved = []
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:sheet')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})

/** A device that keeps three patients. */
function fits({ sex, from, no }: PatientFilter): readonly PatientView[] {
  return listed.filter(
    (one) =>
      (sex === undefined || one.sex === sex) &&
      (from === undefined || (one.enrolledOn ?? '') >= from) &&
      (no === undefined || one.no?.includes(no) === true),
  )
}

function Address() {
  return <output data-testid="address">{useLocation().search}</output>
}

let projects = 0
function look(address: string, answer: Awaited<ReturnType<Session['call']>> = ok(new Blob(['x']) as never)): void {
  projects += 1
  const id = `0190a000-0000-7000-8000-0000000002${String(projects).padStart(2, '0')}`
  const desk: Desk = {
    project: () => Promise.resolve(ok(projectRow({ id, permissions: ['export'] }))),
    patients: (_project, filter) => Promise.resolve(ok({ patients: fits(filter), total: fits(filter).length })),
    keeping: () => Promise.resolve(ok([])),
    download: () => Promise.resolve(ok(null)),
    session: {
      call: (async (call: string, input: unknown) => {
        downloads.push([call, input])
        return answer
      }) as unknown as Session['call'],
    },
  }
  show(
    <AtDesk desk={desk}>
      <Address />
      <Routes>
        <Route path="/p/:id" element={<PatientsScreen />} />
      </Routes>
    </AtDesk>,
    `/p/${id}${address}`,
  )
}

const rows = () => screen.getAllByRole('row').filter((row) => row.dataset['row'] !== undefined)

/** Scrolls the table down by so many rows of 44 px. */
function scrollTo(row: number): void {
  const frame = screen.getByRole('grid', { name: '受试者' }).parentElement
  if (frame === null) throw new Error('no frame')
  frame.scrollTop = row * 44
  frame.dispatchEvent(new Event('scroll'))
}

const address = () => screen.getByTestId('address').textContent

test('what the list is narrowed down to stands in the address; what is searched for does not', async () => {
  look('')
  expect(await screen.findByText('共 3 条')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '筛选' }))
  await userEvent.click(screen.getByRole('button', { name: '入组日期从' }))
  await userEvent.type(screen.getByLabelText('入组日期从'), '20260201')
  expect(await screen.findByText('共 2 条')).toBeTruthy()
  expect(address()).toBe('?from=2026-02-01')
  await userEvent.type(screen.getByLabelText('按编号或姓名缩写查找'), '03')
  expect(await screen.findByText('共 1 条')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(address()).toBe('?from=2026-02-01')
  await userEvent.click(screen.getByRole('button', { name: '去掉筛选条件：2026-02-01 起入组' }))
  await waitFor(() => expect(address()).toBe(''))
})

test('beside a patient stands what this device knows of them alone; of the others nothing is said', async () => {
  const marks = ['received', 'local', 'attention'] as const
  listed = PATIENTS.map((one, at) => ({ ...one, sync: marks[at] ?? 'received' }))
  look('')
  await screen.findAllByRole('link', { name: /01-0/ })
  expect(rows().map(({ textContent }) => /已同步|仅存本机|待处理/.exec(textContent ?? '')?.[0] ?? null)).toEqual([
    null,
    '仅存本机',
    '待处理',
  ])
})

test('of hundreds those near the eye are drawn, each saying its place among all', async () => {
  listed = Array.from({ length: 400 }, (_, at) => patient(String(at + 100), 'F', '2026-01-10'))
  look('')
  expect(await screen.findByText('共 400 条')).toBeTruthy()
  const places = () => rows().map((row) => Number(row.getAttribute('aria-rowindex')))
  await waitFor(() => expect(places().at(-1)).toBeGreaterThan(20))
  expect(places().at(-1)).toBeLessThan(60)
  expect(screen.getByRole('grid', { name: '受试者' }).getAttribute('aria-rowcount')).toBe('401')
  scrollTo(300)
  // The header is the first row.
  await waitFor(() => expect(places()).toEqual(expect.arrayContaining([302, 311])))
  await waitFor(() => expect(places()[0]).toBe(294))
  expect(screen.getByRole('link', { name: /01-0400/ }).getAttribute('href')).toContain(listed[300]?.id)
})

test('what has the focus loses it when its line is gone: it never passes to the patient who is drawn there next', async () => {
  listed = Array.from({ length: 400 }, (_, at) => patient(String(at + 100), 'F', '2026-01-10'))
  look('')
  const link = await screen.findByRole('link', { name: /01-0102/ })
  const line = link.closest('[role=row]')
  act(() => link.focus())
  scrollTo(300)
  await screen.findByRole('link', { name: /01-0400/ })
  // Its elements show somebody else now, and Enter must not open them.
  expect(line?.isConnected).toBe(true)
  expect(line?.textContent).not.toContain('01-0102')
  expect(document.activeElement).toBe(document.body)
})

test('each filter in force is named and can be taken away by itself', async () => {
  look('?sex=M&from=2026-03-01')
  expect(await screen.findByText('共 1 条')).toBeTruthy()
  const inForce = within(screen.getByRole('list', { name: '已用的筛选条件' }))
  expect(inForce.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['男', '2026-03-01 起入组'])
  await userEvent.click(inForce.getByRole('button', { name: '去掉筛选条件：2026-03-01 起入组' }))
  expect(await screen.findByText('共 2 条')).toBeTruthy()
  expect(address()).toBe('?sex=M')
})

test('where nobody is left it says which filter leaves nobody, and how many there are without it', async () => {
  look('?sex=F&from=2026-02-01')
  expect(await screen.findByText('没有符合条件的受试者')).toBeTruthy()
  expect(await screen.findByRole('button', { name: '去掉“女”：2 位' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '去掉“2026-02-01 起入组”：1 位' }))
  expect(await screen.findByText('共 1 条')).toBeTruthy()
  expect(address()).toBe('?sex=F')
})

test('the spreadsheet is asked for with the filter of the list', async () => {
  look('?sex=M')
  await userEvent.click(await screen.findByRole('button', { name: '下载 Excel' }))
  expect(downloads).toMatchObject([['patient.excel', { query: { sex: 'M' } }]])
  expect(saved).toEqual([expect.stringMatching(/^受试者-通心络治疗稳定型心绞痛-\d{4}-\d{2}-\d{2}\.xlsx$/)])
})

test('a spreadsheet that could not be had is said; by what this device alone knows there is none', async () => {
  look('?sex=M', err({ code: 'offline' }))
  await userEvent.click(await screen.findByRole('button', { name: '下载 Excel' }))
  expect((await screen.findByRole('alert')).textContent).toContain('下载失败')
  expect(saved).toEqual([])
})

test('by what this device alone knows there is no spreadsheet', async () => {
  look('?state=local')
  expect((await screen.findByRole('button', { name: '下载 Excel' })).hasAttribute('disabled')).toBe(true)
})
