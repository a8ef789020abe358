import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { act, ask, shown } from '#tests/server/areas/query/support.ts'
import { addVersion, call, change, enrol, item, save, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Checks of severity `query` ask by themselves when a page is submitted, and end what they asked once they pass. */

const OPTION = JSON.stringify({
  column: [
    { prop: 'sbp', label: '收缩压', type: 'number' },
    {
      prop: 'dbp',
      label: '舒张压',
      type: 'number',
      zl: {
        checks: [
          {
            id: 'order',
            when: 'page.dbp >= page.sbp',
            severity: 'query',
            message: { zh: '舒张压不低于收缩压', en: 'Diastolic is not below systolic' },
          },
        ],
      },
    },
    {
      prop: 'why',
      label: '说明',
      type: 'input',
      zl: {
        show: 'page.sbp > 180.0',
        checks: [{ id: 'short', when: 'size(page.why) < 3', severity: 'query', message: { zh: '说明过短' } }],
      },
    },
  ],
})

const world = worldForAllTests()
let crfId: string
let target: EntryTarget
beforeAll(async () => {
  crfId = newId()
  await addVersion(world.services.pool, world.study, world.people.admin, { id: crfId, no: 2, vitals: OPTION })
})
beforeEach(async () => {
  target = vitals(world, await enrol(world))
})

const WHY = { code: 'new_source', text: '病历更正' } as const

async function write(
  values: Readonly<Record<string, JsonValue>>,
  as: 'entry.save' | 'entry.submit' = 'entry.submit',
  base: Readonly<Record<string, JsonValue>> = {},
) {
  const reason = Object.keys(base).length === 0 ? null : WHY
  const items = Object.entries(values).map(([code, to]) => item(code, base[code] ?? null, to, { reason }))
  return save(world, world.people.lin, { ...change(target, {}), items }, { crfId, as })
}

const queries = async () =>
  (await shown(world, world.people.manager, { patientId: target.patientId })).map(({ query }) => query)

describe('a check that asks', () => {
  it('asks when the page is submitted, of nobody’s making, and the submit goes through', async () => {
    const { submitted } = await write({ sbp: 80, dbp: 90 })
    expect(submitted).toMatchObject({ done: true })
    const [query, ...others] = await queries()
    expect(others).toEqual([])
    expect(query).toMatchObject({
      source: 'system',
      state: 'open',
      rule: 'order',
      wasAsked: true,
      place: { code: 'dbp' },
      thread: [{ act: 'raise', by: null, text: '舒张压不低于收缩压', content: { value: 90 } }],
    })
  })

  it('asks nothing of a page that nobody has said to be complete', async () => {
    await write({ sbp: 80, dbp: 90 }, 'entry.save')
    expect(await queries()).toEqual([])
  })

  it('asks once, however often the page is saved, and ends by itself once it passes', async () => {
    await write({ sbp: 80, dbp: 90 })
    await write({ dbp: 95 }, 'entry.save', { dbp: 90 })
    expect(await queries()).toHaveLength(1)
    await write({ dbp: 60 }, 'entry.save', { dbp: 95 })
    const [query] = await queries()
    expect(query).toMatchObject({
      state: 'closed',
      thread: [{ act: 'raise' }, { act: 'passes', by: null, content: { value: 60 } }],
    })
  })

  it('asks anew where it fails again after it had passed', async () => {
    await write({ sbp: 80, dbp: 90 })
    await write({ dbp: 60 }, 'entry.save', { dbp: 90 })
    await write({ dbp: 99 }, 'entry.save', { dbp: 60 })
    expect((await queries()).map(({ state }) => state)).toEqual(['closed', 'open'])
  })

  it('does not ask again about a value that somebody has settled; another value that fails is another question', async () => {
    await write({ sbp: 80, dbp: 90 })
    const [query] = await queries()
    if (query === undefined) throw new Error('nothing was asked')
    await act(world, world.people.lin, query, 'answer', { text: '复测一致', category: 'confirmed' })
    await act(world, world.people.manager, query, 'close')
    await write({ sbp: 79 }, 'entry.save', { sbp: 80 })
    expect((await queries()).map(({ state }) => state)).toEqual(['closed'])
    await write({ dbp: 92 }, 'entry.save', { dbp: 90 })
    expect((await queries()).map(({ state }) => state)).toEqual(['closed', 'open'])
  })

  it('leaves an answer to whoever closes, though the value passes now', async () => {
    await write({ sbp: 80, dbp: 90 })
    const [query] = await queries()
    if (query === undefined) throw new Error('nothing was asked')
    await act(world, world.people.lin, query, 'answer', { text: '已更正', category: 'corrected' })
    await write({ dbp: 60 }, 'entry.save', { dbp: 90 })
    expect((await queries()).map(({ state }) => state)).toEqual(['answered'])
  })

  it('leaves a person’s question to the person', async () => {
    await write({ sbp: 80, dbp: 60 })
    await ask(world, world.people.monitor, target.patientId, { place: placeOn('sbp'), text: '请核对' }, { crfId })
    await write({ sbp: 90 }, 'entry.save', { sbp: 80 })
    expect((await queries()).map(({ state }) => state)).toEqual(['open'])
  })

  it('ends, with what anybody asked, where its field is hidden by a rule', async () => {
    await write({ sbp: 190, dbp: 60, why: 'x' })
    await ask(world, world.people.monitor, target.patientId, { place: placeOn('why'), text: '请说明' }, { crfId })
    expect((await queries()).map(({ state }) => state)).toEqual(['open', 'open'])
    await write({ sbp: 120 }, 'entry.save', { sbp: 190 })
    const ended = await queries()
    expect(ended.map(({ state }) => state)).toEqual(['closed', 'closed'])
    expect(ended.map(({ thread }) => thread.at(-1)?.act)).toEqual(['gone', 'gone'])
  })

  it('ends, with what anybody asked about the page, where the page is deleted', async () => {
    await write({ sbp: 80, dbp: 90 })
    await ask(world, world.people.monitor, target.patientId, { place: placeOn(null), text: '整页请核对' }, { crfId })
    const rev = await revision()
    await call(world, world.people.lin, 'entry.delete', {
      query: { id: entryId(target) },
      body: { target, seenRev: rev, reason: WHY },
      crfId,
    })
    const ended = await queries()
    expect(ended.map(({ state, thread }) => [state, thread.at(-1)?.act])).toEqual([
      ['closed', 'gone'],
      ['closed', 'gone'],
    ])
  })

  it('is told in the trail as the server’s, with what was asked', async () => {
    await write({ sbp: 80, dbp: 90 })
    await write({ dbp: 60 }, 'entry.save', { dbp: 90 })
    const { rows } = await world.database.ownerPool.query<{ action: string; prop: string }>(
      `SELECT action, prop FROM audit WHERE patient_id = $1 AND action LIKE 'query.%' ORDER BY seq, ord`,
      [target.patientId],
    )
    expect(rows).toEqual([
      { action: 'query.ask', prop: 'dbp' },
      { action: 'query.passes', prop: 'dbp' },
    ])
  })
})

async function revision(): Promise<number> {
  const { rows } = await world.database.ownerPool.query<{ rev: number }>('SELECT rev FROM entry WHERE id = $1', [
    entryId(target),
  ])
  return rows[0]?.rev ?? 0
}

function placeOn(code: string | null) {
  return { ...target, table: null, rid: null, code }
}
