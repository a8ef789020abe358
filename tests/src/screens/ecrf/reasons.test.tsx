import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { isEntryChange } from '#core/api/sync/operation.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession } from '#tests/src/support/session.ts'

/**
 * A page that was submitted before, changed on its screen: why is asked for calmly, and before it is submitted again.
 */

beforeAll(() => speak('zh'))

let at: Ward
let place: EcrfPlace
beforeEach(async () => {
  at = await ward()
  place = { projectId: PROJECT, patientId: (await enrolled(at)).id }
  const option = JSON.stringify({
    column: [
      { prop: 'weight', label: '体重', type: 'number' },
      { prop: 'note', label: '备注', type: 'input', required: true },
    ],
  })
  const folders = version.folders.map((folder) => ({
    ...folder,
    pages: folder.pages.map((page) => ({ ...page, option })),
  }))
  await at.pulled(PROJECT, [{ kind: 'version', id: VERSION, seq: 4, row: { ...version, folders } }])
  const id = entryId(target(place.patientId))
  const row = {
    ...entryRow(id, place.patientId, { weight: 61, note: '晨起' }),
    status: 'other' as const,
    submittedOnce: true,
    unexplained: [],
  }
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq: 12, row }])
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
  await screen.findByRole('textbox', { name: '备注' })
})

async function retype(name: string, text: string): Promise<void> {
  const box = screen.getByRole('textbox', { name })
  await userEvent.clear(box)
  await userEvent.type(box, text)
}

/** What is queued, in order: call, state, and the reasons that its items carry. */
async function queued(): Promise<readonly (readonly [string, string, readonly (string | null)[]])[]> {
  const rows = (await at.crc.storage.work.outbox.toArray()).toSorted((a, b) => a.seq - b.seq)
  return Promise.all(
    rows.map(async (row) => {
      const op = await openOperation(at.crc.author.ring, row)
      const items = op !== null && isEntryChange(op) ? op.body.items : []
      return [row.call, row.state, items.map(({ reason }) => reason?.code ?? null)] as const
    }),
  )
}

/** The same person's other tab enters another weight. */
async function enteredElsewhere(weight: number): Promise<void> {
  const content = (value: number) => ({ value, missing: null })
  const items = [
    {
      table: null,
      rid: null,
      code: 'weight',
      to: content(weight),
      base: content(62),
      isShow: 1 as const,
      reason: null,
    },
  ]
  const done = await at.device.saveEntry(PROJECT, {
    target: target(place.patientId),
    versionId: VERSION,
    items,
    rows: [],
    journal: [],
    seen: null,
    progress: null,
    submittedOnce: true,
  })
  expect(done.ok).toBe(true)
}

const dialog = async () => within(await screen.findByRole('dialog', { name: '说明修改原因' }))

test('a changed value is asked about with what it was and is; saying why once for all lets all of it go', async () => {
  await retype('体重', '62')
  await retype('备注', '餐后')
  await screen.findByText('2 项修改需要说明原因', {}, { timeout: 4000 })
  expect((await queued()).map(([, state]) => state)).toEqual(['reason'])
  await userEvent.click(screen.getByRole('button', { name: '说明原因' }))
  const asked = await dialog()
  const weight = within(asked.getByRole('group', { name: '体重：原因' }))
  expect(weight.getByText('61')).toBeTruthy()
  expect(weight.getByText('62')).toBeTruthy()

  await userEvent.click(asked.getByRole('button', { name: '保存原因' }))
  expect(asked.getByRole('alert').textContent).toBe('还有 2 项未说明原因')
  await userEvent.click(weight.getByRole('radio', { name: '其他' }))
  await userEvent.click(weight.getByRole('button', { name: '应用到全部 2 项' }))
  await userEvent.click(asked.getByRole('button', { name: '保存原因' }))
  expect(asked.getAllByText('选择“其他”时请填写说明')).toHaveLength(2)
  await userEvent.click(weight.getByRole('radio', { name: '转录错误' }))
  await userEvent.click(weight.getByRole('button', { name: '应用到全部 2 项' }))
  await userEvent.click(asked.getByRole('button', { name: '保存原因' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 4000 })
  await waitFor(() => expect(screen.queryByText(/需要说明原因/)).toBeNull(), { timeout: 4000 })
  expect(await queued()).toEqual([['entry.save', 'queued', ['transcription', 'transcription']]])
}, 30_000)

test('submitting asks first, and submits with the reasons', async () => {
  await retype('体重', '62')
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  const asked = await dialog()
  expect((await queued()).map(([call]) => call)).toEqual(['entry.save'])
  // The reason of an only change is all that is asked for.
  await userEvent.click(asked.getByRole('radio', { name: '获得新的源数据' }))
  await waitFor(
    async () =>
      expect((await queued()).map(([call, state]) => [call, state])).toEqual([
        ['entry.save', 'queued'],
        ['entry.submit', 'queued'],
      ]),
    { timeout: 4000 },
  )
  expect((await queued())[0]?.[2]).toEqual(['new_source'])
}, 30_000)

test('what the other tab enters while reasons are given asks anew before the page is submitted, with what was said kept', async () => {
  await retype('体重', '62')
  await retype('备注', '餐后')
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  const asked = await dialog()
  const weight = () => within(asked.getByRole('group', { name: '体重：原因' }))
  await userEvent.click(weight().getByRole('radio', { name: '其他' }))
  await userEvent.type(weight().getByRole('textbox'), '秤已校准')
  await userEvent.click(
    within(asked.getByRole('group', { name: '备注：原因' })).getByRole('radio', { name: '转录错误' }),
  )
  await enteredElsewhere(63)

  await userEvent.click(asked.getByRole('button', { name: '保存原因并提交' }))
  await waitFor(() => expect(weight().getByText('63')).toBeTruthy(), { timeout: 4000 })
  expect(asked.getByText(/本页又有修改/)).toBeTruthy()
  expect(asked.queryByRole('group', { name: '备注：原因' })).toBeNull()
  expect((weight().getByRole('textbox') as HTMLInputElement).value).toBe('秤已校准')
  expect((await queued()).map(([call, state]) => [call, state])).toEqual([['entry.save', 'reason']])

  await userEvent.click(asked.getByRole('button', { name: '保存原因并提交' }))
  await waitFor(
    async () =>
      expect((await queued()).map(([call, state]) => [call, state])).toEqual([
        ['entry.save', 'queued'],
        ['entry.submit', 'queued'],
      ]),
    { timeout: 4000 },
  )
  expect(new Set((await queued())[0]?.[2])).toEqual(new Set(['other', 'transcription']))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 4000 })
}, 30_000)

