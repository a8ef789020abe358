import '#tests/src/data/support/indexedDb.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { AuditLine } from '#core/api/calls/sync.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { EntryScreen } from '#src/screens/ecrf/page/EntryScreen.tsx'
import { PatientTrailScreen } from '#src/screens/ecrf/trail/PatientTrailScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { CENTER_SCOPE, FOLDER, PAGE, PROJECT, VERSION, target } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, page, project, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { syncState } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'
import { closedSession, openAs } from '#tests/src/support/session.ts'

/** The log of a patient and of a field on the screen: what this tablet knows, and what the server tells. */

beforeAll(() => speak('zh'))

const ROW = newId()
const option = JSON.stringify({
  column: [
    { prop: 'weight', label: '体重', type: 'number', zl: { unit: 'kg' } },
    { prop: 'note', label: '备注', type: 'input' },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: { column: [{ prop: 'drug', label: '药名', type: 'input' }] },
    },
  ],
})

/** The same page stands in every visit. */
const visit = (folder: string, folderName: string, sort: number) => ({
  id: folder,
  folderName,
  folderCode: `V${sort}`,
  sort,
  pages: [{ ...page, option }],
})

let at: Ward
let place: EcrfPlace
let id: string
beforeEach(async () => {
  at = await ward()
  place = { projectId: PROJECT, patientId: (await enrolled(at)).id }
  id = entryId(target(place.patientId))
  await at.pulled(PROJECT, [
    { kind: 'project', id: PROJECT, seq: 29, row: { ...project, permissions: [...project.permissions, 'audit_view'] } },
  ])
  await at.pulled(PROJECT, [
    {
      kind: 'version',
      id: VERSION,
      seq: 30,
      row: { ...version, folders: [visit(FOLDER, '访视1', 1), visit(newId(), '访视2', 2)] },
    },
  ])
  const drugs = [
    { _rid: newId(), _ord: 'a', drug: '桂枝' },
    { _rid: ROW, _ord: 'b', drug: '甘草' },
  ]
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 12, row: entryRow(id, place.patientId, { weight: 61, note: '晨起', drugs }) },
  ])
})

interface Asked {
  readonly id: string
  readonly query: Readonly<Record<string, string | number | undefined>>
}

/** The screen of somebody with a network, whose server has these lines; gives what it was asked. */
function online(lines: readonly AuditLine[]): {
  readonly session: Session
  readonly device: Ward['device']
  readonly asked: Asked[]
} {
  const asked: Asked[] = []
  const call = (async (of: string, input: { query: Asked['query'] }) => {
    asked.push({ id: of, query: input.query })
    const from = lines.findIndex(({ seq, ord }) => `${seq}.${ord}` === input.query['before']) + 1
    const records = lines.slice(from, from + Number(input.query['size']))
    return ok({ records, total: lines.length, size: records.length, current: 1, pages: 1 })
  }) as unknown as Session['call']
  const user = { userId: at.crc.owner.userId, account: 'lin', realName: '林协调', isAdmin: false }
  const current = openAs(user)
  return {
    session: { ...closedSession(), current, call },
    device: { ...at.device, syncState: () => Promise.resolve(ok(syncState())) },
    asked,
  }
}

function look(path: string, session: Session = closedSession(), device: Ward['device'] = at.device): void {
  show(
    <SessionContext value={session}>
      <DeviceContext value={device}>
        <Routes>
          <Route element={<Outlet context={place} />}>
            <Route path="/log" element={<PatientTrailScreen />} />
            <Route path="/:entryId" element={<EntryScreen />} />
          </Route>
        </Routes>
      </DeviceContext>
    </SessionContext>,
    path,
  )
}

let seq = 1000
function line(facts: Partial<AuditLine>): AuditLine {
  seq -= 1
  return {
    id: newId(),
    seq,
    ord: 0,
    action: 'item.update',
    call: 'entry.save',
    opKey: null,
    centerId: null,
    patientId: place.patientId,
    entryId: id,
    place: { folderId: FOLDER, folderRepeat: '0', pageId: PAGE, pageRepeat: '0' },
    table: null,
    rid: null,
    rowNo: null,
    prop: 'weight',
    versionId: VERSION,
    pass: 1,
    oldValue: { value: 61, missing: null },
    newValue: { value: 62, missing: null },
    reasonCode: null,
    reasonText: null,
    userId: newId(),
    userName: '吴护士',
    role: 'CRC',
    carriedBy: null,
    deviceId: null,
    occurredAt: '2026-11-21T08:00:00.000Z',
    occurredOffsetMinutes: 480,
    clockDriftMs: 90_000,
    receivedAt: '2026-11-21T09:30:00.000Z',
    appVersion: '1',
    redacted: false,
    ...facts,
  }
}

