import { beforeAll, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { call, change, enrol, enrolment, planFolder, save, visitOf, vitals } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** The list of all visits is kept in memory between two looks, and says at each what each patient's own list says. */

const world = worldForAllTests()
beforeAll(async () => {
  await planFolder(world, {
    kind: 'planned',
    anchor: { of: 'enrolment' },
    day: 7,
    before: 2,
    after: 2,
    repeating: true,
  })
})

const TODAY = '2026-11-20'
const query = () => ({ projectId: world.study.projectId, today: TODAY, current: 1, size: 500 })

/** Looks at the list of all, and at each patient's own: the same lines, and by date. */
async function look(who: Person): Promise<ReadonlyMap<string, string>> {
  const all = (await call(world, who, 'visit.list', { query: query() })).records
  const { records: patients } = await call(world, who, 'patient.list', {
    query: { projectId: world.study.projectId, current: 1, size: 500 },
  })
  const own = await Promise.all(
    patients.map(
      async ({ id }) => (await call(world, who, 'visit.list', { query: { ...query(), patientId: id } })).records,
    ),
  )
  const dated = own
    .flat()
    .filter(
      (line) =>
        (line.actualDate ?? line.plannedDate) !== null && line.status !== 'removed' && line.status !== 'notApplicable',
    )
  const byId = (lines: readonly { readonly id: string }[]) => new Map(lines.map((line) => [line.id, line]))
  expect(byId(all)).toEqual(byId(dated))
  const days = all.map((line) => line.actualDate ?? line.plannedDate ?? '')
  expect(days).toEqual(days.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
  return new Map(all.map((line) => [line.patientId, line.status]))
}

it('follows whatever changes between two looks, for everybody within what they may see', async () => {
  const { lin, south, manager } = world.people
  const [a, b] = [await enrol(world), await enrol(world)]
  const c = await enrol(world, south, world.study.south)
  const lookAll = async () => [await look(lin), await look(south), await look(manager)] as const
  const [first, southern, all] = await lookAll()
  let [north, whole] = [first, all]
  expect([...north.keys()].toSorted()).toEqual([a, b].toSorted())
  expect([...southern.keys()]).toEqual([c])
  expect([...whole.keys()].toSorted()).toEqual([a, b, c].toSorted())
  expect(north.get(a)).toBe('overdue')

  await save(world, lin, change(vitals(world, a), { height: 170 }))
  await call(world, lin, 'visit.save', {
    body: { ...visitOf(world, b), fields: [{ field: 'actualDate', to: '2026-11-09', base: null }], reason: null },
  })
  ;[north] = await lookAll()
  expect([north.get(a), north.get(b)]).toEqual(['begun', 'inWindow'])

  const late = newId()
  await call(world, lin, 'patient.save', { body: enrolment(world, late, { enrolledOn: '2026-11-13' }) })
  await call(world, lin, 'patient.update', {
    body: {
      id: a,
      projectId: world.study.projectId,
      fields: [{ field: 'enrolledOn', to: '2026-10-01', base: '2026-11-02' }],
      reason: null,
    },
  })
  await call(world, lin, 'patient.remove', {
    body: { id: b, projectId: world.study.projectId, reason: { code: 'other', text: '误录' } },
  })
  ;[north, , whole] = await lookAll()
  expect([...north.keys()]).toEqual([a, late])
  expect(north.get(late)).toBe('due')
  expect([...whole.keys()]).toEqual([a, c, late])

  await planFolder(world, {
    kind: 'planned',
    anchor: { of: 'enrolment' },
    day: 30,
    before: 2,
    after: 2,
    repeating: true,
  })
  ;[north] = await lookAll()
  expect(north.get(late)).toBe('planned')
})

it('is the same for many who look while others write', async () => {
  const { lin, manager } = world.people
  const ids = await Promise.all(Array.from({ length: 8 }, () => enrol(world)))
  const looks = Array.from({ length: 6 }, () => call(world, manager, 'visit.list', { query: query() }))
  const writes = ids.map((id) => save(world, lin, change(vitals(world, id), { weight: 61 })))
  await Promise.all([...looks, ...writes])
  const statuses = await look(manager)
  for (const id of ids) expect(statuses.get(id)).toBe('begun')
})
