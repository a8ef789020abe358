import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import { newId } from '#core/ids.ts'
import type { MeasureCode } from '#core/report/kinds.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, addVersion, call, change, enrol, event, save } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What the report on adverse events counts, and for whom. */

const radio = (prop: string, label: string, choices: readonly string[], zl: object = {}) => ({
  prop,
  label,
  type: 'radio',
  dicData: choices.map((one, at) => ({ label: one, value: String(at + 1) })),
  zl,
})

/** @param masked fields that identify a person */
const eventPage = (...masked: readonly string[]): string => {
  const column = [
    { prop: 'term', label: '不良事件名称', type: 'input', zl: {} },
    { prop: 'end', label: '结束日期', type: 'date', zl: {} },
    radio('severity', '严重程度', ['轻度', '中度', '重度']),
    radio('serious', '是否为严重不良事件', ['是', '否']),
    radio('relation', '与研究药物的关系', ['肯定有关', '可能有关', '可能无关']),
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
let versions = 1

async function release(option: string): Promise<void> {
  versions += 1
  const { services, study, people } = world
  const id = newId()
  await addVersion(services.pool, study, people.admin, { id, no: versions, vitals: '{"column":[]}', event: option })
}

async function happened(who: Person, patientId: string, repeat: string, items: Readonly<Record<string, JsonValue>>) {
  await save(world, who, change(event(world, patientId, repeat), items))
}

beforeAll(async () => {
  const { services, study, people } = world
  await services.pool.query('UPDATE crf_page SET option = $2 WHERE page_id = $1', [study.eventId, eventPage()])
  chief = await addMember(services, study, 'chief', 'CRA', [study.north, study.south])
  nurse = await addMember(services, study, 'nurse', 'DBD', [study.north, study.south])
  first = await enrol(world)
  await enrol(world)
  far = await enrol(world, people.south, study.south)
  await happened(people.lin, first, '0', {
    term: '皮疹',
    severity: '1',
    serious: '2',
    relation: '2',
    end: '2026-11-10',
  })
  await happened(people.lin, first, newId(), { term: '骨折', severity: '3', serious: '1', relation: '3' })
  // Nobody has said yet what happened.
  await happened(people.lin, first, newId(), { severity: '2' })
  await happened(people.south, far, '0', { term: '头晕', severity: '1', relation: '1' })
})

function read(who: Person, centerId?: string) {
  const query = { projectId: world.study.projectId, kind: 'adverseEvents' as const }
  return call(world, who, 'report.read', { query: centerId === undefined ? query : { ...query, centerId } })
}

async function behind(who: Person, measure: MeasureCode) {
  const query = { projectId: world.study.projectId, kind: 'adverseEvents' as const, measure, current: 1, size: 50 }
  const { records } = await call(world, who, 'report.subjects', { query })
  return records.map(({ patientId, value }) => [patientId, value])
}

describe('adverse events', () => {
  it('are counted by center, each page with a term once', async () => {
    const { lines, total, sources, untold } = await read(chief)
    expect(untold).toBeNull()
    expect(sources).toEqual([{ name: '不良事件', nameEn: null }])
    const north = lines.find(({ id }) => id === world.study.north)
    expect(north?.figures).toEqual({
      numbered: 2,
      numberedWith: 1,
      withEvent: 1,
      events: 2,
      serious: 1,
      mild: 1,
      moderate: 0,
      severe: 1,
      related: 1,
      ongoing: 1,
    })
    expect(total).toMatchObject({ numbered: 3, withEvent: 2, events: 3, mild: 2, related: 2, ongoing: 2 })
  })

  it('lead to the subjects who had them, with how many', async () => {
    expect(await behind(chief, 'events')).toEqual([
      [first, 2],
      [far, 1],
    ])
    expect(await behind(chief, 'serious')).toEqual([[first, 1]])
    expect(await behind(chief, 'moderate')).toEqual([])
  })

  it('are those of the reader’s centers', async () => {
    const { lines, total } = await read(world.people.south)
    expect(lines.map(({ id }) => id)).toEqual([world.study.south])
    expect(total).toMatchObject({ numbered: 1, events: 1 })
    expect(await behind(world.people.south, 'events')).toEqual([[far, 1]])
  })

  it('of a second pass that repeats the first are not counted twice', async () => {
    await world.services.pool.query(
      `INSERT INTO entry SELECT (jsonb_populate_record(e, jsonb_build_object('id', $2::uuid, 'pass', 2))).* FROM entry e WHERE e.patient_id = $1`,
      [far, newId()],
    )
    expect((await read(nurse)).total).toMatchObject({ events: 3 })
    await world.services.pool.query('UPDATE entry SET deleted = true WHERE patient_id = $1 AND pass = 2', [far])
  })

  it('count nothing by a field that is masked for the reader', async () => {
    await release(eventPage('severity'))
    expect((await read(chief)).total).toMatchObject({ events: 3, mild: null, severe: null, serious: 1 })
    expect(await behind(chief, 'mild')).toEqual([])
    expect((await read(world.people.lin)).total).toMatchObject({ events: 2, mild: 1 })
  })

  it('are told in words to nobody who may not see what happened', async () => {
    await release(eventPage('term'))
    expect(await read(chief)).toMatchObject({ untold: 'masked', lines: [], total: {}, sources: [] })
    expect(await behind(chief, 'events')).toEqual([])
    expect((await read(world.people.lin)).total).toMatchObject({ events: 2 })
  })
})

describe('a study without a form of adverse events', () => {
  it('says so, and shows no zeros', async () => {
    const { services, study } = world
    await services.pool.query(`UPDATE crf_version SET deleted = true WHERE project_id = $1 AND version_no > 1`, [
      study.projectId,
    ])
    await services.pool.query(`UPDATE crf_page SET option = '{"column":[]}' WHERE page_id = $1`, [study.eventId])
    await services.pool.query('UPDATE crf_version SET version_no = 9 WHERE id = $1', [study.versionId])
    await release('{"column":[]}')
    expect(await read(chief)).toMatchObject({ untold: 'noForm', lines: [], total: {} })
    expect(await behind(chief, 'events')).toEqual([])
  })
})