/** The rows of the patient's log. */
async function rowsOfLog(): Promise<readonly HTMLElement[]> {
  await screen.findAllByRole('rowheader')
  return screen.getAllByRole('row').filter(({ dataset }) => dataset['row'] !== undefined)
}

async function dialogOf(label: string) {
  await userEvent.click(await screen.findByRole('button', { name: `${label}：更多操作` }))
  await userEvent.click(await screen.findByRole('button', { name: '稽查轨迹' }))
  return within(await screen.findByRole('dialog', { name: `${label}：稽查轨迹` }))
}

test('a field’s clock shows what this tablet changed and has not sent, and that the rest needs the network', async () => {
  look(`/${id}`)
  const box = await screen.findByRole('textbox', { name: '体重' })
  await userEvent.clear(box)
  await userEvent.type(box, '62')
  await userEvent.tab()
  await waitFor(async () => expect(await at.crc.storage.work.outbox.count()).toBe(1), { timeout: 4000 })
  const dialog = await dialogOf('体重')
  const entry = within(await dialog.findByRole('listitem'))
  expect(entry.getByText('仅存本机')).toBeTruthy()
  expect(entry.getByText('61 kg')).toBeTruthy()
  expect(entry.getByText('62 kg')).toBeTruthy()
  expect(entry.getByText(at.crc.owner.realName)).toBeTruthy()
  expect(await dialog.findByText(/仅为本机尚未发送的修改/)).toBeTruthy()
}, 30_000)

test('another field’s log has nothing of it', async () => {
  look(`/${id}`)
  const box = await screen.findByRole('textbox', { name: '体重' })
  await userEvent.clear(box)
  await userEvent.type(box, '62')
  await userEvent.tab()
  await waitFor(async () => expect(await at.crc.storage.work.outbox.count()).toBe(1), { timeout: 4000 })
  const dialog = await dialogOf('备注')
  await dialog.findByText(/本机没有尚未发送的修改|仅为本机尚未发送的修改/)
  expect(dialog.queryByRole('listitem')).toBeNull()
}, 30_000)

test('with a network it shows the server’s lines of that field: old and new, who, when on both clocks, why', async () => {
  const { session, device, asked } = online([line({ reasonCode: 'other', reasonText: '换秤复测' })])
  look(`/${id}`, session, device)
  const dialog = await dialogOf('体重')
  const entry = within(await dialog.findByRole('listitem'))
  expect([
    entry.getByText('61 kg'),
    entry.getByText('62 kg'),
    entry.getByText('吴护士 · 临床研究协调员（CRC）'),
    entry.getByText(/其他 · 换秤复测/),
  ]).toHaveLength(4)
  expect(entry.getByText(/^设备时间 2026-11-21/)).toBeTruthy()
  expect(entry.getByText(/^服务器接收 2026-11-21/)).toBeTruthy()
  expect(entry.getByText(/设备时钟快 2 分钟/)).toBeTruthy()
  expect(asked.at(-1)).toMatchObject({ id: 'audit.field', query: { projectId: PROJECT, prop: 'weight' } })
}, 30_000)

test('the patient’s log names visit, page, field and row, marks what followed by itself, and leads to the exact field', async () => {
  const { session, device } = online([
    line({
      table: 'drugs',
      rid: ROW,
      rowNo: 2,
      prop: 'drug',
      oldValue: { value: null, missing: null },
      newValue: { value: '甘草', missing: null },
    }),
    line({ action: 'item.calculate' }),
    line({
      action: 'row.delete',
      table: 'drugs',
      rid: newId(),
      prop: null,
      oldValue: { deleted: false, order: 'a' },
      newValue: { deleted: true, order: 'a' },
      reasonCode: 'not_given',
    }),
    line({ action: 'entry.submit', prop: null, oldValue: 'process', newValue: 'other' }),
    line({ action: 'conflict.open' }),
    line({
      action: 'attachment.store',
      prop: 'note',
      oldValue: null,
      newValue: { id: newId(), name: '舌象.bmp', size: 3 },
    }),
    line({ action: 'patient.update', prop: 'sex', entryId: null, place: null, oldValue: 'F', newValue: 'M' }),
  ])
  look('/log', session, device)
  const [inRow, calculated, deleted, submitted, conflict, file, sex] = await rowsOfLog()
  expect(inRow?.textContent).toContain('访视1 · 生命体征 · 用药 · 第 2 行 · 药名')
  expect(inRow?.textContent).toContain('原值未填写新值甘草')
  const link = within(inRow as HTMLElement).getByRole('link')
  expect(link.getAttribute('href')).toBe(`/eCRF/${place.patientId}/page/${id}?p=${PROJECT}&field=drugs.${ROW}.drug`)
  expect(calculated?.textContent).toContain('自动计算自动')
  expect(deleted?.textContent).toContain('用药 · 已删除的行')
  expect(deleted?.textContent).toContain('未说明原因')
  expect(deleted?.textContent).not.toContain('原值')
  expect(submitted?.textContent).toContain('原值填写中新值已提交')
  expect(conflict?.textContent).toContain('当前值61 kg未采用的值62 kg')
  expect(file?.textContent).toContain('新值舌象.bmp')
  expect(sex?.textContent).toContain('性别')
  expect(sex?.textContent).toContain('原值女新值男')
}, 30_000)

