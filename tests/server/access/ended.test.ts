import type { Readable } from 'node:stream'
import { beforeEach, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { endSessionsOfUser } from '#server/areas/auth/store.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** A right that ended ends what it gave: notices, downloads under way, answers that were stored. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

it('notices end with the membership', async () => {
  const expert = await addMember(world.services, world.study, 'told', 'PI', [world.study.north])
  const { rows } = await world.services.pool.query<{ id: string }>(
    `UPDATE member SET type = 'expert' WHERE user_id = $1 RETURNING id`,
    [expert.userId],
  )
  await call(world, world.people.lin, 'patient.expertSave', {
    body: { patientId: patient, expertIds: [rows[0]?.id ?? ''] },
    notify: true,
  })
  await world.services.pool.query(`UPDATE member SET end_dt = '2020-01-01' WHERE id = $1`, [rows[0]?.id])
  expect((await call(world, expert, 'notice.list', { query: { status: '0', current: 1, size: 10 } })).records).toEqual(
    [],
  )
})

it('a download of an administrator ends with their account', async () => {
  const { people, study, services } = world
  for (let n = 0; n < 230; n += 1)
    await services.pool.query(
      `INSERT INTO change (project_id, kind, row_id, seq, center_id, pass) SELECT $1, 'patient', $2, seq, $3, NULL FROM project WHERE id = $1`,
      [study.projectId, newId(), study.north],
    )
  const scope = scopeText({ kind: 'center', projectId: study.projectId, centerId: study.north, pass: 1 })
  const lines: unknown[] = []
  let failed: unknown = null
  try {
    for await (const line of await call(world, people.admin, 'sync.pull', {
      query: { scope, cursor: 0, deviceId: people.admin.deviceId },
    })) {
      if (lines.length === 0)
        await services.pool.query(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, [people.admin.userId])
      lines.push(line)
    }
  } catch (error) {
    failed = error
  }
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
  await call(world, people.manager, 'double.gapIgnore', {
    body: { dataIdList: [gap?.id ?? ''], isIgnoreGap: 1, reason: 'x' } as never,
  })
  const merge = { key: newId(), body: { patientId: patient, compared: found.compared, choices: [] } as never }
  await call(world, people.manager, 'double.merge', merge)
  // Only a monitor of the other center from now on.
  await services.pool.query(`UPDATE member SET role = 'CRA' WHERE user_id = $1`, [people.manager.userId])
  await services.pool.query(
    `UPDATE member_center SET removed = true WHERE center_id = $1 AND member_id = (SELECT id FROM member WHERE user_id = $2)`,
    [world.study.north, people.manager.userId],
  )
  const again = await call(world, people.manager, 'double.merge', merge).catch(() => null)
  expect(again).toBeNull()
})

/** A session that somebody works in. */
async function signedIn({ userId, sessionId }: Person): Promise<void> {
  await world.services.pool.query(
    `INSERT INTO session (id, family, user_id, client_id, access_hash, access_expires_at, refresh_hash, refresh_expires_at)
     VALUES ($1::uuid, $1::uuid, $2, 'zhenglu', $1::text, now() + interval '1 hour', $1::text || 'r', now() + interval '1 day')`,
    [sessionId, userId],
  )
}

const endedByAdmin = (person: Person) =>
  endSessionsOfUser(world.services.pool, person.userId, 'session_revoked', world.services.now())
const became = (person: Person, role: string) =>
  world.services.pool.query('UPDATE member SET role = $2 WHERE user_id = $1', [person.userId, role])
const leaves = (person: Person) =>
  world.services.pool.query(`UPDATE member SET status = 'pause' WHERE user_id = $1`, [person.userId])

interface Downloaded {
  /** Whether the patient was in what came. */
  readonly patient: boolean
  readonly whole: boolean
}

/** A tablet's download, in which something happens when it has begun. */
async function pulled(person: Person, meanwhile: (person: Person) => Promise<unknown>): Promise<Downloaded> {
  const { projectId, north: centerId } = world.study
  const query = {
    scope: scopeText({ kind: 'center', projectId, centerId, pass: 1 }),
    cursor: 0,
    deviceId: person.deviceId ?? '',
  }
  let came = { patient: false, whole: false }
  let happened = false
  try {
    for await (const line of await call(world, person, 'sync.pull', { query })) {
      if (line.t === 'start') happened = (await meanwhile(person)) !== null
      if (line.t === 'put' && line.id === patient) came = { ...came, patient: true }
      if (line.t === 'end') came = { ...came, whole: true }
    }
  } catch (error) {
    if (!happened) throw error
  }
  return came
}

/** The sheet of patients, where something happens before its rows are fetched. */
async function sheet(person: Person, meanwhile: (person: Person) => Promise<unknown>): Promise<'whole' | 'ended'> {
  const { projectId } = world.study
  const { body } = await call(world, person, 'patient.excel', { params: { name: '受试者.xlsx' }, query: { projectId } })
  await meanwhile(person)
  try {
    await (body as Readable).toArray()
    return 'whole'
  } catch {
    return 'ended'
  }
}

const nothing = () => Promise.resolve()

it('a download that is under way ends with the session and with the membership', async () => {
  const { lin, wu } = world.people
  await signedIn(lin)
  expect(await pulled(lin, nothing)).toEqual({ patient: true, whole: true })
  expect(await pulled(lin, endedByAdmin)).toEqual({ patient: false, whole: false })
  expect(await pulled(wu, leaves)).toEqual({ patient: false, whole: false })
})

it('a download goes on over a session that only came of age', async () => {
  const { lin } = world.people
  await signedIn(lin)
  const renewed = () =>
    world.services.pool.query(
      `UPDATE session SET refreshed_at = now(), access_expires_at = now() - interval '1 minute'`,
    )
  expect(await pulled(lin, renewed)).toEqual({ patient: true, whole: true })
})

it('a sheet of patients that is under way ends with the session, the membership and the right to export', async () => {
  const { manager } = world.people
  await signedIn(manager)
  expect(await sheet(manager, nothing)).toBe('whole')
  expect(await sheet(manager, (person) => became(person, 'CRA'))).toBe('ended')
  await became(manager, 'DBD')
  expect(await sheet(manager, endedByAdmin)).toBe('ended')
  const other = await addMember(world.services, world.study, 'other', 'DBD', [world.study.north])
  expect(await sheet(other, leaves)).toBe('ended')
})
