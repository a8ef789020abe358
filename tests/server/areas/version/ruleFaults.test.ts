import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RuleFaultLine } from '#core/api/calls/design.ts'
import { entryId } from '#core/derivedIds.ts'
import { forgetReleased } from '#server/areas/entry/reading/pages.ts'
import { VITALS, call, change, enrol, makeWorld, refusal, save, vitals } from '#tests/server/support/world.ts'
import type { Person, World } from '#tests/server/support/world.ts'

/** A rule that fails on what is entered stops nobody, and is told to who writes the rules. */

let world: World
beforeAll(async () => {
  world = await makeWorld()
  const option = JSON.parse(VITALS) as { column: { prop: string; zl?: object }[] }
  const column = option.column.map((one) =>
    one.prop === 'note'
      ? {
          ...one,
          zl: {
            checks: [1, 2].map((no) => ({
              id: `c${no}`,
              when: 'matches(page.note, "(")',
              severity: 'error',
              message: { zh: '核对' },
            })),
          },
        }
      : one,
  )
  await world.database.ownerPool.query('UPDATE crf_page SET option = $2 WHERE page_id = $1', [
    world.study.vitalsId,
    JSON.stringify({ column }),
  ])
  forgetReleased()
}, 60_000)
afterAll(() => world.close())

const list = (who: Person): Promise<readonly RuleFaultLine[]> =>
  call(world, who, 'version.ruleFaults', { query: { crfId: world.study.versionId } })

describe('a rule that fails', () => {
  it('is noted once for each saving, with the last entry and without any value', async () => {
    const { lin, south, manager } = world.people
    const patients = [
      await enrol(world, lin),
      await enrol(world, lin),
      await enrol(world, south, world.study.south),
    ] as const
    await save(world, lin, change(vitals(world, patients[0]), { height: 170 }))
    expect(await list(manager)).toEqual([])
    await save(world, lin, change(vitals(world, patients[0]), { note: '秘密的话' }))
    await save(world, lin, change(vitals(world, patients[1]), { note: '别的话' }))
    const [line, ...more] = await list(manager)
    expect(more).toEqual([])
    expect(line).toMatchObject({
      version: 'V1.0',
      pageId: world.study.vitalsId,
      field: 'note',
      role: 'check',
      count: 2,
      last: { patientId: patients[1], entryId: entryId(vitals(world, patients[1])) },
    })
    expect(JSON.stringify(line)).not.toMatch(/话/)
    await save(world, south, change(vitals(world, patients[2]), { note: '南方' }))
    expect(await list(manager)).toMatchObject([{ count: 3, last: { patientId: patients[2] } }])
  })

  it('is told within the reader’s centers, and only to who may write rules', async () => {
    const { manager, lin, stranger } = world.people
    expect([await refusal(list(lin)), await refusal(list(stranger))]).toEqual(['forbidden', 'not_found'])
    await world.database.ownerPool.query(`UPDATE member SET data_scope = 'center' WHERE user_id = $1`, [manager.userId])
    await world.database.ownerPool.query(
      `UPDATE member_center SET removed = true WHERE center_id = $2 AND member_id = (SELECT id FROM member WHERE user_id = $1)`,
      [manager.userId, world.study.south],
    )
    expect(await list(manager)).toMatchObject([{ count: 2 }])
  })
})