/** A later release: what was called the weight is called a note, and the weight is now another field's code. */
const NEXT = newId()
const swapped = JSON.stringify({
  column: [
    { prop: 'note', label: '体重', type: 'number', zl: { unit: 'kg' } },
    { prop: 'weight', label: '依从性', type: 'radio', dicData: [{ label: '好', value: '61' }] },
    {
      prop: 'herbs',
      label: '中药',
      type: 'dynamic',
      children: { column: [{ prop: 'herb', label: '药材', type: 'input' }] },
    },
  ],
})

async function released(): Promise<void> {
  const [one] = [visit(FOLDER, '访视1', 1)]
  const fields = [
    { pageId: PAGE, table: null, from: 'weight', to: 'note' },
    { pageId: PAGE, table: null, from: 'drugs', to: 'herbs' },
    { pageId: PAGE, table: 'drugs', from: 'drug', to: 'herb' },
  ]
  const next = {
    ...version,
    id: NEXT,
    versionNo: 2,
    versionNoDesc: 'V2',
    migrates: true,
    broughtFrom: { versionId: VERSION, fields },
    folders: [{ ...one, pages: [{ ...page, option: swapped }] }],
  }
  await at.pulled(PROJECT, [{ kind: 'version', id: NEXT, seq: 40, row: next }])
  const values = { note: 62, weight: '61', herbs: [{ _rid: ROW, _ord: 'b', herb: '甘草' }] }
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 41, row: { ...entryRow(id, place.patientId, values, 2), versionId: NEXT } },
  ])
}

test('after a release each line is named by the field that its code meant then, in the words of then, and leads to where that is now', async () => {
  await released()
  const { session, device } = online([
    line({ fieldVersionId: VERSION, now: { table: null, prop: 'note' } }),
    line({
      table: 'drugs',
      rid: ROW,
      rowNo: 1,
      prop: 'drug',
      fieldVersionId: VERSION,
      now: { table: 'herbs', prop: 'herb' },
      oldValue: { value: null, missing: null },
      newValue: { value: '甘草', missing: null },
    }),
    line({
      action: 'item.retire',
      versionId: NEXT,
      prop: 'note',
      fieldVersionId: VERSION,
      now: null,
      newValue: { value: '晨起', missing: null },
    }),
    line({
      versionId: NEXT,
      fieldVersionId: NEXT,
      now: { table: null, prop: 'weight' },
      oldValue: { value: null, missing: null },
      newValue: { value: '61', missing: null },
    }),
  ])
  look('/log', session, device)
  const [weight, drug, retired, compliance] = await rowsOfLog()
  expect(weight?.textContent).toContain('访视1 · 生命体征 · 体重')
  expect(weight?.textContent).toContain('原值61 kg新值62 kg')
  const linkOf = (entry: HTMLElement | undefined) =>
    within(entry as HTMLElement)
      .getByRole('link')
      .getAttribute('href')
  const there = `/eCRF/${place.patientId}/page/${id}?p=${PROJECT}`
  expect(linkOf(weight)).toBe(`${there}&field=note`)
  expect(drug?.textContent).toContain('用药 · 第 1 行 · 药名')
  expect(linkOf(drug)).toBe(`${there}&field=herbs.${ROW}.herb`)
  expect(retired?.textContent).toContain('生命体征 · 备注')
  expect(linkOf(retired)).toBe(there)
  expect(compliance?.textContent).toContain('依从性')
  expect(compliance?.textContent).toContain('新值好')
}, 30_000)

