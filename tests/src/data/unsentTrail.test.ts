import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { RowChange } from '#core/sync/entryChange.ts'
import { CENTER_SCOPE, PROJECT, VERSION, target, valueOf } from '#tests/offline/support/tablet.ts'
import { conflictOn, held } from '#tests/src/data/support/conflicts.ts'
import { release } from '#tests/src/data/support/releases.ts'
import { enrolled, entryRow, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** What a tablet has not sent, in its log, where a release has come since under which fields are called otherwise. */

const [SECOND, THIRD, ROW] = [newId(), newId(), newId()]
const number = (prop: string, label: string) => ({ prop, label, type: 'number' })
const table = (prop: string, column: string) => ({
  prop,
  label: '用药',
  type: 'dynamic',
  children: { column: [{ prop: column, label: '药名', type: 'input' }] },
})

const FIRST = release({
  id: VERSION,
  no: 1,
  columns: [number('height', '身高'), number('weight', '体重'), table('drugs', 'drug')],
})
/** Height and weight change their codes with each other, and drugs are called herbs. */
const SWAPPED = release({
  id: SECOND,
  no: 2,
  from: VERSION,
  columns: [number('weight', '身高'), number('height', '体重'), table('herbs', 'herb')],
  renamed: [
    [null, 'height', 'weight'],
    [null, 'weight', 'height'],
    [null, 'drugs', 'herbs'],
    ['drugs', 'drug', 'herb'],
  ],
})
/** The weight is called mass, and the height is not asked any more. */
const LATER = release({
  id: THIRD,
  no: 3,
  from: SECOND,
  columns: [number('mass', '体重'), table('herbs', 'herb')],
  renamed: [[null, 'height', 'mass']],
})

let at: Ward
let patientId: string
let id: string
beforeEach(async () => {
  at = await ward()
  patientId = (await enrolled(at)).id
  id = entryId(target(patientId))
  await at.pulled(PROJECT, [{ kind: 'version', id: VERSION, seq: 10, row: FIRST }])
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 11, row: { ...entryRow(id, patientId, { height: 170, weight: 65 }), conflicts: 1 } },
  ])
})

async function saved(): Promise<void> {
  const items = [
    ['height', 170, 171],
    ['weight', 65, 66],
  ].map(([code, base, to]) => ({
    table: null,
    rid: null,
    code: String(code),
    base: held(Number(base)),
    to: held(Number(to)),
    isShow: 1 as const,
    reason: null,
  }))
  const row: RowChange = {
    table: 'drugs',
    rid: ROW,
    base: null,
    to: { deleted: false, order: 'a' },
    seen: null,
    reason: null,
  }
  const done = await at.device.saveEntry(PROJECT, {
    target: target(patientId),
    versionId: VERSION,
    items,
    rows: [row],
    journal: [],
    seen: null,
    progress: null,
  })
  if (!done.ok) throw new Error(done.error.code)
}

/** The releases come, and the page as the last of them has it. */
async function pulled(...releases: readonly VersionRow[]): Promise<void> {
  await at.pulled(
    PROJECT,
    releases.map((row, nth) => ({ kind: 'version', id: row.id, seq: 20 + nth, row })),
  )
  await at.pulled(CENTER_SCOPE, [
    {
      kind: 'entry',
      id,
      seq: 30,
      row: { ...entryRow(id, patientId, {}, 2), versionId: releases.at(-1)?.id ?? VERSION },
    },
  ])
}

async function placesNow(drawnBy?: string) {
  const lines = valueOf(
    await at.device.unsentTrail(
      PROJECT,
      patientId,
      drawnBy === undefined ? undefined : { entryId: id, versionId: drawnBy },
    ),
  )
  return lines.map(({ versionId, table: of, prop, now }) => [versionId, of, prop, now])
}

test('says where its fields are on the page of now', async () => {
  await saved()
  expect(await placesNow()).toContainEqual([VERSION, null, 'height', { table: null, prop: 'height' }])
  await pulled(SWAPPED)
  const there = [
    [VERSION, 'drugs', null, { table: 'herbs', prop: null }],
    [VERSION, null, 'height', { table: null, prop: 'weight' }],
    [VERSION, null, 'weight', { table: null, prop: 'height' }],
  ]
  expect(await placesNow()).toEqual(there)
  // A page that was opened before is drawn by what it was opened with.
  expect(await placesNow(VERSION)).toContainEqual([VERSION, null, 'height', { table: null, prop: 'height' }])
})

test('follows them through several releases, and says that one is gone', async () => {
  await saved()
  await pulled(SWAPPED, LATER)
  expect((await placesNow()).slice(1)).toEqual([
    [VERSION, null, 'height', null],
    [VERSION, null, 'weight', { table: null, prop: 'mass' }],
  ])
})

test('says nothing of it where a server does not tell what was called otherwise', async () => {
  await saved()
  const { broughtFrom: _, ...older } = SWAPPED
  await pulled(older)
  expect((await placesNow()).map(([, , , now]) => now)).toEqual([undefined, undefined, undefined])
})

test('names what was decided by the version under which it was decided, also where the release has brought the conflict along', async () => {
  const conflict = conflictOn(id, { code: 'weight', server: held(65) })
  await at.pulled(CENTER_SCOPE, [{ kind: 'conflict', id: conflict.id, seq: 12, row: conflict }])
  const view = valueOf(await at.device.conflict(PROJECT, id, conflict.id))
  const done = await at.device.decideConflict(view, {
    choice: 'mine',
    to: held(56),
    reason: { code: 'adjudication', text: '' },
  })
  expect(done.ok).toBe(true)
  await pulled(SWAPPED)
  await at.pulled(CENTER_SCOPE, [{ kind: 'conflict', id: conflict.id, seq: 31, row: { ...conflict, code: 'height' } }])
  expect(await placesNow()).toEqual([[VERSION, null, 'weight', { table: null, prop: 'height' }]])
})
