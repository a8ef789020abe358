import { describe, expect, it } from 'vitest'
import type { AnswerTest, Condition } from '#core/dataset/conditions.ts'
import { newId } from '#core/ids.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, refusal } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

import { addAdmin, casebook, readOf } from './clinical/support.ts'
import {
  AS_IS,
  archiveOf,
  ask,
  decide,
  define,
  entered,
  filesIn,
  preview,
  recordsOf,
  runOf,
  takeOut,
} from './support.ts'

/** Data sets of the subjects that a kept search finds. */

const world = worldForEachTest()

const asks = (code: string, test: AnswerTest): Condition => ({
  kind: 'field',
  field: { pageId: world.study.vitalsId, table: null, code, part: null },
  at: { which: 'any' },
  test,
})
const heavy = () => ({ name: '体重≥80', condition: asks('weight', { op: 'ge', value: 80 }) })
const weights = (files: Readonly<Record<string, string>>) => recordsOf(files['csv/VS.csv']).map(({ weight }) => weight)

/** Who may see names and numbers, and take data out. */
async function addInvestigator(): Promise<Person> {
  const investigator = await addMember(world.services, world.study, 'pi', 'PI', [world.study.north])
  const { deviceId, userId } = investigator
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [deviceId, userId])
  return investigator
}

describe('a data set of the subjects that a search finds', () => {
  it('holds them alone, in its preview and in every format, and says by which search', async () => {
    const { admin, manager } = world.people
    await entered(world, { height: 170, weight: 65 })
    await entered(world, { height: 180, weight: 90 })
    const found = heavy()
    expect(await preview(world, manager, define({ found }))).toMatchObject({ subjects: 1, entries: 1 })
    const files = await takeOut(world, manager, define({ found }))
    expect(weights(files)).toEqual(['90'])
    expect(files['notes.txt']).toContain('按检索筛选受试者: 体重≥80')
    expect(JSON.parse(files['manifest.json'] ?? '')).toMatchObject({ definition: { found } })

    const approver = await addAdmin(world, 'second', [world.study.north])
    const { id } = await ask(world, admin, casebook({ formats: ['odm-2.0'], deidentify: AS_IS, found }))
    await decide(world, approver, id)
    await runDataSets(world.services)
    expect(readOf(filesIn(await archiveOf(world, admin, id)), 'odm-2.0').subjects).toHaveLength(1)
  })

  it('holds whom it finds when it is run, not when it was asked for', async () => {
    const { manager } = world.people
    await entered(world, { height: 170, weight: 65 })
    const { id } = await ask(world, manager, define({ found: heavy() }))
    await entered(world, { height: 180, weight: 90 })
    await runDataSets(world.services)
    expect(weights(filesIn(await archiveOf(world, manager, id)))).toEqual(['90'])
  })

  it('holds nobody where it finds nobody', async () => {
    const { manager } = world.people
    await entered(world, { height: 170, weight: 65 })
    expect(weights(await takeOut(world, manager, define({ found: heavy() })))).toEqual([])
  })

  it('finds nobody whom its reader may not see', async () => {
    const { south } = world.people
    await entered(world, { height: 180, weight: 90 }, { who: south, center: world.study.south })
    const investigator = await addInvestigator()
    expect(weights(await takeOut(world, investigator, define({ found: heavy() })))).toEqual([])
  })
})

describe('a search that asks about what identifies a person', () => {
  const byContact = () => ({ name: '联系人', condition: asks('contact', { op: 'contains', value: '王' }) })

  it('narrows no data set: its words would stand in the data set and in the record of each run', async () => {
    const { admin } = world.people
    for (const deidentify of [define().deidentify, AS_IS]) {
      const definition = define({ found: byContact(), deidentify })
      expect(await refusal(ask(world, admin, definition))).toBe('invalid')
      expect(await refusal(preview(world, admin, definition))).toBe('invalid')
      const body = { projectId: world.study.projectId, id: newId(), rev: 0, name: '甲', shared: true, definition }
      expect(await refusal(call(world, admin, 'dataset.save', { body }))).toBe('invalid')
    }
  })

  it('is not among those that are offered', async () => {
    const { manager } = world.people
    const { projectId } = world.study
    const investigator = await addInvestigator()
    for (const { name, condition } of [byContact(), heavy()]) {
      const body = { projectId, id: newId(), name, isShared: true, condition }
      await call(world, investigator, 'search.save', { body })
    }
    for (const who of [investigator, manager]) {
      const { searches } = await call(world, who, 'dataset.facts', { query: { projectId } })
      expect(searches.map(({ name }) => name)).toEqual(['体重≥80'])
    }
  })
})

describe('a search of which the study knows nothing any more', () => {
  it('ends the run with that reason, and nothing leaves', async () => {
    const { manager } = world.people
    await entered(world)
    const { id } = await ask(world, manager, define({ found: heavy() }))
    const { rows } = await world.services.pool.query<{ definition: object }>(
      'SELECT definition FROM data_set_run WHERE id = $1',
      [id],
    )
    const gone = JSON.stringify(rows[0]?.definition).replaceAll('"code":"weight"', '"code":"gone"')
    await world.services.pool.query('UPDATE data_set_run SET definition = $2 WHERE id = $1', [id, gone])
    await runDataSets(world.services)
    expect(await runOf(world, manager, id)).toMatchObject({ state: 'failed', why: 'search', mayDownload: false })
  })
})
