import { beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { updateMember } from '#server/areas/member/store.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  call,
  change,
  enrol,
  item,
  operationOf,
  pull,
  push,
  refusal,
  save,
  visitOf,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Experts see the patients that are assigned to them and no others, in whatever way they ask. */

const world = worldForAllTests()
let mine: string
let others: string
let count = 0
beforeEach(async () => {
  mine = await enrol(world)
  others = await enrol(world)
  for (const id of [mine, others]) {
    await save(world, world.people.lin, change(vitals(world, id), { weight: 60 }))
    await call(world, world.people.lin, 'visit.save', {
      body: { ...visitOf(world, id), fields: [{ field: 'actualDate', to: '2026-11-03', base: null }], reason: null },
    })
  }
})

interface Joined {
  readonly person: Person
  readonly memberId: string
}

async function join(
  role: ProjectRole,
  columns: string,
  centers: readonly string[] = [world.study.north],
): Promise<Joined> {
  count += 1
  const person = await addMember(world.services, world.study, `joined${count}`, role, centers)
  const { rows } = await world.services.pool.query<{ id: string }>(
    `UPDATE member SET ${columns} WHERE user_id = $1 RETURNING id`,
    [person.userId],
  )
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
    person.deviceId,
    person.userId,
  ])
  return { person, memberId: rows[0]?.id ?? '' }
}

const expert = (role: ProjectRole = 'PI', centers?: readonly string[]) => join(role, `type = 'expert'`, centers)
const experts = (
  patientId: string,
  expertIds: string[],
  more: { readonly notify?: boolean; readonly who?: Person } = {},
) =>
  call(world, more.who ?? world.people.lin, 'patient.expertSave', {
    body: { patientId, expertIds },
    ...(more.notify === undefined ? {} : { notify: more.notify }),
  })
const members = (patientId: string, memIds: string[]) =>
  call(world, world.people.lin, 'patient.memberSave', { body: { patientId, memIds } })
const list = async (who: Person, query: object = {}) =>
  (
    await call(world, who, 'patient.list', {
      query: { projectId: world.study.projectId, current: 1, size: 500, ...query },
    })
  ).records.map(({ id }) => id)

