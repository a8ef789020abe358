import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import { newId } from '#core/ids.ts'
import type { MeasureCode } from '#core/report/kinds.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  addVersion,
  call,
  change,
  enrol,
  event,
  planFolder,
  save,
  visitOf,
} from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What the report on protocol deviations counts, and for whom. */

/** @param masked fields that identify a person */
const deviationPage = (...masked: readonly string[]): string => {
  const choices = ['重大', '一般', '轻微'].map((label, at) => ({ label, value: String(at + 1) }))
  const column = [
    { prop: 'what', label: '方案偏离描述', type: 'input', zl: {} },
    { prop: 'how', label: '严重程度', type: 'radio', dicData: choices, zl: {} },
    { prop: 'day', label: '发生日期', type: 'date', zl: {} },
  ]
  return JSON.stringify({
    column: column.map((one) => (masked.includes(one.prop) ? { ...one, zl: { identifier: true } } : one)),
  })
}

const world = worldForAllTests()
let chief: Person
let nurse: Person
let first: string
let far: string
let absent: string
let versions = 1

const onDay7 = {
  kind: 'planned',
  anchor: { of: 'enrolment' },
  day: 7,
  before: 2,
  after: 2,
  repeating: false,
} as const

async function release(option: string): Promise<void> {
  versions += 1
  const { services, study, people } = world
  await addVersion(services.pool, study, people.admin, {
    id: newId(),
    no: versions,
    vitals: '{"column":[]}',
    event: option,
  })
  await planFolder(world, onDay7)
}

async function deviated(who: Person, patientId: string, repeat: string, items: Readonly<Record<string, JsonValue>>) {
  await save(world, who, change(event(world, patientId, repeat), items))
}

async function sayOfVisit(who: Person, patientId: string, said: Readonly<Record<string, string>>): Promise<void> {
  const fields = (['actualDate', 'outcome', 'outcomeReason'] as const).flatMap((field) => {
    const to = said[field]
    return to === undefined ? [] : [{ field, to, base: null }]
  })
  await call(world, who, 'visit.save', { body: { ...visitOf(world, patientId), fields, reason: null } })
}

beforeAll(async () => {
  const { services, study, people } = world
  await services.pool.query('UPDATE crf_page SET option = $2 WHERE page_id = $1', [study.eventId, deviationPage()])
  await planFolder(world, onDay7)
  chief = await addMember(services, study, 'chief', 'CRA', [study.north, study.south])
  nurse = await addMember(services, study, 'nurse', 'DBD', [study.north, study.south])
  first = await enrol(world)
  // A visit that is overdue may still come to be, and one that the protocol lets be skipped is no deviation.
  await enrol(world)
  const spared = await enrol(world)
  far = await enrol(world, people.south, study.south)
  absent = await enrol(world, people.south, study.south)
  await deviated(people.lin, first, '0', { what: '合并使用禁用药物', how: '1' })
  await deviated(people.lin, first, newId(), { what: '漏查心电图', how: '3' })
  // Nobody has said yet what it was.
  await deviated(people.lin, first, newId(), { how: '1' })
  await deviated(people.south, far, '0', { what: '漏服药物 3 天', how: '2' })
  await sayOfVisit(people.lin, first, { actualDate: '2026-11-20' })
  await sayOfVisit(people.lin, spared, { outcome: 'skipped', outcomeReason: '方案允许' })
  await sayOfVisit(people.south, absent, { outcome: 'missed', outcomeReason: '失访。' })
})

function read(who: Person, centerId?: string) {
  const query = { projectId: world.study.projectId, kind: 'deviations' as const }
  return call(world, who, 'report.read', { query: centerId === undefined ? query : { ...query, centerId } })
}

async function behind(who: Person, measure: MeasureCode) {
  const query = { projectId: world.study.projectId, kind: 'deviations' as const, measure, current: 1, size: 50 }
  const { records } = await call(world, who, 'report.subjects', { query })
  return records.map(({ patientId, value }) => [patientId, value])
}

