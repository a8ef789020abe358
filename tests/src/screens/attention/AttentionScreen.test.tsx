import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { AttentionScreen } from '#src/screens/attention/AttentionScreen.tsx'
import { CENTER, CENTER_SCOPE, PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { conflictOn, held } from '#tests/src/data/support/conflicts.ts'
import { enrolled, entryRow, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

function look(at: Ward): void {
  show(
    <DeviceContext value={at.device}>
      <AttentionScreen />
    </DeviceContext>,
  )
}

test('what came back from the inbox says who returned it and why, shows what was entered, and leaves the list once it is noted', async () => {
  const user = userEvent.setup()
  const at = await ward()
  const patient = await enrolled(at)
  at.network.outcome = { outcome: 'inbox', reason: 'right_withdrawn' }
  const item = {
    table: null,
    rid: null,
    code: 'weight',
    base: held(null),
    to: held(70),
    isShow: 1 as const,
    reason: null,
  }
  await at.device.saveEntry(PROJECT, {
    target: target(patient.id),
    versionId: VERSION,
    items: [item],
    rows: [],
    journal: [],
    seen: null,
    progress: null,
  })
  await at.sync()
  const [key = ''] = [...at.network.booked.keys()]
  const when = '2026-11-21T09:00:00.000Z'
  const { userId, realName } = at.crc.owner
  const decision = { state: 'returned' as const, decidedByName: '许数据', decidedAt: when, note: '请在新中心录入' }
  const row = {
    id: key,
    call: 'entry.save' as const,
    reason: 'right_withdrawn' as const,
    author: userId,
    authorName: realName,
    entityId: entryId(target(patient.id)),
    centerId: CENTER,
    actedAt: when,
    receivedAt: when,
    ...decision,
  }
  await at.pulled(PROJECT, [{ kind: 'inbox', id: key, seq: 9, row }])

  look(at)
  expect(await screen.findByText('许数据 驳回：请在新中心录入')).toBeTruthy()
  expect(screen.queryByText('70')).toBeNull()
  await user.click(screen.getByRole('button', { name: '当时录入的内容：01-001 · 生命体征' }))
  expect(await screen.findByText('70')).toBeTruthy()
  expect(screen.getByRole('link', { name: '查看：01-001 · 生命体征' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '已阅' }))
  await waitFor(() => expect(screen.getByText('没有待处理的内容')).toBeTruthy())
})

test('a conflict leads to where it is decided', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  const id = entryId(target(patient.id))
  const conflict = conflictOn(id)
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 2, row: { ...entryRow(id, patient.id, { weight: 70 }), conflicts: 1 } },
    { kind: 'conflict', id: conflict.id, seq: 3, row: conflict },
  ])
  look(at)
  const link = await screen.findByRole('link', { name: '处理：01-001 · 生命体征 · 体重' })
  expect(link.getAttribute('href')).toBe(`/conflict/${id}/${conflict.id}?p=${PROJECT}`)
})

test('conflicts of rows and of whole pages are named by their place', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  const id = entryId(target(patient.id))
  const [first, second, gone] = [newId(), newId(), newId()]
  const option = JSON.stringify({
    column: [
      {
        prop: 'drugs',
        label: '用药',
        type: 'dynamic',
        children: { column: [{ prop: 'dose', label: '剂量', type: 'number' }] },
      },
    ],
  })
  const folder = {
    id: version.folders[0]?.id ?? '',
    folderName: '访视1',
    folderCode: 'V1',
    sort: 1,
    pages: [{ ...page, option }],
  }
  await at.pulled(PROJECT, [{ kind: 'version', id: VERSION, seq: 4, row: { ...version, folders: [folder] } }])
  const drugs = [
    { _rid: first, _ord: 'a' },
    { _rid: gone, _ord: 'b', _deleted: true },
    { _rid: second, _ord: 'c', dose: 5 },
  ]
  const places = [
    { table: 'drugs', rid: second, code: 'dose' },
    { table: 'drugs', rid: gone, code: '_deleted' },
    { table: null, rid: null, code: '_deleted' },
  ]
  const conflicts = places.map((place) => conflictOn(id, place))
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 2, row: { ...entryRow(id, patient.id, { drugs }), conflicts: 3 } },
    ...conflicts.map((row, no) => ({ kind: 'conflict' as const, id: row.id, seq: 3 + no, row })),
  ])
  look(at)
  await screen.findByRole('link', { name: '处理：01-001 · 生命体征 · 用药 · 第 2 行 · 剂量' })
  expect(screen.getByRole('link', { name: '处理：01-001 · 生命体征 · 用药 · 已删除的行' })).toBeTruthy()
  expect(screen.getByRole('link', { name: '处理：01-001 · 生命体征 · 整页记录' })).toBeTruthy()
})

test('of very many the first are drawn, and the others when somebody asks for them', async () => {
  const at = await ward()
  const patient = await enrolled(at)
  const id = entryId(target(patient.id))
  const conflicts = Array.from({ length: 60 }, () => conflictOn(id))
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 2, row: { ...entryRow(id, patient.id, { weight: 70 }), conflicts: 60 } },
    ...conflicts.map((row, no) => ({ kind: 'conflict' as const, id: row.id, seq: 3 + no, row })),
  ])
  look(at)
  expect(await screen.findAllByRole('listitem')).toHaveLength(50)
  await userEvent.click(screen.getByRole('button', { name: '再显示 10 项' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(60)
})
