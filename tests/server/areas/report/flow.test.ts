import { beforeAll, expect, it } from 'vitest'
import type { MeasureCode } from '#core/report/kinds.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol, enrolment, planFolder, visitOf } from '#tests/server/support/world.ts'
import { newId } from '#core/ids.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** How far subjects came, as the flow of subjects counts them, and for whom. */

const world = worldForAllTests()
let chief: Person
let left: string
let completed: string
let far: string
let before: string

interface Said {
  readonly field: 'actualDate' | 'outcome' | 'outcomeReason'
  readonly to: string
}

async function say(who: Person, patientId: string, said: readonly Said[]): Promise<void> {
  const fields = said.map((one) => ({ ...one, base: null }))
  await call(world, who, 'visit.save', { body: { ...visitOf(world, patientId), fields, reason: null } })
}

const stopped = (why: string): readonly Said[] => [
  { field: 'outcome', to: 'stopped' },
  { field: 'outcomeReason', to: why },
]

beforeAll(async () => {
  const { services, study, people } = world
  chief = await addMember(services, study, 'chief', 'CRA', [study.north, study.south])
  await planFolder(world, {
    kind: 'planned',
    anchor: { of: 'enrolment' },
    day: 7,
    before: 2,
    after: 2,
    repeating: false,
  })
  left = await enrol(world)
  completed = await enrol(world)
  await enrol(world)
  far = await enrol(world, people.south, study.south)
  before = newId()
  await call(world, people.lin, 'patient.save', { body: enrolment(world, before, { enrolledOn: null }) })
  await services.pool.query('UPDATE patient SET no = NULL, no_seq = NULL WHERE id = $1', [before])
  await say(people.lin, left, stopped('失访。'))
  await say(people.lin, completed, [{ field: 'actualDate', to: '2026-11-09' }])
  await say(people.south, far, stopped('撤回同意。'))
  await say(people.lin, before, stopped('筛选失败。'))
})

function read(who: Person, centerId?: string) {
  const query = { projectId: world.study.projectId, kind: 'flow' as const }
  return call(world, who, 'report.read', { query: centerId === undefined ? query : { ...query, centerId } })
}

async function behind(who: Person, measure: MeasureCode): Promise<readonly string[]> {
  const query = { projectId: world.study.projectId, kind: 'flow' as const, measure, current: 1, size: 50 }
  return (await call(world, who, 'report.subjects', { query })).records.map(({ patientId }) => patientId)
}

it('every enrolled subject is in follow-up, has completed or has withdrawn', async () => {
  const { lines, total, reasons } = await read(chief)
  expect(lines.find(({ id }) => id === world.study.north)?.figures).toEqual({
    subjects: 4,
    unnumbered: 1,
    leftBefore: 1,
    numbered: 3,
    following: 1,
    completed: 1,
    withdrawn: 1,
  })
  expect(total).toMatchObject({ subjects: 5, numbered: 4, withdrawn: 2 })
  // Who left before enrolment is no withdrawal of the study.
  expect(reasons.map(({ text }) => text).toSorted()).toEqual(['失访。', '撤回同意。'].toSorted())
})

it('each box opens its subjects', async () => {
  expect(await behind(chief, 'completed')).toEqual([completed])
  expect(await behind(chief, 'leftBefore')).toEqual([before])
  expect((await behind(chief, 'withdrawn')).toSorted()).toEqual([left, far].toSorted())
})

it('a reader of one center sees neither subjects nor reasons of another', async () => {
  const { total, reasons } = await read(world.people.south)
  expect(total).toMatchObject({ subjects: 1, withdrawn: 1 })
  expect(reasons).toEqual([{ text: '撤回同意。', count: 1 }])
  expect(await behind(world.people.south, 'withdrawn')).toEqual([far])
  expect((await read(chief, world.study.north)).reasons).toEqual([{ text: '失访。', count: 1 }])
})

it('without planned visits nobody can tell who completed', async () => {
  await planFolder(world, null)
  const { total } = await read(chief)
  expect(total).toMatchObject({ numbered: 4, withdrawn: 2 })
  expect(total['completed'] ?? null).toBeNull()
  expect(total['following'] ?? null).toBeNull()
})
