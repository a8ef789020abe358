import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, enrol, refusal } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Patients by entry pass: in the second are those whose second pass was opened, for who enters or compares it. */

const world = worldForAllTests()
let first: string
let doubled: string
beforeAll(async () => {
  await world.services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}' WHERE id = $1`, [
    world.study.projectId,
  ])
  await world.services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [world.people.wu.userId])
})
beforeEach(async () => {
  first = await enrol(world)
  doubled = await enrol(world)
  await call(world, world.people.lin, 'double.create', { body: { patientId: doubled, doubleSeqNo: 2 } })
})

const list = async (who: Person, pass: 1 | 2, no?: string) =>
  (
    await call(world, who, 'double.patients', {
      pass,
      query: { current: 1, size: 100, ...(no === undefined ? {} : { no }) },
    })
  ).records.map(({ id }) => id)
const detail = (who: Person, pass: 1 | 2, patientId: string) =>
  call(world, who, 'double.detail', { pass, query: { patientId } })

describe('patients of a pass', () => {
  it('are all in the first, and in the second those that have one', async () => {
    const { lin, wu, manager } = world.people
    expect(await list(lin, 1)).toEqual(expect.arrayContaining([first, doubled]))
    const second = await list(wu, 2)
    expect(second).toContain(doubled)
    expect(second).not.toContain(first)
    expect(await list(manager, 2)).toContain(doubled)
    const { no } = await detail(wu, 2, doubled)
    expect(await list(wu, 2, no ?? '')).toEqual([doubled])
  })

  it('of a pass that is not the reader’s tell nothing', async () => {
    const { lin, wu } = world.people
    expect(await list(lin, 2)).toEqual([])
    expect(await list(wu, 1)).toEqual([])
    expect(await refusal(detail(lin, 2, doubled))).toBe('not_found')
    expect(await refusal(detail(wu, 2, first))).toBe('not_found')
    expect((await detail(lin, 1, first)).id).toBe(first)
  })
})
