import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { call, change, enrolment, refusal, save, vitals } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What the list of patients can be narrowed down to, and who reads what of them. */

const world = worldForAllTests()
const ids: Record<string, string> = {}
beforeAll(async () => {
  const { lin, wu } = world.people
  const patients: readonly (readonly [string, Person, Parameters<typeof enrolment>[2]])[] = [
    ['zhang', lin, { initials: 'ZSF', sex: 'F', enrolledOn: '2026-01-10' }],
    ['li', lin, { initials: 'LXM', sex: 'M', enrolledOn: '2026-02-10' }],
    ['wang', wu, { initials: null, sex: null, enrolledOn: '2026-03-10' }],
    ['none', wu, { initials: 'ZZZ', sex: 'M', enrolledOn: null }],
  ]
  for (const [name, who, facts] of patients) {
    const id = newId()
    ids[name] = id
    await call(world, who, 'patient.save', { body: enrolment(world, id, facts) })
  }
  await save(world, lin, change(vitals(world, ids['li'] ?? ''), { height: 170 }))
})

const names = (found: readonly { readonly id: string }[]) =>
  found.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? '').toSorted((a, b) => (a < b ? -1 : 1))
const listed = async (query: object, who: Person = world.people.lin) =>
  names(
    (
      await call(world, who, 'patient.list', {
        query: { projectId: world.study.projectId, current: 1, size: 50, ...query },
      })
    ).records,
  )

describe('the list of patients can be narrowed down', () => {
  it('by a part of the number or of the initials', async () => {
    expect(await listed({ no: '002' })).toEqual(['li'])
    expect(await listed({ no: 'zs' })).toEqual(['zhang'])
    expect(await listed({ no: ' z ' })).toEqual(['none', 'zhang'])
    expect(await listed({ no: '%' })).toEqual([])
  })

  it('by sex, and by the days of enrolment, both of them included', async () => {
    expect(await listed({ sex: 'M' })).toEqual(['li', 'none'])
    expect(await listed({ from: '2026-02-10' })).toEqual(['li', 'wang'])
    expect(await listed({ to: '2026-02-10' })).toEqual(['li', 'zhang'])
    expect(await listed({ from: '2026-02-10', to: '2026-02-10', sex: 'F' })).toEqual([])
  })

  it('to those with data on a page, and with rows in a table of it', async () => {
    const { vitalsId, eventId } = world.study
    const wang = ids['wang'] ?? ''
    expect(await listed({ pageId: vitalsId })).toEqual(['li'])
    expect(await listed({ pageId: eventId })).toEqual([])
    const row = {
      table: 'drugs',
      rid: newId(),
      to: { deleted: false, order: 'a' },
      base: null,
      seen: null,
      reason: null,
    }
    await save(world, world.people.lin, change(vitals(world, wang), {}, { rows: [row] }))
    expect(await listed({ pageId: vitalsId })).toEqual(['li', 'wang'])
    expect(await listed({ pageId: vitalsId, table: 'drugs' })).toEqual(['wang'])
    expect(await listed({ pageId: vitalsId, table: 'drugs', sex: 'M' })).toEqual([])
    expect(await refusal(listed({ pageId: newId() }))).toBe('not_found')
    expect(await refusal(listed({ pageId: vitalsId, table: 'height' }))).toBe('not_found')
    expect(await refusal(listed({ table: 'drugs' }))).toBe('invalid')
  })

  it('to those with work to do, and to one’s own', async () => {
    expect(await listed({ todo: 'any' })).toEqual(['li', 'wang'])
    expect(await listed({ mine: 'true' })).toEqual(['li', 'zhang'])
    expect(await listed({ mine: 'true' }, world.people.monitor)).toEqual([])
  })
})

describe('what identifies patients', () => {
  const query = { current: 1, size: 50 }
  const all = async (who: Person, skipSensitive?: string) => {
    const skip = skipSensitive === undefined ? {} : { skipSensitive }
    const { projectId } = world.study
    const patientId = ids['zhang'] ?? ''
    const rows = [
      ...(await call(world, who, 'patient.list', { query: { projectId, ...query, ...skip } })).records,
      await call(world, who, 'patient.detail', { query: { id: patientId, ...skip } }),
      ...(await call(world, who, 'double.patients', { query: { ...query, ...skip } })).records,
      await call(world, who, 'double.detail', { query: { patientId, ...skip } }),
    ]
    return {
      rows,
      identified: rows.filter(({ identity }) => identity !== null).length,
      masked: rows.filter(({ masked }) => masked === true).length,
    }
  }

  it('is read by who holds the right to it, in every list and detail', async () => {
    const read = await all(world.people.lin)
    expect(read).toMatchObject({ identified: read.rows.length, masked: 0 })
    expect(JSON.stringify(read.rows)).toContain('张三')
  })

  it('is read by nobody else, nor by who asks to leave it out', async () => {
    for (const read of [
      await all(world.people.monitor),
      await all(world.people.manager),
      await all(world.people.lin, 'true'),
    ]) {
      expect(read).toMatchObject({ identified: 0, masked: read.rows.length })
      expect(JSON.stringify(read.rows)).not.toContain('张三')
      expect(JSON.stringify(read.rows)).not.toContain('13800000000')
    }
  })
})

describe('those who were removed', () => {
  it('are listed for who may see the audit trail, and only when they are asked for', async () => {
    const id = newId()
    ids['gone'] = id
    await call(world, world.people.lin, 'patient.save', { body: enrolment(world, id) })
    await call(world, world.people.lin, 'patient.remove', {
      body: { id, projectId: world.study.projectId, reason: { code: 'other', text: '误录' } },
    })
    expect(await listed({}, world.people.monitor)).not.toContain('gone')
    expect(await listed({ removed: 'true' }, world.people.monitor)).toEqual(['gone'])
    expect(await refusal(listed({ removed: 'true' }))).toBe('forbidden')
  })
})