test('of what a release brought along, the old value is in the words of the version before, the new one in those of the release', async () => {
  const options = (answers: readonly (readonly [value: string, label: string])[]) =>
    answers.map(([value, label]) => ({ value, label }))
  const radio = (prop: string, answers: readonly (readonly [string, string])[]) =>
    JSON.stringify({ column: [{ prop, label: '依从性', type: 'radio', dicData: options(answers) }] })
  const [folder] = [visit(FOLDER, '访视1', 1)]
  const made = (versionId: string, no: number, option: string) => ({
    ...version,
    id: versionId,
    versionNo: no,
    versionNoDesc: `V${no}`,
    folders: [{ ...folder, pages: [{ ...page, option }] }],
  })
  // What was written as 1 is written as 2 now, and the other way about.
  await at.pulled(PROJECT, [
    {
      kind: 'version',
      id: VERSION,
      seq: 40,
      row: made(
        VERSION,
        1,
        radio('compliance', [
          ['1', '好'],
          ['2', '差'],
          ['3', '不详'],
        ]),
      ),
    },
  ])
  await at.pulled(PROJECT, [
    {
      kind: 'version',
      id: NEXT,
      seq: 41,
      row: made(
        NEXT,
        2,
        radio('adherence', [
          ['1', '差'],
          ['2', '好'],
        ]),
      ),
    },
  ])
  const migrated = {
    versionId: NEXT,
    fieldVersionId: NEXT,
    prop: 'adherence',
    now: { table: null, prop: 'adherence' },
    former: { versionId: VERSION, table: null, prop: 'compliance' },
  }
  const { session, device } = online([
    line({
      ...migrated,
      action: 'item.migrate',
      oldValue: { value: '1', missing: null },
      newValue: { value: '2', missing: null },
    }),
    line({
      ...migrated,
      action: 'item.unconverted',
      oldValue: { value: '3', missing: null },
      newValue: { value: '3', missing: null },
    }),
  ])
  look('/log', session, device)
  const [moved, kept] = await rowsOfLog()
  expect(moved?.textContent).toContain('原值好新值好')
  expect(kept?.textContent).toContain('原值不详新值3')
  cleanup()
  look('/log', session, { ...device, versionsById: () => Promise.resolve(ok([])) })
  // The choices of another version are never read into it.
  expect((await rowsOfLog())[0]?.textContent).toContain('原值1新值好')
}, 30_000)

