import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { FOLDER, PROJECT, target } from '#tests/offline/support/tablet.ts'
import { enrolled, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/**
 * Leaving a page for another one of the patient, on a tablet whose disk has become full: whoever wants to is asked, as
 * by a link.
 */

beforeAll(() => speak('zh'))

const second = { ...page, id: newId(), pageName: '化验', pageCode: 'LAB', sort: 2 }
let at: Ward
let patient: PatientRow
beforeEach(async () => {
  at = await ward()
  patient = await enrolled(at)
  await at.pulled(PROJECT, [
    {
      kind: 'version',
      id: version.id,
      seq: 20,
      row: {
        ...version,
        folders: [{ id: FOLDER, folderName: '访视1', folderCode: 'V1', sort: 1, pages: [page, second] }],
      },
    },
  ])
  const refuse = (): never => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  const place: EcrfPlace = { projectId: PROJECT, patientId: patient.id }
  const address = `/eCRF/${patient.id}/page/${entryId(target(patient.id))}?p=${PROJECT}`
  // What the browser says of where it is.
  window.history.replaceState(null, '', address)
  show(
    <SessionContext value={closedSession()}>
      <DeviceContext value={at.device}>
        <Routes>
          <Route element={<Outlet context={place} />}>
            <Route path="/eCRF/:patientId/page/:entryId" element={<EntryScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    address,
  )
  const box = await screen.findByRole('textbox', { name: '备注' })
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse)
  await userEvent.type(box, '误')
})
afterEach(() => {
  vi.restoreAllMocks()
  window.history.replaceState(null, '', '/')
})

const footer = () => within(screen.getByRole('contentinfo'))
const asked = () => screen.findByRole('dialog', { name: '此页还有内容未保存' })
const note = () => screen.getByRole('textbox', { name: '备注' })

test('“next” asks, and the page stays with what is on it until it is answered', async () => {
  await userEvent.click(footer().getByRole('button', { name: '下一页' }))
  await userEvent.click(within(await asked()).getByText('留在此页'))
  expect(note()).toMatchObject({ value: '误' })
  expect(footer().getByRole('button', { name: '下一页' })).toMatchObject({ disabled: false })
})

test('who discards and goes on is on the next page, and nothing of it is saved later', async () => {
  await userEvent.click(footer().getByRole('button', { name: '下一页' }))
  await userEvent.click(within(await asked()).getByRole('button', { name: '放弃并离开' }))
  await waitFor(() => expect(footer().getByRole('button', { name: '下一页' })).toMatchObject({ disabled: true }))
  vi.restoreAllMocks()
  await new Promise((resolve) => {
    setTimeout(resolve, 2500)
  })
  expect(await at.device.outbox()).toMatchObject({ ok: true, value: [] })
})

test('the casebook’s list asks too, but not about the page that is open', async () => {
  await waitFor(() => expect(footer().getByRole('button', { name: '立即重试' })).toBeTruthy())
  await userEvent.click(screen.getByRole('button', { name: '打开访视与页面目录' }))
  await userEvent.click(await screen.findByRole('link', { name: /生命体征/ }))
  await userEvent.click(screen.getByRole('button', { name: '打开访视与页面目录' }))
  expect(screen.queryByRole('dialog', { name: '此页还有内容未保存' })).toBeNull()
  await userEvent.click(await screen.findByRole('link', { name: /化验/ }))
  expect(await asked()).toBeTruthy()
})

test('where there is room again before they answer, nothing is discarded any more: they are where they wanted to go', async () => {
  await userEvent.click(footer().getByRole('button', { name: '下一页' }))
  await asked()
  vi.restoreAllMocks()
  await waitFor(() => expect(footer().getByRole('button', { name: '下一页' })).toMatchObject({ disabled: true }), {
    timeout: 5000,
  })
  expect(screen.queryByRole('dialog', { name: '此页还有内容未保存' })).toBeNull()
  expect(await at.device.entry(PROJECT, target(patient.id))).toMatchObject({
    ok: true,
    value: { data: { values: { note: '误' } } },
  })
})
