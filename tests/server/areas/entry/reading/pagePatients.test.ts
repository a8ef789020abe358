import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { call, change, enrol, event, refusal, save, vitals, addVersion } from '#tests/server/support/world.ts'
import type { Person } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Who has something on a page or in a table; the order of pages in a draft. */

const world = worldForAllTests()

const query = { current: 1, size: 50 }
const onPage = async (pageId: string, who: Person = world.people.lin) =>
  (await call(world, who, 'entry.pagePatients', { id: pageId, query })).records.map(({ id }) => id)
const inTable = async (field: string, who: Person = world.people.lin) =>
  (await call(world, who, 'entry.fieldPatients', { id: field, query })).records.map(({ id }) => id)
const row = (rid: string, deleted = false) => ({
  table: 'drugs',
  rid,
  to: { deleted, order: 'a' },
  base: deleted ? { deleted: false, order: 'a' } : null,
  seen: null,
  reason: null,
})

describe('patients with data on a page', () => {
  it('are those on whom somebody saved it, in any repeat', async () => {
    const [with1, with2, without] = [await enrol(world), await enrol(world), await enrol(world)]
    await save(world, world.people.lin, change(event(world, with1, newId()), { term: '头痛' }), { as: 'entry.insert' })
    await save(world, world.people.lin, change(vitals(world, with2), { height: 170 }))
    expect(await onPage(world.study.eventId)).toEqual([with1])
    expect(await onPage(world.study.vitalsId)).toEqual([with2])
    expect(await onPage(world.study.vitalsId)).not.toContain(without)
    expect(await onPage(world.study.vitalsId, world.people.south)).toEqual([])
    expect(await refusal(onPage(newId()))).toBe('not_found')
  })
})

describe('patients with rows in a table', () => {
  it('are those with at least one row that was not deleted', async () => {
    const [kept, emptied] = [await enrol(world), await enrol(world)]
    const field = `${world.study.vitalsId}.drugs`
    const [one, two] = [newId(), newId()]
    await save(world, world.people.lin, change(vitals(world, kept), {}, { rows: [row(one)] }))
    await save(world, world.people.lin, change(vitals(world, emptied), {}, { rows: [row(two)] }))
    expect(new Set(await inTable(field))).toEqual(new Set([kept, emptied]))
    await save(world, world.people.lin, change(vitals(world, emptied), {}, { rows: [row(two, true)] }))
    expect(await inTable(field)).toEqual([kept])
  })

  it('of what is no table there are none', async () => {
    expect(await refusal(inTable(`${world.study.vitalsId}.height`))).toBe('not_found')
    expect(await refusal(inTable(`${world.study.vitalsId}`))).toBe('invalid')
    expect(await refusal(inTable(`${newId()}.drugs`))).toBe('not_found')
  })

  it('of a table that identifies patients nobody without the right is told', async () => {
    const page = JSON.stringify({
      column: [
        {
          prop: 'family',
          label: '家属',
          type: 'dynamic',
          zl: { identifier: true },
          children: { column: [{ prop: 'who', label: '姓名', type: 'input' }] },
        },
      ],
    })
    await addVersion(world.services.pool, world.study, world.people.admin, { id: newId(), no: 2, vitals: page })
    const field = `${world.study.vitalsId}.family`
    expect(await refusal(inTable(field, world.people.monitor))).toBe('forbidden')
    expect(await inTable(field)).toEqual([])
  })
})

describe('the order of a page in its folder', () => {
  const sort = (who: Person, crfId: string, pageId: string, place: number) =>
    call(world, who, 'entry.pageSort', { id: pageId, crfId, body: { sort: place } })
  const order = async (crfId: string) =>
    (
      await world.services.pool.query<{ page_id: string }>(
        'SELECT page_id FROM crf_page WHERE version_id = $1 ORDER BY sort',
        [crfId],
      )
    ).rows.map((page) => page.page_id)

  it('is changed in a draft, by who designs, and in no other version', async () => {
    const draft = newId()
    await addVersion(world.services.pool, world.study, world.people.admin, {
      id: draft,
      no: 3,
      vitals: '{"column":[]}',
    })
    const { eventId, vitalsId, versionId } = world.study
    expect(await refusal(sort(world.people.manager, draft, eventId, 0))).toBe('version_not_editable')
    await world.services.pool.query(`UPDATE crf_version SET profile = 'draft' WHERE id = $1`, [draft])
    expect(await order(draft)).toEqual([vitalsId, eventId])
    expect(await sort(world.people.manager, draft, eventId, 0)).toBe(true)
    expect(await order(draft)).toEqual([eventId, vitalsId])
    expect(await sort(world.people.manager, draft, eventId, 99)).toBe(true)
    expect(await order(draft)).toEqual([vitalsId, eventId])
    expect(await refusal(sort(world.people.lin, draft, eventId, 0))).toBe('forbidden')
    expect(await refusal(sort(world.people.manager, draft, newId(), 0))).toBe('not_found')
    expect(await refusal(sort(world.people.manager, versionId, eventId, 0))).toBe('version_not_editable')
  })
})
