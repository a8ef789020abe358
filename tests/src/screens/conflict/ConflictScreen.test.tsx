import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeAll, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ConflictRow, EntryRow, VersionRow } from '#core/api/sync/rows.ts'
import { conflictPath } from '#src/paths/screenPaths.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { ConflictScreen } from '#src/screens/conflict/ConflictScreen.tsx'
import { CENTER_SCOPE, PROJECT, target } from '#tests/offline/support/tablet.ts'
import { conflictOn, held } from '#tests/src/data/support/conflicts.ts'
import { enrolled, entryRow, page, project, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Deciding a conflict at a tablet without a network, as a person sees it. */

beforeAll(() => speak('zh'))

const option = JSON.stringify({
  column: [
    { prop: 'weight', label: '体重', type: 'number', zl: { unit: 'kg' } },
    {
      prop: 'ccs',
      label: 'CCS 分级',
      type: 'radio',
      dicData: [
        { label: 'Ⅰ 级', value: '1' },
        { label: 'Ⅱ 级', value: '2' },
        { label: 'Ⅲ 级', value: '3' },
      ],
    },
    {
      prop: 'drugs',
      label: '合并用药',
      type: 'dynamic',
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          { prop: 'dose', label: '剂量', type: 'input' },
        ],
      },
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
const fuller: VersionRow = { ...version, folders: [folder] }

async function looking(
  facts: Partial<ConflictRow>,
  values: EntryRow['values'],
  permissions = project.permissions,
  more: readonly Partial<ConflictRow>[] = [],
): Promise<Ward> {
  const at = await ward()
  const patient = await enrolled(at)
  const id = entryId(target(patient.id))
  const conflict = conflictOn(id, facts)
  const others = more.map((one) => conflictOn(id, one))
  await at.pulled(PROJECT, [
    { kind: 'version', id: fuller.id, seq: 4, row: fuller },
    { kind: 'project', id: PROJECT, seq: 5, row: { ...project, permissions } },
  ])
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 2, row: { ...entryRow(id, patient.id, values), conflicts: 1 + more.length } },
    ...[conflict, ...others].map((row, no) => ({ kind: 'conflict' as const, id: row.id, seq: 3 + no, row })),
  ])
  show(
    <DeviceContext value={at.device}>
      <Routes>
        <Route path="/conflict/:entryId/:conflictId" element={<ConflictScreen />} />
      </Routes>
    </DeviceContext>,
    conflictPath(PROJECT, id, conflict.id),
  )
  return at
}

async function decisions({ device, crc }: Ward) {
  const unsent = await device.outbox()
  if (!unsent.ok) throw new Error(unsent.error.code)
  return { calls: unsent.value.map(({ call }) => call), left: await crc.storage.work.outbox.count() }
}

test('both values are shown as the field shows them, and nothing is saved before a value and the grounds are chosen', async () => {
  const user = userEvent.setup()
  const at = await looking(
    { code: 'ccs', base: held('1'), server: held('2'), mine: { value: null, missing: { m: 'UNK', reason: '未评估' } } },
    { ccs: '2' },
  )
  expect(await screen.findByRole('heading', { name: 'CCS 分级' })).toBeTruthy()
  expect(screen.getByText('01-001 · 访视1 · 生命体征')).toBeTruthy()
  expect(screen.getByRole('radio', { name: /林协调录入.*Ⅱ 级.*采用 Ⅱ 级（林协调）/ })).toBeTruthy()
  expect(screen.getByRole('radio', { name: /何协调录入.*不详 — 未评估.*采用 不详 — 未评估（何协调）/ })).toBeTruthy()
  expect(screen.getByText('修改前').parentElement?.textContent).toBe('修改前Ⅰ 级')

  await user.click(screen.getByRole('button', { name: '保存处理结果' }))
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    '请选择采用哪一个值',
    '请选择依据',
  ])
  await user.click(screen.getByRole('radio', { name: /采用 不详/ }))
  await user.click(screen.getByRole('radio', { name: '其他' }))
  await user.click(screen.getByRole('button', { name: '保存处理结果' }))
  expect(screen.getByText('请填写说明')).toBeTruthy()
  expect(await decisions(at)).toEqual({ calls: [], left: 0 })
})

test('a third value is entered with the field’s own control, and the outcome takes its place', async () => {
  const user = userEvent.setup()
  const at = await looking({ code: 'ccs', base: held('1'), server: held('2'), mine: held('1') }, { ccs: '2' })
  await user.click(await screen.findByRole('radio', { name: /^录入其他值/ }))
  await user.click(screen.getByRole('radio', { name: 'Ⅲ 级' }))
  await user.click(screen.getByRole('radio', { name: '转录错误' }))
  await user.click(screen.getByRole('button', { name: '保存处理结果' }))

  expect(await screen.findByText('已处理 · 录入了其他值')).toBeTruthy()
  expect(screen.getByText('处理结果已保存在本机，联网后自动发送。')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '保存处理结果' })).toBeNull()
  await at.sync()
  const [op] = [...at.network.booked.values()]
  expect(op?.body).toMatchObject({
    choice: 'new',
    seen: held('2'),
    to: held('3'),
    reason: { code: 'transcription', text: '' },
  })
})