describe('an expert', () => {
  it('sees nobody until a patient is assigned to them, and then that patient alone, wherever they ask', async () => {
    const { person, memberId } = await expert('DBD')
    expect(await list(person)).toEqual([])
    expect(await experts(mine, [memberId])).toBe(true)
    const { projectId } = world.study
    expect(await list(person)).toEqual([mine])
    expect(await refusal(call(world, person, 'patient.detail', { query: { id: others } }))).toBe('not_found')
    expect(await refusal(call(world, person, 'entry.list', { query: { patientId: others } }))).toBe('not_found')
    expect(await call(world, person, 'entry.list', { query: { patientId: mine } })).toHaveLength(1)
    const seen = async (records: Promise<{ readonly records: readonly object[] }>) =>
      new Set((await records).records.flatMap((row) => ('patientId' in row ? [row.patientId] : [])))
    expect(await seen(call(world, person, 'entry.marks', { query: { projectId, current: 1, size: 500 } }))).toEqual(
      new Set([mine]),
    )
    const trail = await seen(call(world, person, 'audit.list', { query: { projectId, current: 1, size: 500 } }))
    expect(trail.has(mine)).toBe(true)
    expect(trail.has(others)).toBe(false)
    const visits = (
      await call(world, person, 'visit.list', { query: { projectId, today: '2026-11-20', current: 1, size: 500 } })
    ).records
    expect(new Set(visits.map((row) => row.patientId))).toEqual(new Set([mine]))
    expect(
      await refusal(
        call(world, person, 'attachment.ofPatient', { query: { patientId: others, current: 1, size: 10 } }),
      ),
    ).toBe('not_found')
    expect(await refusal(call(world, person, 'double.gapCheck', { id: others }))).toBe('not_found')
    expect(await refusal(call(world, person, 'double.detail', { query: { patientId: others } }))).toBe('not_found')
    expect(
      (await call(world, person, 'double.patients', { query: { current: 1, size: 500 } })).records.map(({ id }) => id),
    ).toEqual([mine])
    expect(
      (
        await call(world, person, 'entry.pagePatients', { id: world.study.vitalsId, query: { current: 1, size: 500 } })
      ).records.map(({ id }) => id),
    ).toEqual([mine])
  })

  it('learns nothing of another patient by the id of a page, of a file or of the patient, and changes nothing of them', async () => {
    const { person, memberId } = await expert('DBD')
    await experts(mine, [memberId])
    const { projectId, vitalsId, folderId } = world.study
    const paged = { current: 1, size: 100 }
    const ask = (patientId: string): Readonly<Record<string, () => Promise<unknown>>> => {
      const id = entryId(vitals(world, patientId))
      return {
        page: () =>
          call(world, person, 'entry.content', {
            crfId: world.study.versionId,
            query: { patientId, crfPageId: vitalsId, folderId },
          }),
        history: () => call(world, person, 'audit.field', { id, query: { projectId, prop: 'weight', ...paged } }),
        files: () => call(world, person, 'attachment.ofPage', { query: { id } }),
        passes: () => call(world, person, 'double.list', { id: patientId }),
      }
    }
    for (const attempt of Object.values(ask(mine))) await attempt()
    for (const [what, attempt] of Object.entries(ask(others)))
      expect([what, await refusal(attempt())]).toEqual([what, 'not_found'])
    const trail = (patientId: string) =>
      call(world, person, 'audit.list', { query: { projectId, patientId, ...paged } })
    expect((await trail(mine)).total).toBeGreaterThan(0)
    expect(await trail(others)).toMatchObject({ total: 0, records: [] })
    const images = (patientId: string) => call(world, person, 'attachment.images', { query: { patientId, ...paged } })
    expect((await images(others)).records).toEqual([])
    const work = (await call(world, person, 'project.aboutme', {})).projects.find((one) => one.projectId === projectId)
    expect((work?.missing ?? 0) + (work?.process ?? 0)).toBe(1)

    const editor = await expert('CRC')
    await experts(mine, [memberId, editor.memberId])
    const facts = (id: string) =>
      call(world, editor.person, 'patient.update', {
        body: { id, projectId, fields: [{ field: 'initials', to: 'EEE', base: 'ZS' }], reason: null },
      })
    expect((await facts(mine)).receipt.outcome).toBe('applied')
    expect(await refusal(facts(others))).toBe('not_found')
    expect(
      await refusal(
        call(world, editor.person, 'patient.remove', {
          body: { id: others, projectId, reason: { code: 'other', text: '误' } },
        }),
      ),
    ).toBe('not_found')
    expect(await refusal(experts(others, [editor.memberId], { who: editor.person }))).toBe('not_found')
  })

  it('sees conflicts and what waits in the inbox of their patients alone', async () => {
    const { person, memberId } = await expert('DBD')
    await experts(mine, [memberId])
    for (const id of [mine, others]) {
      await save(world, world.people.wu, change(vitals(world, id), { weight: item('weight', 1, 70) }))
      const late = operationOf(world, world.people.lin, {
        call: 'entry.save',
        entityId: entryId(vitals(world, id)),
        body: change(vitals(world, id), { height: 170 }),
        crfVersionId: world.study.versionId,
      })
      await world.services.pool.query(`UPDATE entry SET control = 'frozen' WHERE patient_id = $1`, [id])
      expect((await push(world, world.people.lin, [late])).get(late.key)).toMatchObject({
        receipt: { outcome: 'inbox' },
      })
    }
    const query = { projectId: world.study.projectId, current: 1, size: 500 }
    expect(
      new Set((await call(world, person, 'conflict.list', { query })).records.map((row) => row.patientId)),
    ).toEqual(new Set([mine]))
    expect(new Set((await call(world, person, 'sync.inbox', { query })).records.map((row) => row.patientId))).toEqual(
      new Set([mine]),
    )
  })

  it('downloads their patients alone, and when the assignment is taken back their devices are told to compare', async () => {
    const { person, memberId } = await expert()
    const { projectId, north: centerId } = world.study
    const scope = scopeText({ kind: 'center', projectId, centerId, pass: 1 })
    const pulled = async () => {
      const lines = await pull(world, person, scope)
      const [start] = lines
      const kinds = new Map(
        lines.flatMap((line) =>
          line.t === 'put'
            ? [[`${line.kind} ${(line.row as { id: string; patientId?: string }).patientId ?? line.id}`, line] as const]
            : [],
        ),
      )
      return { version: start?.t === 'start' ? start.scopeVersion : '', rows: new Set(kinds.keys()) }
    }
    const before = await pulled()
    expect(before.rows).toEqual(new Set())
    await experts(mine, [memberId])
    const assigned = await pulled()
    expect(assigned.version).not.toBe(before.version)
    expect(assigned.rows).toEqual(new Set([`patient ${mine}`, `visit ${mine}`, `entry ${mine}`]))
    const sizes = await call(world, person, 'sync.scopes', { query: { projectId } })
    expect(sizes.find((one) => one.centerId === centerId)).toMatchObject({ patients: 1, entries: 1 })
    await experts(mine, [])
    const after = await pulled()
    expect(after.version).not.toBe(assigned.version)
    expect(after.rows).toEqual(new Set())
  })

  it('writes to their patients; what they did offline for one that was taken back waits for a decision', async () => {
    const { person, memberId } = await expert()
    await experts(mine, [memberId])
    expect((await save(world, person, change(vitals(world, mine), { height: 171 }))).receipt.outcome).toBe('applied')
    expect(await refusal(save(world, person, change(vitals(world, others), { height: 171 })))).toBe('not_found')
    await experts(mine, [])
    const late = operationOf(world, person, {
      call: 'entry.save',
      entityId: entryId(vitals(world, mine)),
      body: change(vitals(world, mine), { height: item('height', 171, 172) }),
    })
    expect((await push(world, person, [late])).get(late.key)).toMatchObject({
      receipt: { outcome: 'inbox', reason: 'right_withdrawn' },
    })
  })

  it('is known for what they were when they are an expert no more', async () => {
    const { person, memberId } = await expert()
    await experts(mine, [memberId])
    await updateMember(world.services.pool, memberId, {
      userRole: 'PI',
      type: 'center',
      dataScope: 'center',
      centerIds: [world.study.north],
      entryPass: 1,
      crfApprove: 0,
      status: 'active',
      startDt: null,
      endDt: null,
      remark: null,
    })
    expect(await list(person)).toContain(others)
    const { rows } = await world.services.pool.query('SELECT former_scopes FROM member WHERE id = $1', [memberId])
    expect(rows).toEqual([{ former_scopes: ['assigned'] }])
  })
})

