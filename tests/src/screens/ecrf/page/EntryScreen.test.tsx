import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { PageRow, VersionRow } from '#core/api/sync/rows.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { FOLDER, PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/** A page on the screen whose rules read another page, which is worked on beside it. */

beforeAll(() => speak('zh'))

const PAGE_B = newId()
const pageB: PageRow = {
  ...page,
  id: PAGE_B,
  pageName: '用药',
  pageCode: 'b',
  sort: 2,
  option: JSON.stringify({
    column: [
      { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: 'form.V1.vital.weight * 0.5' } },
      { prop: 'why', label: '减量原因', type: 'input', zl: { show: 'visit.vital.weight < 50.0' } },
      { prop: 'remark', label: '其他说明', type: 'input' },
    ],
  }),
}
const both: VersionRow = {
  ...version,
  crfProfile: 'test',
  folders: [{ id: FOLDER, folderName: '访视1', folderCode: 'V1', sort: 1, pages: [page, pageB] }],
}

let at: Ward
let place: EcrfPlace
beforeEach(async () => {
  at = await ward()
  place = { projectId: PROJECT, patientId: (await enrolled(at)).id }
  await pulledVersion(both)
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** The last change number that was pulled. */
let seq = 10

async function pulledVersion(row: VersionRow): Promise<void> {
  seq += 1
  await at.pulled(PROJECT, [{ kind: 'version', id: row.id, seq, row }])
}

/** In another tab, page a is given another weight. */
async function weighed(from: JsonValue, to: JsonValue): Promise<void> {
  const item = {
    table: null,
    rid: null,
    code: 'weight',
    base: { value: from, missing: null },
    to: { value: to, missing: null },
    isShow: 1,
    reason: null,
  } as const
  const saved = await at.device.saveEntry(PROJECT, {
    target: target(place.patientId),
    versionId: VERSION,
    items: [item],
    rows: [],
    journal: [],
    seen: null,
    progress: null,
  })
  expect(saved.ok).toBe(true)
}

function open() {
  return show(
    <SessionContext value={closedSession()}>
      <DeviceContext value={at.device}>
        <Routes>
          <Route element={<Outlet context={place} />}>
            <Route path="/:entryId" element={<EntryScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    `/${entryId(target(place.patientId, PAGE_B))}`,
  )
}

const dose = () => screen.getByRole('status', { name: '剂量' }).textContent
const remark = () => screen.getByRole('textbox', { name: '其他说明' }) as HTMLInputElement

/** Pages that something waits to be sent of. */
async function unsentPages(): Promise<readonly string[]> {
  return [...new Set((await at.crc.storage.work.outbox.toArray()).map(({ entityId }) => entityId))]
}

test('what is saved there is followed on the screen, and the page does not become one that was changed', async () => {
  await weighed(null, 61)
  open()
  await screen.findByRole('textbox', { name: '其他说明' })
  expect(dose()).toContain('30.5')
  expect(screen.queryByRole('textbox', { name: '减量原因' })).toBeNull()
  await weighed(61, 45)
  await waitFor(() => expect(dose()).toContain('22.5'), { timeout: 4000 })
  expect(screen.getByRole('textbox', { name: '减量原因' })).toBeTruthy()
  expect(screen.getByText('已全部保存')).toBeTruthy()
  expect(await unsentPages()).toEqual([entryId(target(place.patientId))])
})

test('what is being typed meanwhile stays under the hand', async () => {
  await weighed(null, 61)
  open()
  await screen.findByRole('textbox', { name: '其他说明' })
  const box = remark()
  await userEvent.type(box, '餐后')
  await weighed(61, 62)
  await waitFor(() => expect(dose()).toContain('31'), { timeout: 4000 })
  expect([remark() === box, document.activeElement === box, box.value]).toEqual([true, true, '餐后'])
  await screen.findByText(/已保存在本机/, {}, { timeout: 4000 })
  const saved = await at.device.entry(PROJECT, target(place.patientId, PAGE_B))
  expect(saved).toMatchObject({ ok: true, value: { data: { values: { remark: '餐后' } } } })
})

/** A release comes that gives the page a field more. */
async function definedAnew(): Promise<void> {
  const [folder] = both.folders
  const option = JSON.stringify({
    column: [
      { prop: 'remark', label: '其他说明', type: 'input' },
      { prop: 'more', label: '补充', type: 'input' },
    ],
  })
  await pulledVersion({
    ...both,
    folders: folder === undefined ? [] : [{ ...folder, pages: [page, { ...pageB, option }] }],
  })
}

test('a page that its test version defines anew is opened anew, with what was typed on it', async () => {
  open()
  await screen.findByRole('textbox', { name: '其他说明' })
  await userEvent.type(remark(), '餐后')
  await definedAnew()
  await screen.findByRole('textbox', { name: '补充' }, { timeout: 4000 })
  await waitFor(() => expect(remark().value).toBe('餐后'), { timeout: 4000 })
})

test('while what is on it cannot be saved it stays, is typed on, and is opened anew with all of that once it is saved', async () => {
  open()
  await screen.findByRole('textbox', { name: '其他说明' })
  const { put, add } = IDBObjectStore.prototype
  const unlessWork = (write: typeof put): typeof put =>
    function (this: IDBObjectStore, ...given) {
      if (this.name === 'outbox' || this.name === 'drafts') throw new DOMException('no room', 'QuotaExceededError')
      return write.apply(this, given)
    }
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(unlessWork(put))
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(unlessWork(add))
  await userEvent.type(remark(), '餐后')
  await screen.findByRole('button', { name: '立即重试' }, { timeout: 4000 })
  await definedAnew()
  // Long enough for the new version to be read.
  await new Promise((resolve) => {
    setTimeout(resolve, 600)
  })
  expect(screen.queryByRole('textbox', { name: '补充' })).toBeNull()
  await userEvent.type(remark(), '服')
  expect(remark().value).toBe('餐后服')
  vi.restoreAllMocks()
  await screen.findByRole('textbox', { name: '补充' }, { timeout: 8000 })
  await waitFor(() => expect(remark().value).toBe('餐后服'), { timeout: 4000 })
  expect(await at.device.entry(PROJECT, target(place.patientId, PAGE_B))).toMatchObject({
    ok: true,
    value: { data: { values: { remark: '餐后服' } }, conflicts: [] },
  })
}, 20_000)
