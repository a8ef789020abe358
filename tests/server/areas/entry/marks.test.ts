import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { call, change, enrol, event, refusal, save, vitals } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/**
 * How far entries are, as a matrix and a work list are told: counted by the rules of the page, within what the reader
 * may see.
 */

const world = worldForAllTests()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

function marksFor(who: Person, query: Readonly<Record<string, string | number>> = {}) {
  return call(world, who, 'entry.marks', {
    query: { projectId: world.study.projectId, current: 1, size: 50, ...query } as never,
  })
}

describe('an entry', () => {
  it('is counted whenever it is written: what is there, what is missing, without what rules hide or compute', async () => {
    const { lin } = world.people
    const saved = await save(world, lin, change(vitals(world, patient), { note: 'planted-clinical-text', smokes: '0' }))
    // Filled by a person and visible: height, weight, smokes, signs, contact, drugs, note; not the BMI, nor the hidden
    // packs.
    expect(saved.entry?.progress).toEqual({ total: 7, answered: 2, missing: 1 })
    const [mark] = (await marksFor(lin, { patientIds: patient })).records
    expect(mark).toMatchObject({
      patientId: patient,
      status: 'process',
      progress: { total: 7, answered: 2, missing: 1 },
      conflicts: 0,
    })
    expect(JSON.stringify(mark)).not.toContain('planted')
    const full = await save(world, lin, change(vitals(world, patient), { height: 170 }))
    expect(full.entry?.progress?.missing).toBe(0)
  })

  it('waits for somebody as long as it lacks something or is not submitted', async () => {
    const { lin } = world.people
    await save(world, lin, change(vitals(world, patient), { weight: 65 }))
    const listed = async (todo: 'missing' | 'process') =>
      (await marksFor(lin, { patientIds: patient, todo })).records.map(({ pageId }) => pageId)
    expect([await listed('missing'), await listed('process')]).toEqual([[world.study.vitalsId], []])
    await save(world, lin, change(vitals(world, patient), { height: 170 }))
    expect([await listed('missing'), await listed('process')]).toEqual([[], [world.study.vitalsId]])
    await save(world, lin, change(vitals(world, patient), {}), { as: 'entry.submit' })
    expect([await listed('missing'), await listed('process')]).toEqual([[], []])
  })

  it('makes its patient one of those with something to go on with, until it is submitted', async () => {
    const { lin } = world.people
    const isListed = async () => {
      const list = await call(world, lin, 'patient.list', {
        query: { projectId: world.study.projectId, todo: 'any', current: 1, size: 500 },
      })
      return list.records.some(({ id }) => id === patient)
    }
    expect(await isListed()).toBe(false)
    await save(world, lin, change(vitals(world, patient), { weight: 65 }))
    expect(await isListed()).toBe(true)
    await save(world, lin, change(vitals(world, patient), { height: 170 }), { as: 'entry.submit' })
    expect(await isListed()).toBe(false)
  })

  it('is found with its repeats, by patient', async () => {
    const { lin } = world.people
    const repeat = newId()
    await save(world, lin, change(event(world, patient, repeat), { term: '头痛' }), { as: 'entry.insert' })
    const { records, total } = await marksFor(lin, { patientIds: `${patient},${newId()}` })
    expect([total, records[0]?.pageRepeat, records[0]?.patientNo]).toEqual([1, repeat, expect.anything()])
  })
})

describe('rights', () => {
  it('another center’s coordinator is told nothing, a monitor of the center everything but what was entered', async () => {
    const { lin, south, monitor } = world.people
    await save(world, lin, change(vitals(world, patient), { weight: 65 }))
    expect((await marksFor(south, { patientIds: patient })).total).toBe(0)
    expect((await marksFor(monitor, { patientIds: patient })).total).toBe(1)
    expect((await marksFor(monitor, { patientIds: patient, centerId: world.study.south })).total).toBe(0)
  })

  it('who is no member is told that there is no such project', async () => {
    expect(await refusal(marksFor(world.people.stranger))).toBe('not_found')
  })

  it('ids that are none, or more than a screen needs, are refused', async () => {
    const { lin } = world.people
    expect(await refusal(marksFor(lin, { patientIds: `${patient},'; DROP TABLE entry; --` }))).toBe('invalid')
    expect(await refusal(marksFor(lin, { patientIds: Array.from({ length: 201 }, () => newId()).join(',') }))).toBe(
      'invalid',
    )
  })
})
