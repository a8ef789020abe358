import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ok } from '#core/result.ts'
import { entryId } from '#core/derivedIds.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, FOLDER, PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, page, project, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { syncState } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

import { ReviewServer } from './reviewServer.ts'

/** A monitor compares a page with the source, by keys and by taps. */

const option = JSON.stringify({
  column: [
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'pulse', label: '脉搏', type: 'number' },
    { prop: 'bmi', label: '指数', type: 'number', zl: { calculate: 'page.weight * 2.0' } },
    { prop: 'note', label: '备注', type: 'input' },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          { prop: 'dose', label: '剂量', type: 'number' },
        ],
      },
    },
  ],
})
const VALUES = {
  weight: 61,
  pulse: 72,
  drugs: [{ _rid: 'r1', _ord: 'a', drug: '桂枝', dose: 9 }],
}
const field = (code: string) => ({ table: null, rid: null, code })
const inRow = (code: string) => ({ table: 'drugs', rid: 'r1', code })

let at: Ward
let place: EcrfPlace
let server: ReviewServer

beforeAll(() => speak('zh'))

beforeEach(async () => {
  at = await ward()
  place = { projectId: PROJECT, patientId: (await enrolled(at)).id }
  const folders = [{ id: FOLDER, folderName: '访视1', folderCode: 'V1', sort: 1, pages: [{ ...page, option }] }]
  const asMonitor = { ...project, role: 'CRA', permissions: ['query_add', 'query_close', 'sdv_verify'] } as const
  await at.pulled(PROJECT, [
    { kind: 'version', id: VERSION, seq: 30, row: { ...version, folders } },
    { kind: 'project', id: PROJECT, seq: 31, row: { ...asMonitor, permissions: [...asMonitor.permissions] } },
  ])
  const id = entryId(target(place.patientId))
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq: 12, row: entryRow(id, place.patientId, VALUES) }])
  server = new ReviewServer(id, [field('weight'), field('pulse'), inRow('drug'), inRow('dose')])
})

afterEach(() => {
  vi.restoreAllMocks()
})

