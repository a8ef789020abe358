import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes, useParams } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { addDays } from '#core/study/visits/days.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import type { EntryRow, FolderRow, PatientRow, VersionRow } from '#core/api/sync/rows.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { today } from '#src/data/shapes/today.ts'
import { CasebookScreen } from '#src/screens/ecrf/casebook/CasebookScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, PROJECT, target } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, page, patientRow, project, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/** A patient's casebook at a glance: the visits in time, what is folded and open, what waits, the next patient. */

beforeAll(() => speak('zh'))

function planned(day: number): FolderSchedule {
  return { kind: 'planned', anchor: { of: 'enrolment' }, day, before: 3, after: 3, repeating: false }
}

function folder(folderName: string, sort: number, schedule: FolderSchedule): FolderRow {
  const pages = ['生命体征', '化验'].map((pageName, at) => ({ ...page, id: newId(), pageName, sort: at }))
  return { id: newId(), folderName, folderCode: `F${sort}`, sort, pages, schedule }
}

/** Four visits behind, one that is due today, one ahead, and what nobody planned. */
const FOLDERS = [
  ...[0, 7, 14, 21].map((day, at) => folder(`第 ${at + 1} 次`, at, planned(day))),
  folder('第 5 次', 4, planned(28)),
  folder('第 6 次', 5, planned(56)),
  folder('不良事件', 6, { kind: 'log' }),
]
const study: VersionRow = { ...version, folders: FOLDERS }
const coordinated = {
  ...project,
  permissions: [...project.permissions, 'visit_edit' as const, 'patient_edit' as const, 'patient_remove' as const],
}

let at: Ward
let patient: PatientRow
let seq = 40
beforeEach(async () => {
  at = await ward()
  patient = { ...(await enrolled(at)), enrolledOn: addDays(today(), -28) }
  await at.pulled(PROJECT, [
    { kind: 'version', id: study.id, seq: 20, row: study },
    { kind: 'project', id: PROJECT, seq: 21, row: coordinated },
  ])
  await at.pulled(CENTER_SCOPE, [{ kind: 'patient', id: patient.id, seq: 22, row: patient }])
})

/** Enters a page of a visit. */
async function enter(visit: number, pageAt: number, facts: Partial<EntryRow> = {}): Promise<void> {
  const of = FOLDERS[visit]
  const one = of?.pages[pageAt]
  if (of === undefined || one === undefined) throw new Error('the study has no such page')
  const place = { ...target(patient.id, one.id), folderId: of.id }
  const id = entryId(place)
  seq += 1
  const row = { ...entryRow(id, patient.id, {}), folderId: of.id, pageId: one.id, status: 'other' as const, ...facts }
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq, row }])
}

async function finish(visits: readonly number[]): Promise<void> {
  for (const visit of visits) for (const pageAt of [0, 1]) await enter(visit, pageAt)
}

function Book() {
  const { patientId = '' } = useParams()
  return <Outlet context={{ projectId: PROJECT, patientId }} />
}

function open() {
  return show(
    <SessionContext value={closedSession()}>
      <DeviceContext value={at.device}>
        <Routes>
          <Route path="/eCRF/:patientId" element={<Book />}>
            <Route index element={<CasebookScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    `/eCRF/${patient.id}`,
  )
}

const visit = (name: string) => within(screen.getByRole('region', { name }))
const fold = (name: string) => screen.getByRole('button', { name, expanded: true })

test('the visits stand in time, each a link with all of it in words, and today between them', async () => {
  await finish([0, 1, 2, 3])
  await enter(4, 0, { progress: { total: 6, answered: 4, missing: 2 } })
  open()
  const line = await screen.findByRole('list', { name: '访视进程' })
  const stops = within(line)
    .getAllByRole('listitem')
    .map((stop) => stop.textContent)
  expect(stops[0]).toContain('第 1 次 · 已完成')
  expect(stops[4]).toContain('第 5 次 · 缺访视日期 · 缺 2 项')
  expect(stops[4]).toContain(`窗口 ${addDays(today(), -3)} 至 ${addDays(today(), 3)} · 还有 1 页未提交`)
  expect(stops[5]).toContain(`今天 ${today()}`)
  expect(stops[6]).toContain('第 6 次 · 未到期')
  expect(stops[7]).toContain('不良事件')
})

test('what is done is one line, what is due is open, what comes is folded; the line in time opens any of them', async () => {
  await finish([0, 1, 2, 3])
  open()
  expect(await screen.findByRole('button', { name: '已完成 4 次访视', expanded: false })).toBeTruthy()
  expect(screen.queryByRole('region', { name: '第 1 次' })).toBeNull()
  expect(visit('第 5 次').getAllByRole('link')).toHaveLength(2)
  expect(visit('第 6 次').queryByRole('link')).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: /^第 2 次 · / }))
  expect(visit('第 2 次').getByRole('link', { name: /生命体征/ })).toBeTruthy()
  expect(document.activeElement).toBe(fold('第 2 次'))
  await userEvent.click(screen.getByRole('button', { name: '全部展开' }))
  expect(visit('第 6 次').getAllByRole('link')).toHaveLength(2)
})