test('a third value that is none is not saved', async () => {
  const user = userEvent.setup()
  const at = await looking({}, { weight: 70 })
  await user.click(await screen.findByRole('radio', { name: /^录入其他值/ }))
  const box = screen.getByRole('textbox', { name: '体重' })
  await user.clear(box)
  await user.type(box, '约70')
  await user.click(screen.getByRole('radio', { name: '核对源数据后裁定' }))
  await user.click(screen.getByRole('button', { name: '保存处理结果' }))
  expect(await screen.findByText('请录入有效的值')).toBeTruthy()
  expect((await decisions(at)).left).toBe(0)
})

test('what was changed since stands as the value that can be kept, beside what it was', async () => {
  const user = userEvent.setup()
  const at = await looking({}, { weight: 72 })
  expect(await screen.findByText('冲突后又被修改')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: /采用 72 kg（当前值）/ }))
  await user.click(screen.getByRole('radio', { name: '核对源数据后裁定' }))
  await user.click(screen.getByRole('button', { name: '保存处理结果' }))
  await screen.findByText('已处理 · 采用了林协调的值')
  await at.sync()
  expect([...at.network.booked.values()][0]?.body).toMatchObject({ choice: 'server', seen: held(72), to: held(72) })
})

test('a field that a release removed is named as that, with its own words, and the page is opened at no other field', async () => {
  const older = {
    ...version,
    id: newId(),
    folders: [{ ...folder, pages: [{ ...page, option: option.replace('CCS 分级', '旧 CCS 分级') }] }],
  }
  const at = await looking(
    { code: 'ccs', base: held('1'), server: held('2'), mine: held('3'), formerVersionId: older.id },
    { ccs: '1' },
  )
  await at.pulled(PROJECT, [{ kind: 'version', id: older.id, seq: 6, row: { ...older, versionNo: 0 } }])
  expect(await screen.findByRole('heading', { name: '旧 CCS 分级（旧版本）' })).toBeTruthy()
  expect(screen.getByRole('radio', { name: /采用 Ⅱ 级/ })).toBeTruthy()
  expect(screen.getByText(/新版本已停用该字段/)).toBeTruthy()
  expect(screen.getByRole('link', { name: '打开页面' }).getAttribute('href')).not.toContain('field=')
})

test('a deletion that met an edit is told in plain words, with what the row holds', async () => {
  const rid = '0190a000-0000-7000-8000-0000000000aa'
  const values = { drugs: [{ _rid: rid, _ord: 'a', drug: '丹参片', dose: '3 片' }] }
  await looking(
    { table: 'drugs', rid, code: '_deleted', base: held(false), server: held(false), mine: held(true) },
    values,
  )
  expect(await screen.findByRole('heading', { name: '合并用药 · 第 1 行' })).toBeTruthy()
  expect(screen.getByText('丹参片')).toBeTruthy()
  expect(screen.getByRole('radio', { name: /采用 不删除，保留修改/ })).toBeTruthy()
  expect(screen.getByRole('radio', { name: /采用 删除/ })).toBeTruthy()
  expect(screen.queryByRole('radio', { name: /^录入其他值/ })).toBeNull()
})

test('several fields of a page stand below each other; one reason goes with all that were chosen, the others stay', async () => {
  const user = userEvent.setup()
  const at = await looking({}, { weight: 70, ccs: '2', note: '头晕三日' }, project.permissions, [
    { code: 'ccs', base: held('1'), server: held('2'), mine: held('3') },
    { code: 'note', base: held(null), server: held('头晕三日'), mine: held('头晕五日') },
  ])
  const weight = within(await screen.findByRole('group', { name: /^体重/ }))
  const note = within(screen.getByRole('group', { name: /^note/ }))
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent).toSorted()).toEqual(
    ['三', '五', 'Ⅱ', 'Ⅲ'].toSorted(),
  )
  await user.click(weight.getByRole('radio', { name: /采用 56 kg（何协调）/ }))
  await user.click(note.getByRole('radio', { name: /采用 头晕三日（林协调）/ }))
  expect(screen.getByText('已选 2 / 3')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: '经研究者澄清' }))
  await user.click(screen.getByRole('button', { name: '保存处理结果' }))

  expect(await screen.findByText('已处理 · 采用了何协调的值')).toBeTruthy()
  expect(await screen.findByText('已处理 · 采用了林协调的值')).toBeTruthy()
  expect(screen.getByRole('group', { name: /^CCS 分级/ })).toBeTruthy()
  expect((await decisions(at)).calls).toEqual(['conflict.resolve', 'conflict.resolve'])
})

test('who may not enter data sees both values and why there is nothing to choose', async () => {
  await looking({}, { weight: 70 }, [])
  expect(await screen.findByText('您没有录入权限，只能查看；请联系该中心的录入者处理。')).toBeTruthy()
  expect(screen.getByText('56', { exact: false })).toBeTruthy()
  expect(screen.queryByRole('radio')).toBeNull()
})

test('a conflict that this tablet does not know says so', async () => {
  const at = await ward()
  show(
    <DeviceContext value={at.device}>
      <Routes>
        <Route path="/conflict/:entryId/:conflictId" element={<ConflictScreen />} />
      </Routes>
    </DeviceContext>,
    conflictPath(PROJECT, '0190a000-0000-7000-8000-0000000000ab', '0190a000-0000-7000-8000-0000000000ac'),
  )
  await waitFor(() => expect(screen.getByText('加载失败')).toBeTruthy())
})
