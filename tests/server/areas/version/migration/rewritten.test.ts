import { expect, it } from 'vitest'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { bookRewritten } from '#server/areas/version/migration/rewritten.ts'
import { pull, setStatus } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Versions that a migration of the schema has rewritten. */

const world = worldForAllTests()

const verify = () => verifyChain(world.services.pool, world.study.projectId)
const booked = async () => {
  const { rows } = await world.database.ownerPool.query<{ version_id: string }>(
    `SELECT version_id FROM audit WHERE project_id = $1 AND action = 'version.rewritten'`,
    [world.study.projectId],
  )
  return rows.map(({ version_id: id }) => id)
}

it('are in the trail after the next start, also of a closed project, and come to every device once', async () => {
  const { study, database, people, services } = world
  const versions = async (cursor: number) =>
    (await pull(world, people.lin, study.projectId, cursor)).flatMap((line) =>
      line.t === 'put' && line.kind === 'version' ? [line.id] : [],
    )
  await setStatus(world, 'close')
  const { rows: before } = await database.ownerPool.query<{ seq: number }>('SELECT seq FROM project WHERE id = $1', [
    study.projectId,
  ])
  const known = before[0]?.seq ?? Number.NaN
  expect(await versions(known)).toEqual([])

  // As 0029 leaves them.
  const { rows } = await database.ownerPool.query<{ id: string }>(
    `UPDATE change c SET seq = p.seq + 1 FROM project p WHERE p.id = c.project_id AND c.kind = 'version' AND p.id = $1 RETURNING c.row_id AS id`,
    [study.projectId],
  )
  const rewritten = rows.map(({ id }) => id)
  expect(rewritten).not.toEqual([])
  expect(await verify()).toMatchObject({ holds: false })

  await bookRewritten(services)
  expect(await booked()).toEqual(rewritten)
  expect(await verify()).toMatchObject({ holds: true })
  expect(await versions(known)).toEqual(rewritten)
  await bookRewritten(services)
  expect(await booked()).toEqual(rewritten)
  expect(await versions(known + 1)).toEqual([])
})

it('are not taken for what is left where somebody has cut the trail', async () => {
  const { study, database, services } = world
  await database.ownerPool.query(`UPDATE project SET seq = seq - 1 WHERE id = $1`, [study.projectId])
  await database.ownerPool.query(
    `UPDATE change c SET seq = p.seq + 1 FROM project p WHERE p.id = c.project_id AND p.id = $1 AND c.kind IN ('version', 'center')`,
    [study.projectId],
  )
  const before = await booked()
  await bookRewritten(services)
  expect(await booked()).toEqual(before)
})
