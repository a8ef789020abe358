import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { inPass, startDoubleEntry } from '#tests/server/support/passes.ts'
import { releaseRenamed, renameColumns, vitalsColumns } from '#tests/server/support/release.ts'
import type { World } from '#tests/server/support/world.ts'
import { call, change, enrol, item, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** Every line of the trail is about the field that its code meant when it was written, whatever has that code since. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = () => vitals(world, patient)

const turn = () => runMigrations(world.services)

/** Height and weight change their codes with each other; the BMI is calculated no more. */
const SWAP = [
  [null, 'height', 'weight'],
  [null, 'weight', 'height'],
] as const
const SWAPPED = renameColumns(SWAP).filter(({ prop }) => prop !== 'bmi')

/**
 * The table of drugs is called herbs, and the dose in it an amount; what a drug was called is now the code of something
 * else.
 */
const TABLE = [
  [null, 'drugs', 'herbs'],
  ['drugs', 'drug', 'herb'],
  ['drugs', 'dose', 'drug'],
] as const
const RENAMED_TABLE = renameColumns(TABLE)

const WITHOUT_NOTE = vitalsColumns.filter(({ prop }) => prop !== 'note')
/** What is called a note now is something else. */
const ANOTHER_NOTE: readonly Column[] = [...WITHOUT_NOTE, { prop: 'note', label: '疗效评分', type: 'number' }]

async function fieldLog(
  place: { readonly prop: string; readonly table?: string; readonly rid?: string; readonly versionId?: string },
  who: keyof World['people'] = 'lin',
) {
  const query = { projectId: world.study.projectId, current: 1, size: 100, ...place }
  return (await call(world, world.people[who], 'audit.field', { id: entryId(page()), query })).records
}

async function log(who: keyof World['people'] = 'manager') {
  const query = { projectId: world.study.projectId, patientId: patient, kind: 'values' as const, current: 1, size: 100 }
  return (await call(world, world.people[who], 'audit.list', { query })).records
}

const said = (lines: readonly AuditLine[]) =>
  lines.map(
    ({ action, prop, newValue }) =>
      `${action} ${prop ?? '-'} ${JSON.stringify((newValue as { readonly value?: unknown } | null)?.value ?? null)}`,
  )

describe('the log of a field after a release', () => {
  it('has its lines under its former code too, and none of the field that had its code before', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170, weight: 65 }))
    const v2 = await releaseRenamed(world, SWAPPED, SWAP)
    await turn()
    await save(world, lin, change(page(), { weight: item('weight', 170, 171) }), { crfId: v2 })
    expect(said(await fieldLog({ prop: 'weight' }))).toEqual([
      'item.update weight 171',
      'item.migrate weight 170',
      'item.update height 170',
    ])
    expect(said(await fieldLog({ prop: 'height' }))).toEqual(['item.migrate height 65', 'item.update weight 65'])
  })

  it('is asked for by the code of the version on screen, also where the page was brought along since', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170, weight: 65 }))
    await releaseRenamed(world, SWAPPED, SWAP)
    await turn()
    expect(said(await fieldLog({ prop: 'height', versionId: world.study.versionId }))).toEqual([
      'item.migrate weight 170',
      'item.update height 170',
    ])
  })

  it('follows it through several releases, and a table and its columns likewise', async () => {
    const { lin } = world.people
    const rid = await addDrug(world, lin, page(), { drug: '甘草', dose: 6 })
    await releaseRenamed(world, RENAMED_TABLE, TABLE)
    await releaseRenamed(
      world,
      RENAMED_TABLE.map((column) => (column.prop === 'herbs' ? { ...column, prop: 'remedies' } : column)),
      [[null, 'herbs', 'remedies']],
      3,
    )
    await turn()
    const ofRow = { table: 'remedies', rid }
    expect(said(await fieldLog({ ...ofRow, prop: 'drug' }))).toEqual([
      'item.migrate drug 6',
      'item.migrate drug 6',
      'item.update dose 6',
      'row.insert - null',
    ])
    expect(said(await fieldLog({ ...ofRow, prop: 'herb' }))).toEqual([
      'item.migrate herb "甘草"',
      'item.migrate herb "甘草"',
      'item.update drug "甘草"',
      'row.insert - null',
    ])
    expect((await fieldLog({ prop: 'remedies' })).filter(({ action }) => action !== 'item.migrate')).toHaveLength(3)
  })

  it('of a field that took the code of one that is gone, begins with that field', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { note: '晨起' }))
    await releaseRenamed(world, WITHOUT_NOTE, [])
    await turn()
    await releaseRenamed(world, ANOTHER_NOTE, [], 3)
    await turn()
    expect(said(await fieldLog({ prop: 'note' }))).toEqual([])
    const retired = (await log()).find(({ action }) => action === 'item.retire')
    expect(retired).toMatchObject({ prop: 'note', fieldVersionId: world.study.versionId, now: null })
  })
})

