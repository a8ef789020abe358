import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { ApiFailure } from '#core/api/errors.ts'
import { leaveOutForgotten } from '#server/areas/patient/numbers.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { World } from '#tests/server/support/world.ts'
import { addMember, call, enrol, enrolment, makeWorld, refusal } from '#tests/server/support/world.ts'

/** Subject numbers by template: set for the project and for a center, for numbers to come. */

let world: World
beforeEach(async () => {
  world = await makeWorld()
  return () => world.close()
})

const settings = { isDouble: 0, isFilterPeriod: 'N', minTesters: 1 } as const
const template = (numberTemplate: string) =>
  call(world, world.people.admin, 'project.confUpdate', {
    body: { projectId: world.study.projectId, ...settings, numberTemplate },
  })
const ofCenter = (id: string, numberTemplate: string | null) =>
  call(world, world.people.admin, 'center.update', {
    body: { id, projectId: world.study.projectId, centerName: '院', status: 'active', numberTemplate },
  })
const lease = async (want: number) => {
  const { lin } = world.people
  const { projectId, north } = world.study
  return (await call(world, lin, 'sync.lease', { body: { projectId, deviceId: lin.deviceId, centerId: north, want } }))
    .numbers
}
const enrolled = async (who: 'lin' | 'south' = 'lin', no: string | null = null) => {
  const centerId = who === 'lin' ? world.study.north : world.study.south
  const { patient } = await call(world, world.people[who], 'patient.save', {
    body: enrolment(world, newId(), { centerId, no }),
  })
  return patient?.no
}
const wrong = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (error instanceof ApiFailure ? error.error.fields?.[0]?.code : error),
  )

describe('the template of a project', () => {
  it('makes the numbers that come; those that were shown stay', async () => {
    const first = await enrol(world)
    await template('TCM-{SiteCode}-{Seq:0000}')
    expect(await enrolled()).toBe('TCM-N01-0002')
    expect((await call(world, world.people.lin, 'patient.detail', { query: { id: first } })).no).toBe('N01-001')
    const { rows } = await world.services.pool.query(
      `SELECT v.new_value->>'numberTemplate' AS text FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'project.configure'`,
    )
    expect(rows).toEqual([{ text: 'TCM-{SiteCode}-{Seq:0000}' }])
  })

  it('is kept by a client that knows of none', async () => {
    await template('T{SiteCode}-{Seq:00}')
    const kept = await call(world, world.people.admin, 'project.confUpdate', {
      body: { projectId: world.study.projectId, ...settings },
    })
    expect(kept.numberTemplate).toBe('T{SiteCode}-{Seq:00}')
    expect(await enrolled()).toBe('TN01-01')
  })

  it('leaves a block of numbers as the tablet was told, also when it asks for more', async () => {
    expect(await lease(2)).toEqual(['N01-001', 'N01-002'])
    await template('X{SiteCode}.{Seq:0000}')
    expect(await lease(3)).toEqual(['N01-001', 'N01-002', 'XN01.0003'])
    expect(await enrolled('lin', 'N01-002')).toBe('N01-002')
    expect(await enrolled('lin', 'XN01.0003')).toBe('XN01.0003')
    expect(
      await refusal(
        call(world, world.people.lin, 'patient.save', { body: enrolment(world, newId(), { no: 'XN01.0001' }) }),
      ),
    ).toBe('invalid')
    expect(await lease(1)).toEqual(['N01-001'])
  })

  it('may count over the whole project, and go back to counting in centers, without any number twice', async () => {
    expect([await enrolled('lin'), await enrolled('lin'), await enrolled('south')]).toEqual([
      'N01-001',
      'N01-002',
      'S02-001',
    ])
    await template('P{StudySeq:0000}')
    const numbers = [await enrolled('lin'), await enrolled('south'), await enrolled('lin')]
    expect(numbers).toEqual(['P0003', 'P0004', 'P0005'])
    await template('{SiteCode}-{Seq:000}')
    expect([await enrolled('lin'), await enrolled('south')]).toEqual(['N01-006', 'S02-005'])
  })

  it('counts over the project without a number twice where many come at once', async () => {
    await template('P{StudySeq:0000}')
    const numbers = await Promise.all(Array.from({ length: 12 }, (_, at) => enrolled(at % 2 === 0 ? 'lin' : 'south')))
    expect(new Set(numbers).size).toBe(12)
  })

  it('gives nobody the number of a patient who was removed', async () => {
    const id = newId()
    await call(world, world.people.lin, 'patient.save', { body: enrolment(world, id) })
    await call(world, world.people.lin, 'patient.remove', {
      body: { id, projectId: world.study.projectId, reason: { code: 'other', text: '误录' } },
    })
    expect(await enrolled()).toBe('N01-002')
    await template('{SiteCode}-{Seq:0000}')
    await template('{SiteCode}-{Seq:000}')
    expect(await enrolled()).toBe('N01-003')
  })

  it('is refused with what is wrong with it', async () => {
    expect(await wrong(template('{SiteCode}'))).toBe('template_no_sequence')
    expect(await wrong(template('{SiteCode}/{Seq}'))).toBe('template_character')
    expect(await wrong(template('P{Seq:000}'))).toBe('numbers_collide')
    expect(await enrolled()).toBe('N01-001')
  })

  it('is refused where it could make a number that another center gave out before', async () => {
    await ofCenter(world.study.south, 'A{Seq:000}')
    expect(await enrolled('south')).toBe('A001')
    await ofCenter(world.study.south, null)
    expect(await wrong(ofCenter(world.study.north, 'A{Seq:000}'))).toBe('numbers_collide')
  })
})

