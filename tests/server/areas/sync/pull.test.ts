import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { rowKinds } from '#core/api/sync/rows.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import {
  addVersion,
  announce,
  call,
  change,
  enrol,
  pull,
  refusal,
  save,
  vitals,
  VITALS,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

const world = worldForAllTests()
let north: string
beforeAll(async () => {
  const { projectId, north: centerId } = world.study
  north = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
})

const puts = (lines: readonly PullLine[]) => lines.flatMap((line) => (line.t === 'put' ? [line] : []))
const endOf = (lines: readonly PullLine[]) => {
  const last = lines.at(-1)
  return last?.t === 'end' ? last.cursor : Number.NaN
}

const versionOf = ([first]: readonly PullLine[]) => (first?.t === 'start' ? first.scopeVersion : null)

describe('a pull', () => {
  it('brings what is common to the project, each row as its schema says', async () => {
    const lines = await pull(world, world.people.lin, world.study.projectId)
    expect(
      puts(lines)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['center', 'project', 'version'])
    for (const { kind, row } of puts(lines)) expect(rowKinds[kind].safeParse(row)).toMatchObject({ success: true })
    expect(lines[0]).toMatchObject({ t: 'start', epoch: 'first', total: 4 })
  })

  it('brings members who have signed in since what the device has, with the hour, and nobody else', async () => {
    const { pool } = world.services
    const { lin, admin } = world.people
    const { projectId } = world.study
    const { rows: members } = await pool.query<{ id: string; userId: string }>(
      'SELECT id, user_id AS "userId" FROM member WHERE project_id = $1',
      [projectId],
    )
    await announce(
      pool,
      world.study,
      admin,
      members.map(({ id }) => ({ kind: 'member', rowId: id })),
    )
    const known = endOf(await pull(world, lin, projectId))
    const hour = new Date(Date.now() + 60_000).toISOString()
    const signIn = (at: string) => pool.query('UPDATE app_user SET last_login_at = $2 WHERE id = $1', [lin.userId, at])
    await signIn(new Date(Date.now() - 3_600_000).toISOString())
    expect(puts(await pull(world, lin, projectId, known))).toEqual([])
    await signIn(hour)
    const again = await pull(world, lin, projectId, known)
    expect(puts(again)).toMatchObject([{ kind: 'member', row: { userId: lin.userId, lastLoginTime: hour } }])
    expect(endOf(again)).toBe(known)
    expect(puts(await pull(world, lin, north)).map(({ kind }) => kind)).not.toContain('member')
    await pool.query('UPDATE app_user SET last_login_at = NULL WHERE id = $1', [lin.userId])
  })

  it('brings a center’s patients, entries and conflicts, and then only what changed', async () => {
    const { lin, wu } = world.people
    const patient = await enrol(world)
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    await save(world, wu, change(vitals(world, patient), { height: 171 }))
    const first = await pull(world, lin, north)
    expect(puts(first).map(({ kind }) => kind)).toEqual(['patient', 'conflict', 'entry'])
    for (const { kind, row } of puts(first)) expect(rowKinds[kind].safeParse(row)).toMatchObject({ success: true })
    expect(puts(await pull(world, lin, north, endOf(first)))).toEqual([])
    await save(world, lin, change(vitals(world, patient), { weight: 65 }))
    const next = puts(await pull(world, lin, north, endOf(first)))
    expect(next).toMatchObject([{ kind: 'entry', row: { values: { height: 170, weight: 65 }, conflicts: 1 } }])
  })

  it('brings of one patient who is named all that there is, and nothing of anybody else', async () => {
    const { lin, wu } = world.people
    const [patient, other] = [await enrol(world), await enrol(world)]
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    await save(world, wu, change(vitals(world, patient), { height: 171 }))
    await save(world, lin, change(vitals(world, other), { height: 180 }))
    const lines: PullLine[] = []
    for await (const line of await call(world, lin, 'sync.pull', {
      query: { scope: north, cursor: 0, deviceId: lin.deviceId, patientId: patient },
    }))
      lines.push(line)
    expect(lines[0]).toMatchObject({ t: 'start', total: 3 })
    expect(puts(lines).map(({ kind }) => kind)).toEqual(['patient', 'conflict', 'entry'])
    expect(
      puts(lines)
        .filter(({ kind }) => kind !== 'conflict')
        .every(({ id, row }) => id === patient || (row as { patientId?: string }).patientId === patient),
    ).toBe(true)
    expect(endOf(lines)).toBe(endOf(await pull(world, lin, north)))
  })

  it('masks what identifies a patient where the reader has no right to it', async () => {
    const rows = puts(await pull(world, world.people.monitor, north)).filter(({ kind }) => kind === 'patient')
    expect(rows.every(({ row }) => (row as { identity: unknown }).identity === null)).toBe(true)
    const own = puts(await pull(world, world.people.lin, north)).filter(({ kind }) => kind === 'patient')
    expect(own[0]).toMatchObject({ row: { identity: { name: '张三' } } })
  })

  it('ends at the reader’s project, centers and pass', async () => {
    const { lin, south, stranger } = world.people
    const { projectId, north: centerId } = world.study
    expect(await refusal(pull(world, stranger, north))).toBe('not_found')
    expect(await refusal(pull(world, south, north))).toBe('forbidden')
    expect(await refusal(pull(world, lin, scopeText({ kind: 'center', projectId, centerId, pass: 2 })))).toBe(
      'forbidden',
    )
    expect(await refusal(pull(world, lin, 'nonsense'))).toBe('invalid')
  })

  it('drops what is not the device’s to see any more', async () => {
    const { lin, admin } = world.people
    const { services, study } = world
    const first = await pull(world, lin, study.projectId)
    await services.pool.query(`UPDATE crf_version SET profile = 'test' WHERE id = $1`, [study.versionId])
    await announce(services.pool, study, admin, [{ kind: 'version', rowId: study.versionId }])
    const next = await pull(world, lin, study.projectId, endOf(first))
    expect(next.filter(({ t }) => t === 'put' || t === 'drop')).toMatchObject([
      { t: 'drop', kind: 'version', id: study.versionId },
    ])
    expect((await pull(world, lin, study.projectId)).some(({ t }) => t === 'drop')).toBe(false)
    await services.pool.query(`UPDATE crf_version SET profile = 'formal' WHERE id = $1`, [study.versionId])
  })

  it('has another scope version when the member’s rights change', async () => {
    const before = (await pull(world, world.people.wu, north))[0]
    await world.services.pool.query('UPDATE member SET rights_rev = rights_rev + 1 WHERE user_id = $1', [
      world.people.wu.userId,
    ])
    const after = (await pull(world, world.people.wu, north))[0]
    expect(before?.t === 'start' && after?.t === 'start' && before.scopeVersion !== after.scopeVersion).toBe(true)
  })

  it('has another scope version when a release may mask what was open, for those who see masks', async () => {
    const { lin, monitor, admin } = world.people
    const versions = async () => [
      versionOf(await pull(world, monitor, north)),
      versionOf(await pull(world, lin, north)),
    ]
    const [masked, open] = await versions()
    await addVersion(world.services.pool, world.study, admin, { id: newId(), no: 99, vitals: VITALS })
    const [maskedNow, openNow] = await versions()
    expect(maskedNow).not.toBe(masked)
    expect(openNow).toBe(open)
    expect(open).not.toBeNull()
  })

  it('can be taken up at any cursor line, and skips nothing that commits meanwhile', async () => {
    const { lin } = world.people
    for (let at = 0; at < 30; at += 1) {
      await Promise.all(Array.from({ length: 10 }, () => enrol(world)))
    }
    const seen = new Set<string>()
    let cursor = 0
    let pulls = 0
    const cursors: number[] = []
    const writing = (async () => {
      for (let at = 0; at < 40; at += 1) await Promise.all([enrol(world), enrol(world, world.people.wu)])
    })()
    // The device loses its connection after every cursor line, and resumes there.
    let resumed = true
    while (resumed) {
      resumed = false
      pulls += 1
      for await (const line of await call(world, lin, 'sync.pull', {
        query: { scope: north, cursor, deviceId: lin.deviceId },
      })) {
        if (line.t === 'put') seen.add(line.id)
        if (line.t === 'cursor') {
          cursors.push(line.cursor)
          cursor = line.cursor
          resumed = true
          break
        }
        if (line.t === 'end') cursor = line.cursor
      }
    }
    await writing
    for (const line of await pull(world, lin, north, cursor)) if (line.t === 'put') seen.add(line.id)
    const { rows } = await world.services.pool.query<{ id: string }>('SELECT id FROM patient WHERE center_id = $1', [
      world.study.north,
    ])
    expect(pulls).toBeGreaterThan(1)
    expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => a - b))
    expect(rows.filter(({ id }) => !seen.has(id))).toEqual([])
  })
})
