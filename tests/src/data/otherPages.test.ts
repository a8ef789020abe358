import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget, ItemChange } from '#core/sync/entryChange.ts'
import type { PageRow, VersionRow } from '#core/api/sync/rows.ts'
import type { EntryView } from '#src/data/shapes/types.ts'
import { CENTER_SCOPE, FOLDER, PROJECT, target, valueOf } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, page, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/**
 * What a reading gives of a page whose rules read another: its engine, as its version defines it, and what is saved
 * there.
 */

const PAGE_B = newId()

const b = (show: string): PageRow => ({
  ...page,
  id: PAGE_B,
  pageName: '用药',
  pageCode: 'b',
  sort: 2,
  option: JSON.stringify({
    column: [
      { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: 'form.V1.vital.weight * 0.5' } },
      { prop: 'why', label: '原因', type: 'input', zl: { show } },
    ],
  }),
})

/** A version with both pages, or with those that are given. */
const defined = (
  pages: readonly PageRow[] = [page, b('visit.vital.weight > 60.0')],
  facts: Partial<VersionRow> = {},
): VersionRow => ({
  ...version,
  folders: [{ id: FOLDER, folderName: '访视1', folderCode: 'V1', sort: 1, pages: [...pages] }],
  ...facts,
})

let at: Ward
let patient: string
/** The last change number that was pulled. */
let seq = 10
beforeEach(async () => {
  at = await ward()
  patient = (await enrolled(at)).id
})

async function pulledVersion(row: VersionRow): Promise<void> {
  seq += 1
  await at.pulled(PROJECT, [{ kind: 'version', id: row.id, seq, row }])
}

async function pulledEntry(of: EntryTarget, values: Readonly<Record<string, JsonValue>>): Promise<void> {
  seq += 1
  const id = entryId(of)
  const { folderRepeat, pageId, pageRepeat, pass } = of
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq, row: { ...entryRow(id, of.patientId, values), folderRepeat, pageId, pageRepeat, pass } },
  ])
}

const see = async (of: EntryTarget): Promise<EntryView> => valueOf(await at.device.entry(PROJECT, of))

test('a page is compiled once: for all readings of it, and for all patients', async () => {
  await pulledVersion(defined())
  const { compiled } = await see(target(patient, PAGE_B))
  expect(compiled?.place).toEqual({ folder: 'V1', page: 'b' })
  const other = await enrolled(at, '01-002')
  await pulledVersion(defined(undefined, { remark: '说明改了，表单没有改' }))
  expect((await see(target(other.id, PAGE_B))).compiled).toBe(compiled)
  expect((await see(target(patient, PAGE_B))).compiled).toBe(compiled)
})

test('a test version that comes again with other rules is compiled anew, be the rules of this page or the fields that they read', async () => {
  await pulledVersion(defined(undefined, { crfProfile: 'test' }))
  const { compiled: first } = await see(target(patient, PAGE_B))
  await pulledVersion(defined([page, b('visit.vital.weight > 90.0')], { crfProfile: 'test' }))
  const { compiled: second } = await see(target(patient, PAGE_B))
  expect(second).not.toBe(first)
  expect(second?.cells.get('why')?.field.show).toBe('visit.vital.weight > 90.0')

  const withoutWeight = {
    ...page,
    option: JSON.stringify({ column: [{ prop: 'note', label: '备注', type: 'input' }] }),
  }
  await pulledVersion(defined([withoutWeight, b('visit.vital.weight > 90.0')], { crfProfile: 'test' }))
  expect((await see(target(patient, PAGE_B))).compiled).toBeNull()
})

test('a page that the current version has no more is compiled in the one that it was written under, with what is saved of the pages of then', async () => {
  const older = defined()
  await pulledVersion(older)
  await pulledEntry(target(patient), { weight: 61 })
  await pulledEntry(target(patient, PAGE_B), { why: '水肿' })
  await pulledVersion(defined([page], { id: newId(), versionNo: 2 }))
  const view = await see(target(patient, PAGE_B))
  expect([view.versionId, view.compiled?.otherPages]).toEqual([older.id, [{ folder: 'V1', page: 'vital' }]])
  expect(view.otherPages.get('V1/vital')).toMatchObject({ values: { weight: 61 } })
})

test('of other pages it is the first of the visit that is read, of the same patient and in the same pass, and only those that rules name', async () => {
  await pulledVersion(defined())
  await pulledEntry({ ...target(patient), pageRepeat: newId() }, { weight: 1 })
  await pulledEntry({ ...target(patient), folderRepeat: newId() }, { weight: 2 })
  await pulledEntry({ ...target(patient), pass: 2 }, { weight: 3 })
  await pulledEntry(target((await enrolled(at, '01-002')).id), { weight: 4 })
  expect((await see(target(patient, PAGE_B))).otherPages.size).toBe(0)
  await pulledEntry(target(patient), { weight: 5 })
  expect([...(await see(target(patient, PAGE_B))).otherPages]).toMatchObject([['V1/vital', { values: { weight: 5 } }]])
  expect((await see(target(patient))).otherPages.size).toBe(0)
})

test('it is the same object as long as nothing there has changed', async () => {
  await pulledVersion(defined())
  await pulledEntry(target(patient), { weight: 61 })
  const { otherPages } = await see(target(patient, PAGE_B))
  await pulledEntry(target(patient, PAGE_B), { why: '水肿' })
  const next = await see(target(patient, PAGE_B))
  expect([next.data.values['why'], next.otherPages === otherPages]).toEqual(['水肿', true])
  await pulledEntry(target(patient), { weight: 62 })
  expect((await see(target(patient, PAGE_B))).otherPages).not.toBe(otherPages)
})

test('a rule that names the last or the previous of several finds what this tablet has not sent yet, and no longer what it deleted', async () => {
  const [earlier, later] = [newId(), newId()]
  const option = JSON.stringify({
    column: [
      {
        prop: 'last',
        label: '末次体重',
        type: 'number',
        zl: { calculate: 'visits.vital.last.weight - visits.vital.first.weight' },
      },
    ],
  })
  await pulledVersion(
    defined([
      { ...page, repeatable: true },
      { ...b('true'), option },
    ]),
  )
  const weights = async () => {
    const { otherPages } = await see(target(patient, PAGE_B))
    return ['first', 'last'].map((which) => otherPages.get(`*/vital#${which}`)?.values['weight'] ?? null)
  }
  expect(await weights()).toEqual([null, null])
  await pulledEntry({ ...target(patient), pageRepeat: later }, { weight: 61 })
  await pulledEntry({ ...target(patient), pageRepeat: earlier }, { weight: 60 })
  expect(await weights()).toEqual([60, 61])
  const unsent = { ...target(patient), pageRepeat: newId() }
  const item: ItemChange = {
    table: null,
    rid: null,
    code: 'weight',
    to: { value: 64, missing: null },
    base: { value: null, missing: null },
    isShow: 1,
    reason: null,
  }
  expect(
    (
      await at.device.saveEntry(PROJECT, {
        target: unsent,
        versionId: version.id,
        items: [item],
        rows: [],
        journal: [],
        seen: null,
        progress: null,
      })
    ).ok,
  ).toBe(true)
  expect(await weights()).toEqual([60, 64])
  expect(
    (
      await at.device.deleteEntry(PROJECT, { ...target(patient), pageRepeat: earlier }, 1, {
        code: 'other',
        text: '重复',
      })
    ).ok,
  ).toBe(true)
  expect(await weights()).toEqual([61, 64])
})
