import '#tests/src/data/support/indexedDb.ts'
import { beforeEach, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { CENTER_SCOPE, PROJECT, VERSION, target, valueOf } from '#tests/offline/support/tablet.ts'
import { held } from '#tests/src/data/support/conflicts.ts'
import { release } from '#tests/src/data/support/releases.ts'
import { enrolled, entryRow, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'

/** What a tablet has not sent stands in its own field also after a release under which fields are called otherwise. */

const [SECOND, ROW] = [newId(), newId()]
const number = (prop: string, label: string) => ({ prop, label, type: 'number' })
const choice = (...values: readonly string[]) => ({
  prop: 'tongue',
  label: '舌质',
  type: 'select',
  dicData: values.map((value) => ({ label: value === values[0] ? '淡红' : '红', value })),
})
const table = (prop: string, column: string) => ({
  prop,
  label: '用药',
  type: 'dynamic',
  children: { column: [{ prop: column, label: '药名', type: 'input' }] },
})

const FIRST = release({
  id: VERSION,
  no: 1,
  columns: [number('height', '身高'), number('weight', '体重'), choice('a', 'b'), table('drugs', 'drug')],
})
/** Height and weight change their codes with each other, drugs are called herbs, and a tongue is 1 or 2. */
const SECOND_RELEASE = release({
  id: SECOND,
  no: 2,
  from: VERSION,
  columns: [number('weight', '身高'), number('height', '体重'), choice('1', '2'), table('herbs', 'herb')],
  renamed: [
    [null, 'height', 'weight'],
    [null, 'weight', 'height'],
    [null, 'drugs', 'herbs'],
    ['drugs', 'drug', 'herb'],
  ],
  recoded: [
    ['tongue', 'a', '1'],
    ['tongue', 'b', '2'],
  ],
})

let at: Ward
let patientId: string
let id: string
beforeEach(async () => {
  at = await ward()
  patientId = (await enrolled(at)).id
  id = entryId(target(patientId))
  await at.pulled(PROJECT, [{ kind: 'version', id: VERSION, seq: 10, row: FIRST }])
})

async function save(versionId: string, edits: readonly (readonly [string, JsonValue, JsonValue])[]): Promise<void> {
  const items = edits.map(([code, base, to]) => ({
    table: null,
    rid: null,
    code,
    base: held(base),
    to: held(to),
    isShow: 1 as const,
    reason: null,
  }))
  const isFirst = versionId === VERSION
  const rows = isFirst
    ? [{ table: 'drugs', rid: ROW, base: null, to: { deleted: false, order: 'a' }, seen: null, reason: null }]
    : []
  const drug = {
    table: 'drugs',
    rid: ROW,
    code: 'drug',
    base: held(null),
    to: held('丹参'),
    isShow: 1 as const,
    reason: null,
  }
  const done = await at.device.saveEntry(PROJECT, {
    target: target(patientId),
    versionId,
    items: isFirst ? [...items, drug] : items,
    rows,
    journal: [],
    seen: null,
    progress: null,
  })
  expect(done.ok).toBe(true)
}

async function pulledSecond(values: Readonly<Record<string, JsonValue>> | null): Promise<void> {
  await at.pulled(PROJECT, [{ kind: 'version', id: SECOND, seq: 20, row: SECOND_RELEASE }])
  if (values === null) return
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 30, row: { ...entryRow(id, patientId, values, 2), versionId: SECOND } },
  ])
}

async function shown(): Promise<EntryData['values']> {
  return valueOf(await at.device.entry(PROJECT, target(patientId))).data.values
}

const AS_ENTERED = { weight: 171, height: 66, tongue: '2', herbs: [{ _rid: ROW, herb: '丹参' }] }

test('on a page that the release has brought along', async () => {
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 11, row: entryRow(id, patientId, { height: 170, weight: 65 }) },
  ])
  await save(VERSION, [
    ['height', 170, 171],
    ['weight', 65, 66],
    ['tongue', null, 'b'],
  ])
  expect(await shown()).toMatchObject({ height: 171, weight: 66, tongue: 'b', drugs: [{ drug: '丹参' }] })
  await pulledSecond({ weight: 170, height: 65 })
  expect(await shown()).toMatchObject(AS_ENTERED)
  expect(await shown()).not.toHaveProperty('drugs')

  // What is typed after that lies over it, in the words of the new release.
  await save(SECOND, [['weight', 171, 172]])
  expect(await shown()).toMatchObject({ ...AS_ENTERED, weight: 172 })
})

test('on a page of which the server has nothing yet', async () => {
  await save(VERSION, [
    ['height', null, 171],
    ['weight', null, 66],
    ['tongue', null, 'b'],
  ])
  await pulledSecond(null)
  expect(await shown()).toMatchObject(AS_ENTERED)
})

test('by their codes where an older server does not tell what is called otherwise', async () => {
  await save(VERSION, [['height', null, 171]])
  const { broughtFrom: _, ...older } = SECOND_RELEASE
  await at.pulled(PROJECT, [{ kind: 'version', id: SECOND, seq: 20, row: older }])
  expect(await shown()).toMatchObject({ height: 171 })
})
