import '#tests/src/data/support/indexedDb.ts'
import { locks } from 'node:worker_threads'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { EntryRow, PatientRow } from '#core/api/sync/rows.ts'
import { lockTyping } from '#offline/draft/typedIn.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, FOLDER, PROJECT, target } from '#tests/offline/support/tablet.ts'
import { conflictOn } from '#tests/src/data/support/conflicts.ts'
import { enrolled, entryRow, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/**
 * A page says one thing of itself, where the hand is: that it is open twice, that its subject is voided, that a change
 * waits for its reason.
 */

beforeAll(() => speak('zh'))

let at: Ward
let patient: PatientRow
let place: EcrfPlace
let id: string
const releases: (() => void)[] = []
beforeEach(async () => {
  // The browser's own, which the screen of a test lacks.
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  at = await ward()
  patient = await enrolled(at)
  place = { projectId: PROJECT, patientId: patient.id }
  id = entryId(target(patient.id))
})
afterEach(() => {
  for (const release of releases.splice(0)) release()
  Reflect.deleteProperty(navigator, 'locks')
})

async function pulled(facts: Partial<EntryRow> = {}): Promise<void> {
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 12, row: { ...entryRow(id, patient.id, { weight: 61, note: '晨起' }), ...facts } },
  ])
}

function open(): void {
  show(
    <SessionContext value={closedSession()}>
      <DeviceContext value={at.device}>
        <Routes>
          <Route element={<Outlet context={place} />}>
            <Route path="/:entryId" element={<EntryScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    `/${id}`,
  )
}

const twice = '此页已在另一个标签页中打开。请只在一处录入，否则您自己的修改会互相冲突。'

test('a page that is open for typing in a tab beside says so, and no more once that is closed', async () => {
  await pulled()
  open()
  await screen.findByRole('textbox', { name: '备注' })
  expect(screen.queryByText(twice)).toBeNull()
  // The tab beside opens the same page, and another one.
  const beside = lockTyping(CENTER_SCOPE, id)
  releases.push(lockTyping(CENTER_SCOPE, entryId({ ...target(patient.id), pageRepeat: 'other' })))
  window.dispatchEvent(new Event('focus'))
  expect(await screen.findByText(twice)).toBeTruthy()
  beside()
  window.dispatchEvent(new Event('focus'))
  await waitFor(() => expect(screen.queryByText(twice)).toBeNull(), { timeout: 5000 })
})

test('the page of a voided subject is only read, and says what of it waits for the subject; nothing of it is to be decided', async () => {
  await pulled({ conflicts: 1 })
  const conflict = conflictOn(id)
  await at.pulled(CENTER_SCOPE, [
    { kind: 'conflict', id: conflict.id, seq: 13, row: conflict },
    { kind: 'patient', id: patient.id, seq: 14, row: { ...patient, deleted: true } },
  ])
  open()
  expect(await screen.findByText(/该受试者记录已作废，只能查看/)).toBeTruthy()
  expect(screen.getByText(/作废后收到的 1 处录入也已保留，恢复该受试者后再处理/)).toBeTruthy()
  expect(screen.queryByText(/请选择采用哪个值/)).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(within(screen.getByRole('contentinfo')).queryByRole('button', { name: '提交' })).toBeNull()
})

test('a change that waits for its reason is asked about in the footer, beside the button that submits', async () => {
  await pulled({ status: 'other', submittedOnce: true, unexplained: [] })
  open()
  const box = await screen.findByRole('textbox', { name: '备注' })
  await userEvent.clear(box)
  await userEvent.type(box, '餐后')
  const footer = within(screen.getByRole('contentinfo'))
  await userEvent.click(await footer.findByRole('button', { name: '说明修改原因（1）' }, { timeout: 4000 }))
  expect(await screen.findByRole('dialog', { name: '说明修改原因' })).toBeTruthy()
})

test('the button that submits is called as the page says, and stands where it says', async () => {
  const own = {
    ...page,
    option: JSON.stringify({ submitText: '完成本页', menuPosition: 'center', ...(JSON.parse(page.option) as object) }),
  }
  await at.pulled(PROJECT, [
    {
      kind: 'version',
      id: version.id,
      seq: 20,
      row: { ...version, folders: [{ id: FOLDER, folderName: '访视1', folderCode: 'V1', sort: 1, pages: [own] }] },
    },
  ])
  open()
  const button = await screen.findByRole('button', { name: '完成本页' })
  expect(button.closest<HTMLElement>('[data-menu]')?.dataset['menu']).toBe('center')
})
