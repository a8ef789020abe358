import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '#core/study/visits/days.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { PatientRow, VersionRow } from '#core/api/sync/rows.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { today } from '#src/data/shapes/today.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { CasebookScreen } from '#src/screens/ecrf/casebook/CasebookScreen.tsx'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { PatientVisitsScreen } from '#src/screens/ecrf/casebook/PatientVisitsScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, FOLDER, PROJECT, target } from '#tests/offline/support/tablet.ts'
import { enrolled, page, project, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/** A patient's visits on the screen of a tablet. */

beforeAll(() => speak('zh'))

const planned = (day: number): FolderSchedule => ({
  kind: 'planned',
  anchor: { of: 'enrolment' },
  day,
  before: 3,
  after: 3,
  repeating: false,
})
const [LATER, UNPLANNED] = [newId(), newId()]
const study: VersionRow = {
  ...version,
  crfProfile: 'formal',
  folders: [
    {
      id: FOLDER,
      folderName: '第 2 周',
      folderCode: 'W2',
      sort: 1,
      pages: [{ ...page, repeatable: true }],
      schedule: planned(14),
    },
    {
      id: LATER,
      folderName: '第 8 周',
      folderCode: 'W8',
      sort: 2,
      pages: [{ ...page, id: newId() }],
      schedule: planned(56),
    },
    {
      id: UNPLANNED,
      folderName: '非计划访视',
      folderCode: 'U',
      sort: 3,
      pages: [{ ...page, id: newId() }],
      schedule: { kind: 'unscheduled' },
    },
  ],
}

let at: Ward
let place: EcrfPlace
let patient: PatientRow
beforeEach(async () => {
  at = await ward()
  patient = await enrolled(at)
  place = { projectId: PROJECT, patientId: patient.id }
  await at.pulled(PROJECT, [
    { kind: 'version', id: study.id, seq: 20, row: study },
    { kind: 'project', id: PROJECT, seq: 21, row: coordinated },
  ])
  await enrolledOn(addDays(today(), -14))
})

let seq = 30
async function enrolledOn(day: string): Promise<void> {
  seq += 1
  await at.pulled(CENTER_SCOPE, [{ kind: 'patient', id: patient.id, seq, row: { ...patient, enrolledOn: day } }])
}

const coordinated = { ...project, permissions: [...project.permissions, 'visit_edit' as const] }

async function hiding(): Promise<void> {
  await at.pulled(PROJECT, [
    {
      kind: 'project',
      id: PROJECT,
      seq: 25,
      row: { ...coordinated, config: { ...project.config, isFilterPeriod: 'Y' } },
    },
  ])
}

function open(path: '/visit' | '/' | `/page/${string}`) {
  return show(
    <SessionContext value={closedSession()}>
      <DeviceContext value={at.device}>
        <Routes>
          <Route element={<Outlet context={place} />}>
            <Route path="/" element={<CasebookScreen />} />
            <Route path="/visit" element={<PatientVisitsScreen />} />
            <Route path="/page/:entryId" element={<EntryScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    path,
  )
}

const card = async (name: string) => within(await screen.findByRole('article', { name }))
const queued = async () => (await at.crc.storage.work.outbox.toArray()).map(({ call }) => call)

test('the schedule says when each visit is planned and where it stands; a date is kept on the tablet at once', async () => {
  open('/visit')
  expect((await card('第 2 周')).getByText('待访')).toBeTruthy()
  expect((await card('第 8 周')).getByText(`计划 ${addDays(today(), 42)}`)).toBeTruthy()
  await userEvent.click((await card('第 2 周')).getByRole('button', { name: '登记访视' }))
  await userEvent.click(await screen.findByRole('button', { name: '今天' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(async () => expect((await card('第 2 周')).getByText('按期进行')).toBeTruthy())
  expect((await card('第 2 周')).getByText('仅存本机')).toBeTruthy()
  expect(await queued()).toContain('visit.save')
})

test('a day outside of the window needs its reason, and what did not take place too', async () => {
  await enrolledOn(addDays(today(), -40))
  open('/visit')
  expect((await card('第 2 周')).getByText('逾期')).toBeTruthy()
  await userEvent.click((await card('第 2 周')).getByRole('button', { name: '登记访视' }))
  await userEvent.click(await screen.findByRole('button', { name: '今天' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(await screen.findByText('必填内容')).toBeTruthy()
  expect(await queued()).not.toContain('visit.save')
  await userEvent.click(screen.getByRole('radio', { name: '未到访' }))
  await userEvent.type(screen.getByRole('textbox', { name: /^原因/ }), '外出务工')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(async () => expect((await card('第 2 周')).getByText('未到访')).toBeTruthy())
  expect((await card('第 2 周')).getByText('原因：外出务工')).toBeTruthy()
})

test('a visit that nobody planned is booked when its day and its reason are said, and not before', async () => {
  open('/visit')
  await userEvent.click(await screen.findByRole('button', { name: '新增非计划访视' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: '新增' }))
  expect(await dialog.findByText('必填内容')).toBeTruthy()
  expect(await queued()).not.toContain('visit.save')
  await userEvent.click(dialog.getByRole('button', { name: '今天' }))
  await userEvent.type(dialog.getByRole('textbox', { name: /^访视原因/ }), '皮疹复诊')
  await userEvent.click(dialog.getByRole('button', { name: '新增' }))
  await waitFor(async () => expect((await card('非计划访视')).getByText('已进行')).toBeTruthy())
  expect((await card('非计划访视')).getByText('皮疹复诊')).toBeTruthy()
})

test('a visit that was made by mistake is undone by one press, or cancelled later with a reason, and can be restored', async () => {
  open('/visit')
  await makeUnscheduled()
  await userEvent.click(await screen.findByRole('button', { name: '撤销' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: '非计划访视' })).toBeNull())
  await makeUnscheduled()
  await userEvent.click((await card('非计划访视 2')).getByRole('button', { name: '取消访视' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /^原因/ }), '建错了')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '取消访视' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: '非计划访视 2' })).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: '已取消和不适用（2）' }))
  const latest = screen.getAllByRole('button', { name: '恢复' }).at(-1)
  if (latest === undefined) throw new Error('nothing can be restored')
  await userEvent.click(latest)
  await waitFor(async () => expect((await card('非计划访视 2')).getByText('已进行')).toBeTruthy())
})

async function makeUnscheduled(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: '新增非计划访视' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: '今天' }))
  await userEvent.type(dialog.getByRole('textbox', { name: /^访视原因/ }), '皮疹复诊')
  await userEvent.click(dialog.getByRole('button', { name: '新增' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

test('a study that hides visits outside of their window says how many it hides, and shows them on demand', async () => {
  await hiding()
  open('/')
  expect(await screen.findByRole('region', { name: '第 2 周' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: '第 8 周' })).toBeNull()
  expect(screen.getByText('有 1 次访视不在窗口期，未显示。')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '显示' }))
  expect(screen.getByRole('region', { name: '第 8 周' })).toBeTruthy()
})

test('a further page opens empty, and is there once something is entered', async () => {
  const repeat = { ...target(patient.id), pageRepeat: newId() }
  open(
    `/page/${entryId(repeat)}?add=${[repeat.folderId, repeat.folderRepeat, repeat.pageId, repeat.pageRepeat].join('.')}`,
  )
  const [field] = await screen.findAllByRole('textbox')
  expect(await queued()).not.toContain('entry.save')
  if (field === undefined) throw new Error('the page has no field')
  await userEvent.type(field, '66')
  await userEvent.tab()
  await waitFor(async () => expect(await queued()).toContain('entry.save'))
  await waitFor(async () => {
    const book = await at.device.casebook(patient.id, PROJECT)
    expect(book.ok && book.value.folders[0]?.pages.map(({ repeatNo }) => repeatNo)).toEqual([1, 2])
  })
})

test('visits are put in another order for this patient, by keys, and it is told where each now is', async () => {
  open('/visit')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: '调整访视顺序' }))
  const list = screen.getByRole('list', { name: '调整访视顺序' })
  const names = () =>
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(names()).toEqual(['第 2 周', '第 8 周'])
  await user.click(within(list).getByRole('button', { name: '上移“第 8 周”' }))
  await waitFor(() => expect(names()).toEqual(['第 8 周', '第 2 周']))
  expect(screen.getByText('“第 8 周”现在是第 1 个')).toBeTruthy()
  // It can go no further up: the focus is where it can go back.
  await waitFor(() => expect(document.activeElement).toBe(within(list).getByRole('button', { name: '下移“第 8 周”' })))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(names()).toEqual(['第 2 周', '第 8 周']))
  await waitFor(() =>
    expect(
      screen
        .getAllByRole('heading', { level: 2 })
        .map(({ textContent }) => textContent)
        .slice(0, 2),
    ).toEqual(['第 2 周', '第 8 周']),
  )
})