test('where nothing waits any more all of it is open, to be read', async () => {
  await finish([0, 1, 2, 3, 4, 5, 6])
  open()
  expect((await screen.findAllByRole('button', { name: /^第 \d 次$/, expanded: true })).length).toBe(6)
  expect(screen.queryByRole('link', { name: /继续填写/ })).toBeNull()
})

test('a visit that gets done while somebody looks stays where it is, and open', async () => {
  await finish([0, 1, 2, 3])
  await enter(4, 0)
  open()
  expect((await screen.findAllByRole('button', { name: '第 5 次', expanded: true })).length).toBe(1)
  await enter(4, 1)
  await waitFor(() => expect(visit('第 5 次').getByText('2 / 2 页')).toBeTruthy())
  expect(fold('第 5 次')).toBeTruthy()
})

test('a page says what it lacks, and who wrote it when', async () => {
  await enter(4, 0, {
    progress: { total: 6, answered: 4, missing: 2 },
    updatedByName: '林协调',
    updatedAt: `${addDays(today(), -2)}T04:00:00.000Z`,
  })
  open()
  const line = within(await screen.findByRole('region', { name: '第 5 次' })).getByRole('link', { name: /生命体征/ })
  expect(within(line).getByText(`林协调 ${addDays(today(), -2)}`)).toBeTruthy()
  expect(within(line).getAllByText(/缺 2 项/)).not.toHaveLength(0)
})

test('what waits is counted by its reason and led to by the visit', async () => {
  await enter(0, 0, { status: 'process', progress: { total: 6, answered: 4, missing: 2 } })
  open()
  const todo = within(await screen.findByRole('region', { name: '下一步' }))
  expect(todo.getByText('缺项 1')).toBeTruthy()
  expect(todo.getByText('逾期 6')).toBeTruthy()
  const [first] = todo.getAllByRole('link')
  expect(first?.getAttribute('href')).toContain('field=%40missing')
  await userEvent.click(todo.getByRole('button', { name: '显示全部 10 项' }))
  expect(todo.getAllByRole('link')).toHaveLength(10)
})

test('one goes on with the page that was begun, else with the next that is due', async () => {
  await finish([0, 1, 2, 3])
  const { unmount } = open()
  expect(await screen.findByRole('link', { name: /继续填写：第 5 次 · 生命体征/ })).toBeTruthy()
  unmount()
  await enter(6, 0, { status: 'process' })
  open()
  expect(await screen.findByRole('link', { name: /继续填写：不良事件 · 生命体征/ })).toBeTruthy()
})

test('the day of a visit that is due is said right there', async () => {
  await finish([0, 1, 2, 3])
  open()
  const due = within(await screen.findByRole('region', { name: '第 5 次' }))
  await userEvent.click(due.getByRole('button', { name: '登记访视' }))
  await userEvent.click(await screen.findByRole('button', { name: '今天' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(visit('第 5 次').getByText('按期进行')).toBeTruthy())
})

test('Shift with J and K go through the patients in the order of the list, and letters that are typed do not', async () => {
  const second = { ...patientRow('01-002'), initials: 'LJ' }
  await at.pulled(CENTER_SCOPE, [{ kind: 'patient', id: second.id, seq: 30, row: second }])
  open()
  const shows = (name: string) =>
    waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(name))
  await shows('01-001 · ZS')
  expect(await screen.findByRole('link', { name: /^下一位受试者：01-002 LJ/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: '已是第一位受试者' })).toMatchObject({ disabled: true })
  await userEvent.keyboard('j')
  await shows('01-001 · ZS')
  await userEvent.keyboard('{Shift>}J{/Shift}')
  await shows('01-002 · LJ')
  await screen.findByRole('link', { name: /^上一位受试者：01-001 ZS/ })
  await userEvent.keyboard('{Shift>}K{/Shift}')
  await shows('01-001 · ZS')
})

test('a patient is removed behind one button more, and only with a reason', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: '更多操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '作废受试者记录' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: '作废' }))
  expect(await dialog.findByText('必填内容')).toBeTruthy()
  expect(await at.device.casebook(patient.id, PROJECT)).toMatchObject({ value: { patient: { deleted: false } } })
})
