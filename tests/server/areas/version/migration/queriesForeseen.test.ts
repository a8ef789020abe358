import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { NO_MAPPINGS } from '#core/study/migration/migrationMappings.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { act, ask } from '#tests/server/areas/query/support.ts'
import { inPass, startDoubleEntry } from '#tests/server/support/passes.ts'
import { releaseTested, testedVersion } from '#tests/server/support/release.ts'
import type { Person } from '#tests/server/support/world.ts'
import { call, change, enrol, event, queryPlace, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { asking, columnOf, columns, heavy, migrate, queriesOf, renamed, submit } from './support.ts'

/** The dry run of a release counts the queries that it would raise and end, and changes nothing. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

async function foreseen(crfId: string, mappings = NO_MAPPINGS, who: Person = world.people.admin) {
  const { records } = await call(world, who, 'version.migrationCheck', {
    query: { crfId, current: 1, size: 50 },
    body: { mappings },
  })
  return new Map(records.map(({ patientId, counts: { asks, ends }, items }) => [patientId, { asks, ends, items }]))
}

/** What the turns of the newest release have raised and ended, by subject, as the trail counts it. */
async function turned() {
  const { rows } = await world.database.ownerPool.query<{ patient: string; asks: number; ends: number }>(
    `SELECT a.patient_id AS patient, (v.new_value->>'asks')::int AS asks, (v.new_value->>'ends')::int AS ends
     FROM audit a JOIN audit_value v ON v.audit_id = a.id
     WHERE a.action = 'patient.migrate' AND a.version_id = (SELECT id FROM crf_version ORDER BY version_no DESC LIMIT 1)`,
  )
  return new Map(rows.map(({ patient: id, ...counts }) => [id, counts]))
}

const states = async () => (await queriesOf(world)).map(({ id, state, place: { code } }) => [id, state, code] as const)

describe('before a release', () => {
  it('is told of each subject how many queries it would raise and end; the migration does just that', async () => {
    const { lin, monitor, manager } = world.people
    const [light, never, unasked] = [await enrol(world), await enrol(world), await enrol(world)]
    await submit(world, vitals(world, patient), { height: 170, weight: 120, note: '晨起' })
    await submit(world, vitals(world, light), { height: 170, weight: 60 })
    await save(world, lin, change(vitals(world, never), { height: 170, weight: 150 }))
    await migrate(world, heavy())
    // Of one the check has asked and is answered; of another it is closed over the value; of a third it will pass.
    const second = await enrol(world)
    await submit(world, vitals(world, second), { height: 180, weight: 140 })
    await submit(world, vitals(world, unasked), { height: 170, weight: 105 })
    const closed = (await queriesOf(world)).find(({ patientId }) => patientId === second)
    if (closed === undefined) throw new Error('nothing was asked')
    await act(world, lin, closed, 'answer', { text: '属实', category: 'confirmed' })
    await act(world, manager, closed, 'close')
    const about = (code: string, of = patient) => ({ place: queryPlace(world, of, { code }) })
    await ask(world, monitor, patient, about('note'))
    await ask(world, monitor, never, { ...about('note', never), isCandidate: true })
    await ask(world, monitor, light, about('height', light))
    const mass = asking({ ...columnOf('weight'), prop: 'mass' }, 'page.mass > 110.0', 'heavy')
    const tall = asking(columnOf('height'), 'page.height >= 170.0', 'tall')
    const bmi: Column = { ...columnOf('bmi'), zl: { calculate: 'page.mass / 2.0' } }
    const next = columns({
      weight: mass,
      height: tall,
      note: null,
      bmi: asking(bmi, 'page.bmi > 55.0', 'much'),
    })
    const mappings = renamed(world, [null, 'weight', 'mass'])
    const id = await testedVersion(world, { no: 3, columns: next })
    const before = await states()
    const found = await foreseen(id, mappings)
    expect(await states()).toEqual(before)
    expect(found.get(patient)).toMatchObject({ asks: 2, ends: 1 })
    expect(found.get(light)).toMatchObject({ asks: 1, ends: 0 })
    expect(found.get(never)).toMatchObject({ asks: 0, ends: 1 })
    expect(found.get(second)).toMatchObject({ asks: 2, ends: 0 })
    expect(found.get(unasked)).toMatchObject({ asks: 1, ends: 1 })
    await releaseTested(world, id, mappings)
    await runMigrations(world.services)
    for (const [of, { asks, ends }] of await turned()) expect([of, found.get(of)]).toMatchObject([of, { asks, ends }])
    expect((await states()).length - before.length).toBe(6)
  })

  it('counts what checks read on other pages as they will be, and pages that will be gone', async () => {
    await submit(world, vitals(world, patient), { height: 170, weight: 120 })
    await submit(world, event(world, patient, '0'), { term: '皮疹' })
    const event1: Column = { prop: 'term', label: '不良事件', type: 'input' }
    const mappings = renamed(world, [null, 'weight', 'mass'])
    const next = columns({ weight: { ...columnOf('weight'), prop: 'mass' }, bmi: null })
    const id = await testedVersion(world, {
      no: 2,
      columns: next,
      event: [asking(event1, 'visit.VS.mass > 100.0', 'with')],
    })
    expect((await foreseen(id, mappings)).get(patient)).toMatchObject({ asks: 1, ends: 0 })
    await releaseTested(world, id, mappings)
    await runMigrations(world.services)
    expect((await turned()).get(patient)).toEqual({ asks: 1, ends: 0 })
    const without = await testedVersion(world, { no: 3, columns: next, withoutEvents: true })
    expect((await foreseen(without)).get(patient)).toMatchObject({ asks: 0, ends: 1 })
    await releaseTested(world, without, NO_MAPPINGS)
    await runMigrations(world.services)
    expect((await turned()).get(patient)).toEqual({ asks: 0, ends: 1 })
  })

  it('counts both passes, and tells no words and no values of what would be asked', async () => {
    await startDoubleEntry(world)
    await submit(world, inPass(world, patient, 1), { height: 170, weight: 120, contact: '家属 138' })
    const second = change(inPass(world, patient, 2), { height: 170, weight: 130 })
    await save(world, world.people.wu, second, { pass: 2, as: 'entry.submit' })
    const contact = asking(columnOf('contact'), "page.contact != ''", 'who', '与住院号不符')
    const weight = asking(columnOf('weight'), 'page.weight > 100.0', 'heavy')
    const id = await testedVersion(world, { no: 2, columns: columns({ contact, weight }) })
    const report = (await foreseen(id)).get(patient)
    expect(report).toEqual({ asks: 3, ends: 0, items: [] })
    const task = await releaseTested(world, id, NO_MAPPINGS)
    await runMigrations(world.services)
    const { log } = await call(world, world.people.admin, 'task.result', { id: task ?? '', query: {} })
    expect(log).toMatch(/合计\t.*，提出质疑 3，关闭质疑 0\n/)
    expect(log).not.toContain('与住院号不符')
    const english = await call(world, world.people.admin, 'task.result', { id: task ?? '', query: {}, language: 'en' })
    expect(english.log).toMatch(/In all\t.*, queries raised 3, queries closed 0\n/)
  })
})
