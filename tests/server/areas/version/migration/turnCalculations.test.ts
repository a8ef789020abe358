import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { releaseTested, testedVersion } from '#tests/server/support/release.ts'
import { call, change, enrol, event, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * A release corrects how a dose is calculated: in the patient's turn all that follows from the dose follows, and
 * nothing else.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  const { versionId, vitalsId, eventId } = world.study
  const option = (page: string, columns: readonly Column[]) =>
    world.services.pool.query('UPDATE crf_page SET option = $3 WHERE version_id = $1 AND page_id = $2', [
      versionId,
      page,
      JSON.stringify({ column: columns }),
    ])
  await option(vitalsId, dosing('page.weight * 2.0'))
  await option(eventId, READS)
  patient = await enrol(world)
})

const page = () => vitals(world, patient)
const adverse = () => event(world, patient, '0')

const number = (prop: string, calculate: string, more: Column['zl'] = {}): Column => ({
  prop,
  label: prop,
  type: 'number',
  zl: { ...more, calculate },
})

/**
 * A dose from the weight; by day and in all from the dose; a cap that a high dose alone shows, and what it leaves; the
 * day, and what only the day decides.
 */
function dosing(dose: string): readonly Column[] {
  return [
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'cap', label: '上限', type: 'number', zl: { show: 'page.dose > 200.0' } },
    number('total', 'page.daily * 7.0'),
    number('daily', 'page.dose * 3.0'),
    number('dose', dose),
    number('left', 'page.cap - page.weight'),
    { prop: 'day', label: '日期', type: 'input', zl: { calculate: 'today' } },
    number('early', "page.day == '2026-01-05' ? 1.0 : 0.0"),
    number('owed', "page.day == '2026-01-05' ? page.dose : 0.0"),
    {
      prop: 'parts',
      label: '分次',
      type: 'dynamic',
      children: {
        column: [{ prop: 'share', label: '份额', type: 'number' }, number('amount', 'row.share * page.dose')],
      },
    },
  ]
}

/** The adverse event: what is stopped follows from the dose of the vital signs. */
const READS: readonly Column[] = [
  { prop: 'term', label: '不良事件', type: 'input' },
  number('stopped', 'visit.VS.daily * 0.5'),
  number('twice', 'page.stopped * 2.0'),
]

async function release(dose: string): Promise<void> {
  await releaseTested(world, await testedVersion(world, { no: 2, columns: dosing(dose), event: READS }))
  await runMigrations(world.services)
}

/** What was saved on an earlier day. */
async function onAnEarlierDay(values: Readonly<Record<string, JsonValue>>): Promise<void> {
  await world.services.pool.query('UPDATE entry SET "values" = "values" || $2 WHERE id = $1', [
    entryId(page()),
    JSON.stringify(values),
  ])
}

interface Stored {
  readonly values: Readonly<Record<string, JsonValue>>
  readonly status: string
}

async function stored(target: EntryTarget = page()): Promise<Stored | undefined> {
  const { rows } = await world.services.pool.query<Stored>('SELECT "values", status FROM entry WHERE id = $1', [
    entryId(target),
  ])
  return rows[0]
}

async function calculated(target: EntryTarget = page()): Promise<readonly (string | null)[]> {
  const { rows } = await world.services.pool.query<{ prop: string }>(
    `SELECT DISTINCT prop FROM audit WHERE entry_id = $1 AND action = 'item.calculate' AND op_key IS NULL ORDER BY prop`,
    [entryId(target)],
  )
  return rows.map(({ prop }) => prop)
}

describe('in a patient’s turn, what is calculated from a value that the release calculates otherwise', () => {
  it('follows on the same page, step by step, with a line in the trail each', async () => {
    await save(world, world.people.lin, change(page(), { weight: 60 }))
    expect((await stored())?.values).toMatchObject({ dose: 120, daily: 360, total: 2520 })
    await release('page.weight * 1.5')
    expect((await stored())?.values).toMatchObject({ dose: 90, daily: 270, total: 1890 })
    expect(await calculated()).toEqual(['daily', 'dose', 'total'])
    expect(
      await call(world, world.people.admin, 'audit.verify', { query: { projectId: world.study.projectId } }),
    ).toMatchObject({ holds: true })
  })

  it('follows in the rows of a table', async () => {
    const rid = '018f0000-0000-7000-8000-000000000001'
    const rows = [{ table: 'parts', rid, to: { deleted: false, order: 'a' }, base: null, seen: null, reason: null }]
    const share = {
      table: 'parts',
      rid,
      code: 'share',
      to: { value: 2, missing: null },
      base: { value: null, missing: null },
      isShow: 1 as const,
      reason: null,
    }
    await save(world, world.people.lin, {
      ...change(page(), { weight: 60 }, { rows }),
      items: [...change(page(), { weight: 60 }).items, share],
    })
    expect((await stored())?.values['parts']).toMatchObject([{ share: 2, amount: 240 }])
    await release('page.weight * 1.5')
    expect((await stored())?.values['parts']).toMatchObject([{ share: 2, amount: 180 }])
  })

  it('follows where the value hides or shows what it is calculated from', async () => {
    await save(world, world.people.lin, change(page(), { weight: 101, cap: 150 }))
    expect((await stored())?.values).toMatchObject({ dose: 202, left: 49 })
    await release('page.weight * 1.5')
    expect((await stored())?.values).toMatchObject({ dose: 151.5, cap: 150 })
    expect((await stored())?.values).not.toHaveProperty('left')
  })

  it('follows on other pages of the patient', async () => {
    await save(world, world.people.lin, change(page(), { weight: 60 }))
    await save(world, world.people.lin, change(adverse(), { term: '皮疹' }), { as: 'entry.submit' })
    expect(await stored(adverse())).toMatchObject({ values: { stopped: 180, twice: 360 }, status: 'other' })
    await release('page.weight * 1.5')
    expect(await stored(adverse())).toMatchObject({ values: { stopped: 135, twice: 270 }, status: 'process' })
  })

  it('follows from what stands beside it: the day on which the page was saved is not today', async () => {
    await save(world, world.people.lin, change(page(), { weight: 60 }))
    await onAnEarlierDay({ day: '2026-01-05', early: 1, owed: 120 })
    await release('page.weight * 1.5')
    expect((await stored())?.values).toMatchObject({ day: '2026-01-05', early: 1, owed: 90 })
    expect(await calculated()).toEqual(['daily', 'dose', 'owed', 'total'])
  })

  it('stays as it was where the value comes out the same', async () => {
    await save(world, world.people.lin, change(page(), { weight: 60 }))
    await onAnEarlierDay({ day: '2026-01-05', early: 1, owed: 120 })
    await release('page.weight + page.weight')
    expect((await stored())?.values).toMatchObject({ dose: 120, day: '2026-01-05', early: 1, owed: 120 })
    expect(await calculated()).toEqual([])
  })
})
