import { beforeAll, describe, expect, it } from 'vitest'
import type { AnswerTest, Condition } from '#core/dataset/conditions.ts'
import { newId } from '#core/ids.ts'
import { ask, numbersOf, shown } from '#tests/server/areas/query/support.ts'
import type { Person, Study } from '#tests/server/support/world.ts'
import { addMember, call, enrol, makeStudy, planFolder, queryPlace, refusal } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

import { makeGround, putEntry } from './ground.ts'
import type { SearchGround } from './ground.ts'

/** A kept search narrows down the lists of queries and visits: judged at the instant, with the rights of who asks. */

const world = worldForAllTests()
let ground: SearchGround
/** Sees both centers and both passes, and not what identifies. */
let whole: Person
/** The three subjects: high in the first pass, high in the second alone, high at the southern center. */
let high: string
let low: string
let southern: string

beforeAll(async () => {
  const { services, study, people } = world
  whole = await addMember(services, study, 'whole', 'CRA', [study.north, study.south])
  high = await enrol(world)
  low = await enrol(world)
  southern = await enrol(world, people.south, study.south)
  // Queries 1, 2 and 3, about the visit: both passes see them.
  for (const patientId of [high, low, southern]) {
    const place = queryPlace(world, patientId, { pageId: null, pageRepeat: null, pass: null })
    await ask(world, whole, patientId, { place })
  }
  ground = await makeGround(world)
  await planFolder(world, {
    kind: 'planned',
    anchor: { of: 'enrolment' },
    day: 14,
    before: 3,
    after: 3,
    repeating: false,
  })
  const put = (patientId: string, centerId: string, sbp: number, pass: 1 | 2 = 1) =>
    putEntry(world, ground, { patientId, centerId, folderId: ground.visits[1], values: { sbp, contact: '王' }, pass })
  await put(high, study.north, 150)
  await put(low, study.north, 100)
  await put(low, study.north, 150, 2)
  await put(southern, study.south, 150)
})

const asks = (code: string, test: AnswerTest): Condition => ({
  kind: 'field',
  field: { pageId: ground.pageId, table: null, code, part: null },
  at: { which: 'any' },
  test,
})

async function keep(who: Person, condition = asks('sbp', { op: 'ge', value: 140 }), isShared = true): Promise<string> {
  const body = { id: newId(), projectId: world.study.projectId, name: '收缩压≥140', isShared, condition }
  return (await call(world, who, 'search.save', { body })).id
}

async function queries(who: Person, searchId: string): Promise<readonly number[]> {
  return numbersOf(await shown(world, who, { searchId }))
}

async function ofVisits(who: Person, searchId: string): Promise<readonly string[]> {
  const query = { projectId: world.study.projectId, searchId, today: '2026-12-10', current: 1, size: 500 }
  const { records, total } = await call(world, who, 'visit.list', { query })
  expect(total).toBe(records.length)
  return [...new Set(records.map(({ patientId }) => patientId))].toSorted()
}

/** Why each of the lists is refused; null where it is given. */
async function refusals(who: Person, searchId: string) {
  const query = { projectId: world.study.projectId, searchId, current: 1, size: 10 }
  return Promise.all([
    refusal(call(world, who, 'query.list', { query: { ...query, sort: 'no' } })),
    refusal(call(world, who, 'visit.list', { query })),
    refusal(call(world, who, 'patient.list', { query })),
  ])
}
const all = (code: string | null) => [code, code, code]

describe('a list of queries or of visits under a kept search', () => {
  it('is of the subjects whom the search finds, and narrowed down further by the rest of the filter', async () => {
    const id = await keep(whole)
    expect(await queries(whole, id)).toEqual([1, 3])
    expect(numbersOf(await shown(world, whole, { searchId: id, centerId: world.study.south }))).toEqual([3])
    expect(numbersOf(await shown(world, whole, { searchId: id, state: ['closed'] }))).toEqual([])
    expect(numbersOf(await shown(world, whole, { searchId: id, sort: '-no', size: 1, current: 2 }))).toEqual([1])
    expect(await ofVisits(whole, id)).toEqual([high, southern].toSorted())
  })

  it('is of the subjects whom its reader sees, whoever kept the search', async () => {
    const id = await keep(whole)
    expect(await queries(world.people.lin, id)).toEqual([1])
    expect(await ofVisits(world.people.lin, id)).toEqual([high])
    expect(await queries(world.people.south, id)).toEqual([3])
  })

  it('is judged by the answers of the reader’s pass; of who compares both by the first', async () => {
    const { services, study } = world
    const id = await keep(whole)
    const second = await addMember(services, study, 'second pass', 'CRC', [study.north, study.south])
    await services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [second.userId])
    expect(await queries(second, id)).toEqual([2])
    expect(await ofVisits(second, id)).toEqual([low])
    expect(await queries(whole, id)).toEqual([1, 3])
  })

  it('is judged when it is asked for, not when the search was kept', async () => {
    const id = await keep(whole, asks('sbp', { op: 'ge', value: 180 }))
    expect(await queries(whole, id)).toEqual([])
    const set = (sbp: number) =>
      world.services.pool.query(`UPDATE entry SET "values" = jsonb_set("values", '{sbp}', $2) WHERE patient_id = $1`, [
        southern,
        JSON.stringify(sbp),
      ])
    await set(190)
    expect(await queries(whole, id)).toEqual([3])
    expect(await ofVisits(whole, id)).toEqual([southern])
    await set(150)
  })
})

describe('a search that cannot be used', () => {
  it('because it asks about what identifies, narrows nothing down for who may not see that', async () => {
    const id = await keep(world.people.lin, asks('contact', { op: 'contains', value: '王' }))
    expect(await refusals(whole, id)).toEqual(all('forbidden'))
    expect(await queries(world.people.lin, id)).toEqual([1, 2])
  })

  it('because it was removed, is not shared, or is of another project, is not there', async () => {
    const { services, study, people } = world
    const body = { id: await keep(whole), projectId: study.projectId }
    await call(world, whole, 'search.remove', { body })
    expect(await refusals(whole, body.id)).toEqual(all('not_found'))

    const own = await keep(whole, undefined, false)
    expect(await refusals(people.lin, own)).toEqual(all('not_found'))

    const other: Study = {
      ...study,
      projectId: newId(),
      versionId: newId(),
      north: newId(),
      south: newId(),
    }
    await makeStudy(services, other, people.admin)
    const elsewhere = await keep(whole)
    await world.database.ownerPool.query('UPDATE search SET project_id = $2 WHERE id = $1', [
      elsewhere,
      other.projectId,
    ])
    expect(await refusals(whole, elsewhere)).toEqual(all('not_found'))
  })

  it('because its field is in no release any more, narrows nothing down', async () => {
    const id = await keep(whole)
    const gone = asks('nowhere', { op: 'filled' })
    await world.services.pool.query('UPDATE search SET condition = $2 WHERE id = $1', [id, JSON.stringify(gone)])
    expect(await refusals(whole, id)).toEqual(all('invalid'))
  })
})