describe('assigning', () => {
  it('is in the trail with who was and who is, and whether those concerned were to be told', async () => {
    const { memberId } = await expert()
    await experts(mine, [memberId], { notify: true })
    await experts(mine, [], { notify: false })
    const { rows } = await world.services.pool.query(
      `SELECT v.old_value AS old, v.new_value AS "to" FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.patient_id = $1 AND a.action = 'patient.experts' ORDER BY a.seq`,
      [mine],
    )
    expect(rows).toEqual([
      { old: [], to: { members: [memberId], notify: true } },
      { old: [memberId], to: { members: [], notify: false } },
    ])
  })

  it('is for who may change patients, of patients that they see, and to experts of the patient’s center', async () => {
    const { memberId } = await expert()
    const elsewhere = await expert('PI', [world.study.south])
    const looksAfter = await join('CRC', `type = 'center'`)
    expect(await refusal(experts(mine, [memberId], { who: world.people.monitor }))).toBe('forbidden')
    expect(await refusal(experts(mine, [memberId], { who: world.people.south }))).toBe('not_found')
    expect(await refusal(experts(mine, [elsewhere.memberId]))).toBe('invalid')
    expect(await refusal(experts(mine, [looksAfter.memberId]))).toBe('invalid')
    expect(await refusal(members(mine, [memberId]))).toBe('invalid')
    expect(await refusal(experts(mine, [newId()]))).toBe('invalid')
  })

  it('shows who the patient is assigned to, and lists narrow down to it', async () => {
    const one = await expert()
    const two = await join('CRC', `type = 'center'`)
    await experts(mine, [one.memberId])
    await members(mine, [two.memberId])
    const row = await call(world, world.people.lin, 'patient.detail', { query: { id: mine } })
    expect(row).toMatchObject({ expertIds: [one.memberId], memIds: [two.memberId] })
    expect(await list(world.people.lin, { expertId: one.memberId })).toEqual([mine])
    expect(await list(two.person, { mine: 'true' })).toEqual([mine])
    expect(await list(two.person)).toContain(others)
  })
})

describe('a member with a scope of their own', () => {
  it('sees those that they look after besides those that they enrolled', async () => {
    const { person, memberId } = await join('CRC', `data_scope = 'self'`)
    const own = await enrol(world, person)
    expect(await list(person)).toEqual([own])
    await members(mine, [memberId])
    expect(new Set(await list(person))).toEqual(new Set([own, mine]))
    expect((await save(world, person, change(vitals(world, mine), { height: 171 }))).receipt.outcome).toBe('applied')
  })
})