async function open(reachable = true): Promise<void> {
  show(
    <SessionContext value={server.session(reachable)}>
      <DeviceContext value={{ ...at.device, syncState: async () => ok(syncState({ reachable })) }}>
        <Routes>
          <Route element={<Outlet context={place} />}>
            <Route path="/:entryId" element={<EntryScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    `/${server.entryId}`,
  )
  await screen.findByText('体重')
}

const mark = (name: RegExp | string) => screen.findByRole('button', { name })
const focused = () => document.activeElement?.getAttribute('aria-label')

test('each field has its mark; the keys go from field to field, verify, and go to the next that is due', async () => {
  await open()
  const weight = await mark('体重：源数据核查，待核查')
  await waitFor(() => expect(document.activeElement).toBe(weight))
  expect(screen.getByText('源数据核查 0/4')).toBeTruthy()
  // The data manager's track is shown, and is no button.
  expect(screen.queryByRole('button', { name: /数据审核/ })).toBeNull()

  await userEvent.keyboard('v')
  expect(focused()).toBe('脉搏：源数据核查，待核查')
  await mark('体重：源数据核查，已核查')
  expect(server.deeds).toMatchObject([
    { track: 'sdv', act: 'verify', method: 'onSite', items: [{ code: 'weight', seen: { value: 61, missing: null } }] },
  ])
  expect(screen.getByText('源数据核查 1/4')).toBeTruthy()

  await userEvent.keyboard('{ArrowDown}')
  expect(focused()).toBe('指数：源数据核查，自动计算，无需核查')
  await userEvent.keyboard('v')
  expect(screen.getByText('该字段已核查或免核查。')).toBeTruthy()
  expect(server.deeds).toHaveLength(1)
})

test('the whole page is verified by one key, and what is asked about is left out', async () => {
  await open()
  await waitFor(() => expect(focused()).toBe('体重：源数据核查，待核查'))
  await userEvent.keyboard('{ArrowDown}q')
  const dialog = await screen.findByRole('dialog', { name: '脉搏：提出质疑' })
  await userEvent.type(within(dialog).getByRole('textbox', { name: '问题' }), '请核对')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const button = await mark(/本页全部核查（跳过 1 项有质疑）/)
  expect(button).toBeTruthy()
  await userEvent.keyboard('{Shift>}V{/Shift}')
  expect(await screen.findByText('已核查 3 项，跳过有质疑的 1 项。')).toBeTruthy()
  expect(server.stateOf('sdv', 'pulse')).toBeNull()
  expect(server.stateOf('sdv', 'drugs.r1.dose')).toBe('verified')
})

test('to take back asks why, and what was typed stays where the right is gone meanwhile', async () => {
  server.mark('sdv', 'weight', 'verified')
  await open()
  await userEvent.click(await mark('体重：源数据核查，已核查'))
  const dialog = await screen.findByRole('dialog', { name: '撤销核查：体重' })
  await userEvent.click(within(dialog).getByRole('button', { name: '撤销核查' }))
  expect(within(dialog).getByText('请填写原因。')).toBeTruthy()
  const box = within(dialog).getByRole('textbox', { name: /原因/ })
  await userEvent.type(box, '看错了病历')
  server.failsWith = { code: 'forbidden' }
  await userEvent.click(within(dialog).getByRole('button', { name: '撤销核查' }))
  expect(await within(dialog).findByRole('alert')).toBeTruthy()
  expect((box as HTMLTextAreaElement).value).toBe('看错了病历')

  server.failsWith = null
  await userEvent.click(within(dialog).getByRole('button', { name: '撤销核查' }))
  await mark('体重：源数据核查，已撤销核查')
  expect(server.deeds.at(-1)).toMatchObject({ act: 'unverify', note: '看错了病历', method: null })
})

test('a value that was changed meanwhile is named, and stays to be verified', async () => {
  await open()
  server.refuses.set('weight', 'value')
  await userEvent.click(await mark('体重：源数据核查，待核查'))
  expect(await screen.findByText('1 项已被修改，请重新查看：体重')).toBeTruthy()
  expect(await mark('体重：源数据核查，待核查')).toBeTruthy()
})

test('a row is verified as a whole from its line, and field by field where it is open', async () => {
  await open()
  const row = await mark('用药第 1 行：源数据核查，待核查 0/2')
  await userEvent.click(screen.getByRole('button', { name: /桂枝/ }))
  const dialog = await screen.findByRole('dialog', { name: /用药/ })
  await userEvent.click(within(dialog).getByRole('button', { name: '药名：源数据核查，待核查' }))
  await within(dialog).findByRole('button', { name: '药名：源数据核查，已核查' })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(row.getAttribute('aria-label')).toBe('用药第 1 行：源数据核查，部分核查 1/2')
  row.focus()
  await userEvent.keyboard('v')
  await mark('用药第 1 行：源数据核查，已全部核查 2/2')
  expect(server.deeds.at(-1)?.items.map(({ code }) => code)).toEqual(['dose'])
})

test('without a network it says so, and shows no mark', async () => {
  await open(false)
  expect(await screen.findByText('核查需要联网，离线时不显示核查标记。')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /源数据核查/ })).toBeNull()
})

test('the keys are listed under the question mark', async () => {
  await open()
  await mark('体重：源数据核查，待核查')
  await userEvent.keyboard('?')
  expect(await screen.findByRole('dialog', { name: '核查快捷键' })).toBeTruthy()
})

test('of a project that is paused the marks are shown, and nothing is offered', async () => {
  server.mark('sdv', 'weight', 'verified')
  const asMonitor = { ...project, role: 'CRA', projectStatus: 'stop' } as const
  await at.pulled(PROJECT, [
    {
      kind: 'project',
      id: PROJECT,
      seq: 32,
      row: { ...asMonitor, permissions: ['query_add', 'query_close', 'sdv_verify'] },
    },
  ])
  await open()
  expect(await screen.findByText('项目未在进行中，不能核查；核查标记仍可查看。')).toBeTruthy()
  expect(await screen.findByText('源数据核查 1/4')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /本页全部核查|源数据核查/ })).toBeNull()
  await userEvent.keyboard('{Shift>}V{/Shift}vu')
  expect(server.deeds).toEqual([])
})