describe('the template of a center', () => {
  it('holds for it alone, and gives way to the project’s when it is taken away', async () => {
    await ofCenter(world.study.south, 'SH{SiteNo:00}-{Seq:0000}')
    expect([await enrolled('lin'), await enrolled('south')]).toEqual(['N01-001', expect.stringMatching(/^SH0\d-0001$/)])
    await ofCenter(world.study.south, null)
    expect(await enrolled('south')).toBe('S02-002')
  })

  it('is weighed against a new center’s code', async () => {
    await template('{SiteCode}{Seq:0}')
    const add = (centerCode: string) =>
      call(world, world.people.admin, 'center.save', {
        body: { projectId: world.study.projectId, centerName: '新院', centerCode },
      })
    expect(await wrong(add('N011'))).toBe('numbers_collide')
    expect((await add('W03')).siteNo).toBeGreaterThan(0)
  })

  it('is set by who manages the team, and by nobody else', async () => {
    const attempt = call(world, world.people.lin, 'center.update', {
      body: {
        id: world.study.north,
        projectId: world.study.projectId,
        centerName: '院',
        status: 'active',
        numberTemplate: 'Q{Seq}',
      },
    })
    expect(await refusal(attempt)).toBe('forbidden')
  })
})

describe('what would come of a template', () => {
  const preview = (more: { readonly centerId?: string; readonly template?: string } = {}) =>
    call(world, world.people.admin, 'center.numberPreview', { query: { projectId: world.study.projectId, ...more } })
  const numbers = async (more: Parameters<typeof preview>[0]) => (await preview(more)).numbers.map(({ no }) => no)

  it('is the number that the next patient gets, and looking takes none', async () => {
    await enrolled('lin')
    expect(await numbers({ template: 'T{SiteCode}-{Seq:00}' })).toEqual(['TN01-02', 'TS02-01'])
    expect(await numbers({ template: 'P{StudySeq:000}' })).toEqual(['P002', 'P002'])
    expect(await numbers({ centerId: world.study.north, template: 'Q{Seq}' })).toEqual(['Q2'])
    expect(await numbers({ centerId: world.study.north })).toEqual(['N01-002'])
    await template('T{SiteCode}-{Seq:00}')
    expect([await enrolled('lin'), await enrolled('south')]).toEqual(['TN01-02', 'TS02-01'])
  })

  it('is the reason for which it would be refused, by what others number now and before', async () => {
    expect(await preview({ template: '{SiteCode}' })).toEqual({ problem: 'template_no_sequence', numbers: [] })
    expect(await preview({ template: 'P{Seq:000}' })).toEqual({ problem: 'numbers_collide', numbers: [] })
    await ofCenter(world.study.south, 'A{Seq:000}')
    await enrolled('south')
    await ofCenter(world.study.south, null)
    expect((await preview({ centerId: world.study.north, template: 'A{Seq:000}' })).problem).toBe('numbers_collide')
    expect((await preview({ centerId: world.study.south, template: 'A{Seq:000}' })).problem).toBe(
      await wrong(ofCenter(world.study.south, 'A{Seq:000}')),
    )
  })

  it('is told to who may set it', async () => {
    const { lin } = world.people
    expect(
      await refusal(
        call(world, lin, 'center.numberPreview', { query: { projectId: world.study.projectId, template: 'Q{Seq}' } }),
      ),
    ).toBe('forbidden')
  })
})

describe('a center that is disabled', () => {
  it('takes nobody in, leases no numbers, and keeps its data and their entry', async () => {
    const id = await enrol(world)
    await call(world, world.people.admin, 'center.update', {
      body: { id: world.study.north, projectId: world.study.projectId, centerName: '北院', status: 'disabled' },
    })
    expect(await refusal(enrolled())).toBe('center_disabled')
    expect(await refusal(lease(5))).toBe('center_disabled')
    expect((await call(world, world.people.lin, 'patient.detail', { query: { id } })).no).toBe('N01-001')
    const change = {
      id,
      projectId: world.study.projectId,
      fields: [{ field: 'initials' as const, base: 'ZS', to: 'ZSF' }],
      reason: null,
    }
    expect((await call(world, world.people.lin, 'patient.update', { body: change })).receipt.outcome).toBe('applied')
  })
})

describe('numbers after a restore', () => {
  it('go on under the template, and who was shown one under a former template keeps it', async () => {
    await enrolled()
    await template('T{SiteCode}-{Seq:00}')
    await withTransaction(world.services.pool, leaveOutForgotten)
    const own = await addMember(world.services, world.study, 'late', 'CRC', [world.study.north])
    await world.services.pool.query('INSERT INTO device (id) VALUES ($1)', [own.deviceId])
    const shown = await call(world, own, 'patient.save', { body: enrolment(world, newId(), { no: 'N01-004' }) })
    expect(shown).toMatchObject({ receipt: { outcome: 'applied' }, patient: { no: 'N01-004' } })
    expect(await enrolled()).toBe('TN01-502')
  })
})