describe('protocol deviations', () => {
  it('are counted by center: those that are recorded, and those of visits', async () => {
    const { lines, total, sources, untold } = await read(chief)
    expect(untold).toBeNull()
    expect(sources).toEqual([{ name: '不良事件', nameEn: null }])
    expect(lines.find(({ id }) => id === world.study.north)?.figures).toEqual({
      numbered: 3,
      numberedWith: 1,
      withDeviation: 1,
      recorded: 2,
      major: 1,
      minor: 1,
      outside: 1,
      missed: 0,
    })
    expect(total).toMatchObject({ numbered: 5, withDeviation: 3, recorded: 3, minor: 2, outside: 1, missed: 1 })
  })

  it('lead to their subjects, with how many', async () => {
    expect(await behind(chief, 'recorded')).toEqual([
      [first, 2],
      [far, 1],
    ])
    expect(await behind(chief, 'major')).toEqual([[first, 1]])
    expect(await behind(chief, 'missed')).toEqual([[absent, 1]])
    const all = (await behind(chief, 'withDeviation')).map(([id]) => id)
    expect(new Set(all)).toEqual(new Set([first, far, absent]))
    expect(all).toHaveLength(3)
  })

  it('are those of the reader’s centers', async () => {
    const { lines, total } = await read(world.people.south)
    expect(lines.map(({ id }) => id)).toEqual([world.study.south])
    expect(total).toMatchObject({ numbered: 2, withDeviation: 2, recorded: 1, outside: 0, missed: 1 })
    expect(await behind(world.people.south, 'recorded')).toEqual([[far, 1]])
    expect((await read(chief, world.study.south)).total).toMatchObject({ recorded: 1, missed: 1 })
  })

  it('of a second pass that repeats the first are not counted twice', async () => {
    await world.services.pool.query(
      `INSERT INTO entry SELECT (jsonb_populate_record(e, jsonb_build_object('id', $2::uuid, 'pass', 2))).* FROM entry e WHERE e.patient_id = $1`,
      [far, newId()],
    )
    expect((await read(nurse)).total).toMatchObject({ recorded: 3 })
    await world.services.pool.query('UPDATE entry SET deleted = true WHERE patient_id = $1 AND pass = 2', [far])
  })

  it('are not graded for whom the grade is masked', async () => {
    await release(deviationPage('how'))
    const { total } = await read(chief)
    expect(total).toMatchObject({ recorded: 3 })
    expect(total['major'] ?? null).toBeNull()
    expect(await behind(chief, 'major')).toEqual([])
    expect((await read(world.people.lin)).total).toMatchObject({ recorded: 2, major: 1 })
  })

  it('are those of visits alone for whom their description is masked', async () => {
    await release(deviationPage('what'))
    const { total, untold, sources } = await read(chief)
    expect([untold, sources]).toEqual(['masked', []])
    expect(total).toEqual({ numbered: 5, numberedWith: 2, withDeviation: 2, outside: 1, missed: 1 })
    expect(await behind(chief, 'recorded')).toEqual([])
    expect(await read(world.people.lin)).toMatchObject({ untold: null, total: { recorded: 2 } })
  })
})

describe('a study without a form of deviations', () => {
  it('tells those of visits, and says that it has no form', async () => {
    const { services, study } = world
    await services.pool.query('UPDATE crf_version SET deleted = true WHERE project_id = $1 AND version_no > 1', [
      study.projectId,
    ])
    await services.pool.query(`UPDATE crf_page SET option = '{"column":[]}' WHERE page_id = $1`, [study.eventId])
    await services.pool.query('UPDATE crf_version SET version_no = 9 WHERE id = $1', [study.versionId])
    versions = 9
    await release('{"column":[]}')
    const { total, untold } = await read(world.people.lin)
    expect(untold).toBe('noForm')
    expect(total).toEqual({ numbered: 3, numberedWith: 1, withDeviation: 1, outside: 1, missed: 0 })
    expect(await behind(world.people.lin, 'recorded')).toEqual([])
    expect(await behind(world.people.lin, 'outside')).toEqual([[first, 1]])
  })
})
