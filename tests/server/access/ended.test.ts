import { afterEach, beforeEach, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { scopeText } from '#core/sync/scope.ts'
import type { World } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, makeWorld, save, vitals } from '#tests/server/support/world.ts'

/** A right that ended ends what it gave: notices, downloads under way, answers that were stored. */

let world: World
let patient: string
beforeEach(async () => {
  world = await makeWorld()
  patient = await enrol(world)
})
afterEach(() => world.close())

it('notices end with the membership', async () => {
  const expert = await addMember(world.services, world.study, 'told', 'PI', [world.study.north])
  const { rows } = await world.services.pool.query<{ id: string }>(`UPDATE member SET type = 'expert' WHERE user_id = $1 RETURNING id`, [expert.userId])
  await call(world, world.people.lin, 'patient.expertSave', { body: { patientId: patient, expertIds: [rows[0]?.id ?? ''] }, notify: true })
  await world.services.pool.query(`UPDATE member SET end_dt = '2020-01-01' WHERE id = $1`, [rows[0]?.id])
  expect((await call(world, expert, 'notice.list', { query: { status: '0', current: 1, size: 10 } })).records).toEqual([])
})

it('a download of an administrator ends with their account', async () => {
  const { people, study, services } = world
  for (let n = 0; n < 230; n += 1) await services.pool.query(
    `INSERT INTO change (project_id, kind, row_id, seq, center_id, pass) SELECT $1, 'patient', $2, seq, $3, NULL FROM project WHERE id = $1`, [study.projectId, newId(), study.north])
  const scope = scopeText({ kind: 'center', projectId: study.projectId, centerId: study.north, pass: 1 })
  const lines: unknown[] = []
  let failed: unknown = null
  try {
    for await (const line of await call(world, people.admin, 'sync.pull', { query: { scope, cursor: 0, deviceId: people.admin.deviceId } })) {
      if (lines.length === 0) await services.pool.query(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, [people.admin.userId])
      lines.push(line)
    }
  } catch (error) { failed = error }
  expect([failed === null, JSON.stringify(lines).includes('"patient"')]).toEqual([false, false])
})

it('a stored comparison is not had again without the right to compare', async () => {
  const { people, services } = world
  await services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [people.wu.userId])
  const target = vitals(world, patient)
  await save(world, people.lin, change(target, { weight: 65 }))
  const second = { ...target, pass: 2 as const }
  await call(world, people.wu, 'entry.save', { id: entryId(second), pass: 2, body: change(second, { weight: 56 }) })
  const found = await call(world, people.manager, 'double.gapCheck', { id: patient })
  const gap = found.gaps[0]
  await call(world, people.manager, 'double.gapIgnore', { body: { dataIdList: [gap?.id ?? ''], isIgnoreGap: 1, reason: 'x' } as never })
  const merge = { key: newId(), body: { patientId: patient, compared: found.compared, choices: [] } as never }
  await call(world, people.manager, 'double.merge', merge)
  // Only a monitor of the other center from now on.
  await services.pool.query(`UPDATE member SET role = 'CRA' WHERE user_id = $1`, [people.manager.userId])
  await services.pool.query(`UPDATE member_center SET removed = true WHERE center_id = $1 AND member_id = (SELECT id FROM member WHERE user_id = $2)`, [world.study.north, people.manager.userId])
  const again = await call(world, people.manager, 'double.merge', merge).catch(() => null)
  expect(again).toBeNull()
})
