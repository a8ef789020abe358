import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import { call, change, enrol, event, item, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * What a page calculates from another, where one of the two was saved under a release before the patient's turn came.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  const { versionId, eventId } = world.study
  await world.services.pool.query('UPDATE crf_page SET option = $3 WHERE version_id = $1 AND page_id = $2', [
    versionId,
    eventId,
    JSON.stringify({ column: eventReading('weight') }),
  ])
  patient = await enrol(world)
})

/** The adverse event: its dose follows from what the vital signs call the weight, and its double from the dose. */
function eventReading(weight: string): readonly Column[] {
  return [
    { prop: 'term', label: '不良事件', type: 'input' },
    { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: `visit.VS.${weight} * 0.5` } },
    { prop: 'double', label: '两倍', type: 'number', zl: { calculate: 'page.dose * 2.0' } },
  ]
}

const signs = () => vitals(world, patient)
const adverse = () => event(world, patient, '0')

/** Releases a version in which the weight is called mass. */
async function release(): Promise<string> {
  const columns = vitalsColumns.flatMap((column): readonly Column[] =>
    column.prop === 'weight' ? [{ ...column, prop: 'mass' }] : column.prop === 'bmi' ? [] : [column],
  )
  const id = await testedVersion(world, { no: 2, columns, event: eventReading('mass') })
  await releaseTested(world, id, {
    fields: [{ pageId: world.study.vitalsId, table: null, from: 'weight', to: 'mass' }],
    choices: [],
  })
  return id
}

interface Stored {
  readonly values: Readonly<Record<string, JsonValue>>
  readonly status: string
  readonly rev: number
}

async function stored(target: EntryTarget): Promise<Stored | undefined> {
  const { rows } = await world.services.pool.query<Stored>('SELECT "values", status, rev FROM entry WHERE id = $1', [
    entryId(target),
  ])
  return rows[0]
}

describe('a value that is calculated from another page', () => {
  it('follows in the patient’s turn, where its page was saved under the release and the other not yet', async () => {
    await save(world, world.people.lin, change(signs(), { weight: 60 }))
    const crfId = await release()
    await save(world, world.people.lin, change(adverse(), { term: '皮疹' }), { crfId, as: 'entry.submit' })
    await runMigrations(world.services)
    expect(await stored(signs())).toMatchObject({ values: { mass: 60 } })
    // Submitted while it was blank, it waits to be submitted again, as after every change.
    expect(await stored(adverse())).toMatchObject({
      values: { term: '皮疹', dose: 30, double: 60 },
      status: 'process',
      rev: 2,
    })
    const { rows } = await world.services.pool.query<{ prop: string; value: JsonValue }>(
      `SELECT a.prop, v.new_value->'value' AS value FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.entry_id = $1 AND a.action = 'item.calculate' ORDER BY a.prop`,
      [entryId(adverse())],
    )
    expect(rows).toEqual([
      { prop: 'dose', value: 30 },
      { prop: 'double', value: 60 },
    ])
    expect(
      await call(world, world.people.admin, 'audit.verify', { query: { projectId: world.study.projectId } }),
    ).toMatchObject({ holds: true })
  })

  it('follows where the other page was saved under the release, and its own not yet, with all that depends on it', async () => {
    await save(world, world.people.lin, change(signs(), { weight: 60 }))
    await save(world, world.people.lin, change(adverse(), { term: '皮疹' }))
    expect(await stored(adverse())).toMatchObject({ values: { dose: 30, double: 60 } })
    const crfId = await release()
    await save(world, world.people.lin, change(signs(), { mass: item('mass', 60, 80) }), { crfId })
    await runMigrations(world.services)
    expect(await stored(adverse())).toMatchObject({ values: { term: '皮疹', dose: 40, double: 80 } })
  })

  it('of a page that says the same after it is not written again', async () => {
    await save(world, world.people.lin, change(signs(), { height: 170 }))
    const crfId = await release()
    await save(world, world.people.lin, change(adverse(), { term: '皮疹' }), { crfId })
    await runMigrations(world.services)
    expect(await stored(adverse())).toMatchObject({ values: { term: '皮疹' }, rev: 1 })
  })

  it('counts nothing of a page that was deleted', async () => {
    await save(world, world.people.lin, change(signs(), { weight: 60 }))
    await save(world, world.people.lin, change(adverse(), { term: '皮疹' }))
    const {
      rows: [before],
    } = await world.services.pool.query<{ rev: number }>('SELECT rev FROM entry WHERE id = $1', [entryId(signs())])
    await call(world, world.people.lin, 'entry.delete', {
      query: { id: entryId(signs()) },
      body: { target: signs(), seenRev: before?.rev ?? 0, reason: { code: 'other', text: '录错受试者' } },
    })
    await release()
    await runMigrations(world.services)
    expect((await stored(adverse()))?.values).toEqual({ term: '皮疹' })
  })
})