test('and its file names them alike', async () => {
  await released()
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob)
    return 'blob:log'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { session, device } = online([line({ fieldVersionId: VERSION, now: { table: null, prop: 'note' } })])
  look('/log', session, device)
  await userEvent.click(await screen.findByRole('button', { name: '下载 CSV' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await saved[0]?.text()).toContain('访视1,生命体征,体重,weight,1,61 kg,62 kg')
}, 30_000)

test('a line whose version cannot be had now goes by its code, never by another field', async () => {
  const { session, device } = online([line({ fieldVersionId: newId(), now: { table: null, prop: 'note' } })])
  const gone = { ...device, versionsById: () => Promise.resolve(ok([])) }
  look('/log', session, gone)
  const [one] = await rowsOfLog()
  expect(one?.textContent).toContain('生命体征 · weight')
}, 30_000)

test('the log of a field is asked for by its code in the version on screen', async () => {
  await released()
  const { session, device, asked } = online([line({ fieldVersionId: VERSION, now: { table: null, prop: 'note' } })])
  look(`/${id}`, session, device)
  const dialog = await dialogOf('体重')
  expect((await dialog.findByRole('listitem')).textContent).toContain('61 kg')
  expect(asked.at(-1)).toMatchObject({ id: 'audit.field', query: { prop: 'note', versionId: NEXT } })
}, 30_000)

test('what this tablet has not sent is named by the version under which it was entered', async () => {
  look(`/${id}`)
  const box = await screen.findByRole('textbox', { name: '体重' })
  await userEvent.clear(box)
  await userEvent.type(box, '62')
  await userEvent.tab()
  await waitFor(async () => expect(await at.crc.storage.work.outbox.count()).toBe(1), { timeout: 4000 })
  cleanup()
  await released()
  look('/log')
  const [unsent] = await rowsOfLog()
  expect(unsent?.textContent).toContain('体重')
  expect(unsent?.textContent).toContain('原值61 kg新值62 kg')
  expect(
    within(unsent as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(`/eCRF/${place.patientId}/page/${id}?p=${PROJECT}&field=note`)
}, 30_000)

test('and is in the log of its field, whatever a release calls that since, and in no other field’s', async () => {
  look(`/${id}`)
  const box = await screen.findByRole('textbox', { name: '体重' })
  await userEvent.clear(box)
  await userEvent.type(box, '62')
  await userEvent.tab()
  await waitFor(async () => expect(await at.crc.storage.work.outbox.count()).toBe(1), { timeout: 4000 })
  cleanup()
  await released()
  look(`/${id}`)
  const weight = await dialogOf('体重')
  expect((await weight.findByRole('listitem')).textContent).toContain('原值61 kg新值62 kg')
  await userEvent.keyboard('{Escape}')
  const compliance = await dialogOf('依从性')
  await compliance.findByText(/本机没有尚未发送的修改|仅为本机尚未发送的修改/)
  expect(compliance.queryByRole('listitem')).toBeNull()
}, 30_000)

test('a tap on a line tells all of it beside the log: both clocks, both values, why', async () => {
  const { session, device } = online([line({ reasonCode: 'other', reasonText: '换秤复测' })])
  look('/log', session, device)
  const [row] = await rowsOfLog()
  expect(row?.textContent).toContain('其他 · 换秤复测')
  await userEvent.click(within(row as HTMLElement).getByText(/^吴护士/))
  const panel = within(screen.getByRole('complementary', { name: '修改' }))
  expect([
    panel.getByText('61 kg'),
    panel.getByText('62 kg'),
    panel.getByText(/其他 · 换秤复测/),
    panel.getByText(/^设备时间 2026-11-21/),
    panel.getByText(/^服务器接收 2026-11-21/),
    panel.getByText(/设备时钟快 2 分钟/),
  ]).toHaveLength(6)
}, 30_000)

test('it is narrowed at the server, and read on from its last line', async () => {
  const { session, device, asked } = online(
    Array.from({ length: 60 }, (_, no) => line({ newValue: { value: no, missing: null } })),
  )
  look('/log', session, device)
  // The header is a row too.
  const count = () => screen.queryByRole('grid', { name: '稽查轨迹' })?.getAttribute('aria-rowcount')
  await waitFor(() => expect(count()).toBe('51'))
  expect(screen.getByText('共 60 条')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '更早的记录' }))
  await waitFor(() => expect(count()).toBe('61'))
  expect(screen.queryByRole('button', { name: '更早的记录' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '筛选' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '仅看未说明原因的' }))
  await userEvent.click(screen.getByRole('button', { name: '接收日期从' }))
  await userEvent.type(screen.getByRole('textbox', { name: '接收日期从' }), '20261120')
  await waitFor(() =>
    expect(asked.at(-1)?.query).toMatchObject({
      patientId: place.patientId,
      unexplained: '1',
      from: new Date('2026-11-20T00:00:00').toISOString(),
    }),
  )
  expect(asked.at(-1)?.query['before']).toBeUndefined()
}, 30_000)

test('the file holds all of it, both values, and nothing that a spreadsheet would run', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob)
    return 'blob:log'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { session, device } = online(
    Array.from({ length: 501 }, (_, no) =>
      line({
        prop: 'note',
        newValue: { value: no === 500 ? '=1+1' : 'a', missing: null },
        reasonCode: 'transcription',
      }),
    ),
  )
  look('/log', session, device)
  await userEvent.click(await screen.findByRole('button', { name: '下载 CSV' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  const rows = (await saved[0]?.text())?.trim().split('\r\n') ?? []
  expect(rows).toHaveLength(502)
  expect(rows.at(-1)).toContain(
    "2026-11-21T09:30:00.000Z,2026-11-21T08:00:00.000Z,480,90000,吴护士,临床研究协调员（CRC）,修改,访视1,生命体征,备注,note,1,61,'=1+1,转录错误,",
  )
}, 30_000)

test('whom a patient is assigned to is told by name, before and after', async () => {
  const [member, other] = [newId(), newId()]
  const row = {
    userId: newId(),
    userRole: 'DBD',
    userRoleName: '数据管理员',
    status: 'active',
    lastLoginTime: null,
  } as const
  await at.pulled(PROJECT, [
    { kind: 'member', id: member, seq: 31, row: { ...row, id: member, realName: '许数据' } },
    { kind: 'member', id: other, seq: 32, row: { ...row, id: other, userId: newId(), realName: '钱经理' } },
  ])
  const assigned = {
    action: 'patient.members',
    call: 'patient.memberSave',
    entryId: null,
    place: null,
    prop: null,
  } as const
  const { session, device } = online([
    line({ ...assigned, oldValue: [member], newValue: { members: [member, other], notify: true } }),
    line({ ...assigned, oldValue: [], newValue: { members: [member] } }),
  ])
  look('/log', session, device)
  await screen.findByText('许数据、钱经理')
  const [second, first] = (await rowsOfLog()).map(({ textContent }) => textContent)
  expect(second).toMatch(/原值许数据新值许数据、钱经理/)
  expect(first).toMatch(/原值未填写新值许数据/)
})
