import { beforeAll, expect, it } from 'vitest'
import { act, ask } from '#tests/server/areas/query/support.ts'
import { call, change, enrol, save, setStatus, vitals } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What the home page tells: of each project one can enter, how much waits within what one may see. */

const world = worldForAllTests()
beforeAll(async () => {
  const { lin } = world.people
  await save(world, lin, change(vitals(world, await enrol(world)), { weight: 65 }))
  await save(world, lin, change(vitals(world, await enrol(world)), { height: 170 }))
  await save(world, lin, change(vitals(world, await enrol(world)), { height: 168 }), { as: 'entry.submit' })
})

async function told(who: Person) {
  return (await call(world, who, 'project.aboutme')).projects
}

it('counts pages that lack something and pages that are not submitted, each once', async () => {
  const { lin, monitor } = world.people
  const own = { projectId: world.study.projectId, missing: 1, process: 1, conflicts: 0, queries: 0 }
  expect(await told(lin)).toEqual([{ ...own, role: 'CRC' }])
  expect(await told(monitor)).toEqual([{ ...own, role: 'CRA' }])
})

it('counts the queries that wait for the one who asks', async () => {
  const { lin, monitor } = world.people
  const query = await ask(world, monitor, await enrol(world))
  expect(await told(lin)).toMatchObject([{ queries: 1 }])
  expect(await told(monitor)).toMatchObject([{ queries: 0 }])
  await act(world, lin, query, 'answer')
  expect(await told(lin)).toMatchObject([{ queries: 0 }])
  expect(await told(monitor)).toMatchObject([{ queries: 1 }])
})

it('counts nothing of other centers, and tells a stranger of no project', async () => {
  expect(await told(world.people.south)).toMatchObject([{ missing: 0, process: 0, conflicts: 0 }])
  expect(await told(world.people.stranger)).toEqual([])
})

it('still tells of a paused project', async () => {
  await setStatus(world, 'stop')
  expect(await told(world.people.lin)).toMatchObject([{ missing: 1, process: 1 }])
  await setStatus(world, 'process')
})