describe('a release', () => {
  it('tells tablets what it calls otherwise, for what they have not sent', async () => {
    const { versionId, projectId, vitalsId: pageId } = world.study
    const v2 = await releaseRenamed(world, SWAPPED, SWAP)
    const detail = (id: string) => call(world, world.people.lin, 'version.detail', { params: { id }, projectId })
    expect(await detail(v2)).toMatchObject({
      migrates: true,
      broughtFrom: {
        versionId,
        fields: [
          { pageId, table: null, from: 'height', to: 'weight' },
          { pageId, table: null, from: 'weight', to: 'height' },
        ],
        choices: [],
      },
    })
    expect((await detail(versionId)).broughtFrom).toBeUndefined()
  })
})

describe('a line of the trail', () => {
  it('says in the words of which version its field is named, and where that is on the page now', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170 }))
    const v2 = await releaseRenamed(world, SWAPPED, SWAP)
    await turn()
    const [moved, entered] = (await log()).filter(({ newValue }) => JSON.stringify(newValue).includes('170'))
    expect(entered).toMatchObject({
      prop: 'height',
      fieldVersionId: world.study.versionId,
      now: { table: null, prop: 'weight' },
    })
    expect(moved).toMatchObject({
      action: 'item.migrate',
      prop: 'weight',
      fieldVersionId: v2,
      now: { table: null, prop: 'weight' },
    })
  })

  it('of what came too late for a field that is gone is in the words in which it was entered', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { height: 170 }))
    await releaseRenamed(world, WITHOUT_NOTE, [])
    await turn()
    await releaseRenamed(world, ANOTHER_NOTE, [], 3)
    await turn()
    await save(world, lin, change(page(), { note: '晨起' }), { crfId: world.study.versionId })
    const retired = (await log()).find(({ action }) => action === 'item.retire')
    expect(retired).toMatchObject({
      prop: 'note',
      fieldVersionId: world.study.versionId,
      now: null,
      newValue: { value: '晨起' },
    })
    expect(said(await fieldLog({ prop: 'note' }))).toEqual([])
  })

  it('of a conflict about a field that is gone stays in its words, also where the whole second pass is given up', async () => {
    const { wu, manager } = world.people
    await startDoubleEntry(world)
    for (const note of ['晨起', '睡前']) await save(world, wu, change(inPass(world, patient, 2), { note }))
    await releaseRenamed(world, WITHOUT_NOTE, [])
    await turn()
    await releaseRenamed(world, ANOTHER_NOTE, [], 3)
    await turn()
    await call(world, manager, 'double.destroy', { query: { patientId: patient }, body: { reason: '录错受试者' } })
    const { records } = await call(world, manager, 'audit.list', {
      query: { projectId: world.study.projectId, patientId: patient, kind: 'conflicts', current: 1, size: 100 },
    })
    expect(records.map(({ action, fieldVersionId, now }) => [action, fieldVersionId, now])).toEqual([
      ['conflict.resolve', world.study.versionId, null],
      ['conflict.migrate', world.study.versionId, null],
      ['conflict.open', world.study.versionId, null],
    ])
  })

  it('of what a release brought along says of which version and of which field its old value is', async () => {
    const { lin } = world.people
    await addDrug(world, lin, page(), { dose: 6 })
    await releaseRenamed(world, RENAMED_TABLE, TABLE)
    await turn()
    const [moved, , entered] = await log()
    expect(moved).toMatchObject({
      action: 'item.migrate',
      table: 'herbs',
      prop: 'drug',
      former: { versionId: world.study.versionId, table: 'drugs', prop: 'dose' },
    })
    expect(entered?.former).toBeUndefined()
  })

  it('is masked where its field has come to identify the patient under another code', async () => {
    const { lin } = world.people
    await save(world, lin, change(page(), { note: '王五' }))
    const columns = vitalsColumns.map((column): Column =>
      column.prop === 'note' ? { ...column, prop: 'name', zl: { ...column.zl, identifier: true } } : column,
    )
    await releaseRenamed(world, columns, [[null, 'note', 'name']])
    await turn()
    expect(JSON.stringify(await fieldLog({ prop: 'name' }, 'monitor'))).not.toContain('王五')
    expect((await fieldLog({ prop: 'name' }, 'monitor')).map(({ prop }) => prop)).toEqual(['name', 'note'])
  })
})
