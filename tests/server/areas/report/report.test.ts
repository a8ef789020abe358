import { beforeAll, describe, expect, it } from 'vitest'
import type { QueryOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { REPORTS, reportKinds } from '#core/report/kinds.ts'
import type { MeasureCode, ReportKind } from '#core/report/kinds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { act as say, ask } from '#tests/server/areas/query/support.ts'
import { act, correct, plan, submitted } from '#tests/server/areas/review/support.ts'
import { addMember, call, change, enrol, planFolder, refusal, save, vitals } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** What reports count, in a study of two centers whose figures are made by hand. */

const world = worldForAllTests()
let chief: Person
let first: EntryTarget
let second: EntryTarget
let third: EntryTarget
let far: EntryTarget

beforeAll(async () => {
  const { lin, south, monitor, manager } = world.people
  chief = await addMember(world.services, world.study, 'chief', 'CRA', [world.study.north, world.study.south])
  await planFolder(world, {
    kind: 'planned',
    anchor: { of: 'enrolment' },
    day: 7,
    before: 2,
    after: 2,
    repeating: false,
  })
  await plan(world, manager)
  far = await submitted(world, { height: 160, weight: 50 }, { who: south, center: world.study.south })
  first = await submitted(world)
  second = await submitted(world)
  third = vitals(world, await enrol(world))
  await save(world, lin, change(third, { weight: 150 }))
  await act(world, monitor, first, 'verify', { height: 170, weight: 65, smokes: '0' })
  await correct(world, first, 'weight', 65, 66)
  await ask(world, monitor, first.patientId)
  const other = await ask(world, monitor, second.patientId)
  await say(world, lin, other, 'answer', { category: 'confirmed' })
})

function read(who: Person, kind: ReportKind, more: Partial<QueryOf<CallOf<'report.read'>>> = {}) {
  return call(world, who, 'report.read', { query: { projectId: world.study.projectId, kind, ...more } })
}

function behind(
  who: Person,
  kind: ReportKind,
  measure: MeasureCode,
  more: Partial<QueryOf<CallOf<'report.subjects'>>> = {},
) {
  const query = { projectId: world.study.projectId, kind, measure, current: 1, size: 50, ...more }
  return call(world, who, 'report.subjects', { query })
}

async function figuresOf(who: Person, kind: ReportKind) {
  const { lines } = await read(who, kind)
  return Object.fromEntries(lines.map(({ id, figures }) => [id === world.study.north ? 'north' : 'south', figures]))
}

describe('each report counts by center', () => {
  it('subjects and their numbers, beside what is planned', async () => {
    expect(await figuresOf(chief, 'enrolment')).toMatchObject({
      north: { subjects: 3, numbered: 3 },
      south: { subjects: 1, numbered: 1 },
    })
    const { months } = await read(chief, 'enrolment')
    expect(months.reduce((sum, { figures }) => sum + (figures['numbered'] ?? 0), 0)).toBe(4)
  })

  it('pages that are begun and submitted, and required fields without a value', async () => {
    expect(await figuresOf(chief, 'completeness')).toMatchObject({
      north: { begun: 3, submitted: 2, waiting: 1, missing: 1, conflicts: 0 },
      south: { begun: 1, submitted: 1, waiting: 0, missing: 0 },
    })
  })

  it('queries by what they wait for, with the time that answers take', async () => {
    const { lines, total } = await read(chief, 'queries')
    const north = lines.find(({ id }) => id === world.study.north)
    expect(north?.figures).toMatchObject({ asked: 2, open: 1, answeredOpen: 1, week: 0, closed: 0, toAnswer: 0 })
    expect(total).toMatchObject({ asked: 2, toAnswer: 0, toClose: null })
  })

  it('what is verified, and what changed since', async () => {
    expect(await figuresOf(chief, 'verification')).toMatchObject({
      north: { sdvDone: 2, sdvChanged: 1 },
      south: { sdvDone: 0, sdvChanged: 0 },
    })
  })

  it('visits by their windows', async () => {
    const { north, south } = await figuresOf(chief, 'visits')
    // Nobody has said when they took place.
    expect(north).toMatchObject({ done: 3, timed: 0 })
    expect(south).toMatchObject({ done: 1 })
  })

  it('who did how much', async () => {
    const { lines } = await read(chief, 'activity')
    const { lin, south, monitor } = world.people
    const of = (who: Person) => lines.find(({ id }) => id === who.userId)?.figures
    expect(of(lin)).toMatchObject({ enrolled: 3, submitted: 2, answers: 1 })
    expect(of(south)).toMatchObject({ enrolled: 1, submitted: 1 })
    expect(of(monitor)).toMatchObject({ raised: 2, verified: 2 })
  })

  it('nothing of a period in which nothing happened', async () => {
    const { total } = await read(chief, 'queries', { from: '2020-01-01', to: '2020-12-31' })
    expect(total['asked'] ?? 0).toBe(0)
  })
})

describe('the subjects behind a figure', () => {
  it('are as many as it says, for every figure of every report', async () => {
    for (const kind of reportKinds) {
      const { lines } = await read(chief, kind)
      for (const { code, opens } of REPORTS[kind].measures) {
        if (!opens) continue
        for (const line of lines) {
          const { records, total } = await behind(chief, kind, code, { centerId: line.id })
          expect(
            records.reduce((sum, { value }) => sum + value, 0),
            `${kind} ${code}`,
          ).toBe(line.figures[code] ?? 0)
          expect(total).toBe(records.length)
        }
      }
    }
  })

  it('are those with most of it first, with their numbers', async () => {
    const { records } = await behind(chief, 'queries', 'asked')
    expect(records.map(({ patientId }) => patientId)).toContain(first.patientId)
    expect(records[0]?.patientNo).toMatch(/^N01-/)
    expect(records[0]?.centerName).not.toBe('')
  })

  it('stand behind no median, and behind no figure that a report does not have', async () => {
    expect(await refusal(behind(chief, 'queries', 'toAnswer'))).toBe('invalid')
    expect(await refusal(behind(chief, 'queries', 'begun'))).toBe('invalid')
    expect(await refusal(behind(chief, 'activity', 'saved'))).toBe('invalid')
  })
})

describe('who may see what', () => {
  it('a center that is not theirs is in no line and behind no figure', async () => {
    for (const kind of reportKinds) {
      const { lines } = await read(world.people.south, kind)
      const theirs = REPORTS[kind].lines === 'centers' ? world.study.south : world.people.south.userId
      expect(lines.map(({ id }) => id)).toEqual([theirs])
    }
    expect(await refusal(read(world.people.south, 'visits', { centerId: world.study.north }))).toBe('not_found')
    expect(
      (await behind(world.people.south, 'completeness', 'begun')).records.map(({ patientId }) => patientId),
    ).toEqual([far.patientId])
  })

  it('nobody sees anything of a project in which they are not', async () => {
    expect(await refusal(read(world.people.stranger, 'enrolment'))).toBe('not_found')
    expect(await refusal(behind(world.people.stranger, 'enrolment', 'subjects'))).toBe('not_found')
  })

  it('removed subjects count nowhere', async () => {
    const before = await figuresOf(chief, 'enrolment')
    const id = await enrol(world)
    await call(world, world.people.lin, 'patient.remove', {
      body: { id, projectId: world.study.projectId, reason: { code: 'other', text: '误建' } },
    })
    expect(await figuresOf(chief, 'enrolment')).toEqual(before)
  })
})