test('what a colleague changed without a reason while reasons were given is asked about before the page is submitted', async () => {
  await retype('体重', '62')
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  const asked = await dialog()
  await userEvent.click(asked.getByRole('button', { name: '补充说明' }))
  await userEvent.click(asked.getByRole('radio', { name: '获得新的源数据' }))
  const id = entryId(target(place.patientId))
  const listed = {
    table: null,
    rid: null,
    code: 'note',
    by: crypto.randomUUID(),
    byName: '李四',
    at: '2026-11-21T09:00:00.000Z',
  }
  const row = {
    ...entryRow(id, place.patientId, { weight: 61, note: '睡前' }, 2),
    status: 'other' as const,
    submittedOnce: true,
    unexplained: [listed],
  }
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq: 13, row }])

  await userEvent.click(asked.getByRole('button', { name: '保存原因并提交' }))
  const note = within(await asked.findByRole('group', { name: '备注：原因' }, { timeout: 4000 }))
  expect(note.getByText('睡前')).toBeTruthy()
  // What was asked a moment ago is not what this answer is missing from.
  expect(asked.queryByRole('alert')).toBeNull()
  await userEvent.click(note.getByRole('radio', { name: '经研究者澄清' }))
  await waitFor(async () => expect((await queued()).map(([call]) => call).at(-1)).toBe('entry.submit'), {
    timeout: 4000,
  })
  expect(new Set((await queued()).slice(0, -1).flatMap(([, , reasons]) => reasons))).toEqual(
    new Set(['new_source', 'clarification']),
  )
}, 30_000)

test('a page that a colleague’s change made incomplete while reasons were given is not submitted, and says so; the reasons are kept', async () => {
  await retype('体重', '62')
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  const asked = await dialog()
  await userEvent.click(asked.getByRole('button', { name: '补充说明' }))
  await userEvent.click(asked.getByRole('radio', { name: '获得新的源数据' }))
  const id = entryId(target(place.patientId))
  const row = {
    ...entryRow(id, place.patientId, { weight: 61 }, 2),
    status: 'other' as const,
    submittedOnce: true,
    unexplained: [],
  }
  await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id, seq: 15, row }])
  await waitFor(
    () => expect((screen.getByRole('textbox', { name: '备注', hidden: true }) as HTMLInputElement).value).toBe(''),
    { timeout: 4000 },
  )

  await userEvent.click(asked.getByRole('button', { name: '保存原因并提交' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 4000 })
  await screen.findByRole('alert', {}, { timeout: 4000 })
  expect(await queued()).toEqual([['entry.save', 'queued', ['new_source']]])
}, 30_000)

test('emptying the page says how much goes, and asks of each why, as if a hand had emptied it', async () => {
  await userEvent.click(screen.getByRole('button', { name: '清空本页' }))
  const asked = within(await screen.findByRole('dialog', { name: '清空本页？' }))
  expect(asked.getByText(/本页已填的 2 项（含表格行和附件）将全部清空/)).toBeTruthy()
  await userEvent.click(asked.getByRole('button', { name: '清空' }))
  await screen.findByText('2 项修改需要说明原因', {}, { timeout: 4000 })
  expect(['体重', '备注'].map((name) => (screen.getByRole('textbox', { name }) as HTMLInputElement).value)).toEqual([
    '',
    '',
  ])
  expect((await queued()).map(([call, state]) => [call, state])).toEqual([['entry.save', 'reason']])
}, 30_000)

test('a value that is typed back is asked about no more', async () => {
  await retype('体重', '62')
  await screen.findByText('1 项修改需要说明原因', {}, { timeout: 4000 })
  await retype('体重', '61')
  await waitFor(() => expect(screen.queryByText(/需要说明原因/)).toBeNull(), { timeout: 4000 })
  expect((await queued()).map(([, state]) => state)).toEqual(['queued'])
}, 30_000)
