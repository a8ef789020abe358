import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, FOLDER, PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/** Where the history of a field stands: beside the page at a desk, over it on a tablet. */

const option = JSON.stringify({
  column: [
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'note', label: '备注', type: 'input' },
    { prop: 'device', label: '设备', type: 'input', readonly: true },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: { column: [{ prop: 'drug', label: '药名', type: 'input' }] },
    },
  ],
})

let at: Ward
let place: EcrfPlace

beforeAll(() => speak('zh'))

beforeEach(async () => {
  at = await ward()
  place = { projectId: PROJECT, patientId: (await enrolled(at)).id }
  const folders = [{ id: FOLDER, folderName: '访视1', folderCode: 'V1', sort: 1, pages: [{ ...page, option }] }]
  await at.pulled(PROJECT, [{ kind: 'version', id: VERSION, seq: 30, row: { ...version, folders } }])
  const id = entryId(target(place.patientId))
  const values = { weight: 61, note: '晨起', device: 'A1', drugs: [{ _rid: 'r1', _ord: 'a', drug: '桂枝' }] }
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq: 12, row: entryRow(id, place.patientId, values) }])
})

afterEach(() => {
  vi.restoreAllMocks()
})

async function open(): Promise<void> {
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
    `/${entryId(target(place.patientId))}`,
  )
  await screen.findByRole('textbox', { name: '体重' })
}

/** A screen as wide as that of a desk: every width that is asked for is there. */
function atDesk(): void {
  const narrow = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(narrow(media), { matches: media.includes('min-width') }),
  )
}

const box = (name: string) => screen.getByRole('textbox', { name })
const panel = (label: string) => screen.findByRole('complementary', { name: `${label}：稽查轨迹` })
const historyOf = (label: string) => screen.getByRole('button', { name: `${label}：稽查轨迹` })

test('at a desk the history stands beside the page, which can be typed on, and follows from field to field', async () => {
  atDesk()
  await open()
  await userEvent.click(box('体重'))
  await userEvent.keyboard('{Alt>}h{/Alt}')
  expect(await panel('体重')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('体重：稽查轨迹')

  // The hand has not left the box.
  await userEvent.keyboard('5')
  expect((box('体重') as HTMLInputElement).value).toBe('615')
  await userEvent.tab()
  await userEvent.keyboard('{Alt>}h{/Alt}')
  expect(await panel('备注')).toBeTruthy()
  expect(screen.queryByRole('complementary', { name: '体重：稽查轨迹' })).toBeNull()
  expect(document.activeElement).toBe(box('备注'))

  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('complementary', { name: /稽查轨迹/ })).toBeNull()
  expect(document.activeElement).toBe(box('备注'))
})

test('called by its button it has the focus, and gives it back to the button of the field that it showed last', async () => {
  atDesk()
  await open()
  await userEvent.click(box('备注'))
  await userEvent.keyboard('{Alt>}h{/Alt}')
  await panel('备注')
  await userEvent.click(historyOf('设备'))
  const shown = await panel('设备')
  expect(document.activeElement).toBe(shown)
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  expect(screen.queryByRole('complementary', { name: /稽查轨迹/ })).toBeNull()
  expect(document.activeElement).toBe(historyOf('设备'))
})

test('from the row of a table, which is a dialog, it opens over the row', async () => {
  atDesk()
  await open()
  await userEvent.click(screen.getByRole('button', { name: /桂枝/ }))
  await userEvent.click(await screen.findByRole('textbox', { name: '药名' }))
  await userEvent.keyboard('{Alt>}h{/Alt}')
  expect(await screen.findByRole('dialog', { name: /药名：稽查轨迹/ })).toBeTruthy()
  expect(screen.queryByRole('complementary', { name: /稽查轨迹/ })).toBeNull()
})

test('on a tablet it lies over the page until it is closed, and gives the focus back', async () => {
  await open()
  historyOf('设备').focus()
  await userEvent.click(historyOf('设备'))
  expect(await screen.findByRole('dialog', { name: '设备：稽查轨迹' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.activeElement).toBe(historyOf('设备'))
})
