import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { act, shown } from '#tests/server/areas/query/support.ts'
import { VITALS, addVersion, call, change, enrol, event, item, save, vitals } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** A check of a submitted page asks, and ends what it asked, also where another page is what makes it fail or pass. */

const EVENT = JSON.stringify({
  column: [
    { prop: 'term', label: '不良事件', type: 'input' },
    {
      prop: 'dose',
      label: '剂量',
      type: 'number',
      zl: {
        checks: [
          {
            id: 'light',
            when: 'page.dose > visit.VS.weight',
            severity: 'query',
            message: { zh: '剂量大于体重', en: 'The dose exceeds the weight' },
          },
        ],
      },
    },
  ],
})

const world = worldForAllTests()
let crfId: string
let patient: string
beforeAll(async () => {
  crfId = newId()
  const version = { id: crfId, no: 2, vitals: VITALS, event: EVENT }
  await addVersion(world.services.pool, world.study, world.people.admin, version)
})
beforeEach(async () => {
  patient = await enrol(world)
})

const signs = () => vitals(world, patient)
const adverse = () => event(world, patient, '0')
const WHY = { code: 'new_source', text: '病历更正' } as const

function write(
  target: EntryTarget,
  values: Readonly<Record<string, JsonValue>>,
  as: 'entry.save' | 'entry.submit' = 'entry.save',
  base: Readonly<Record<string, JsonValue>> = {},
) {
  const reason = Object.keys(base).length === 0 ? null : WHY
  const items = Object.entries(values).map(([code, to]) => item(code, base[code] ?? null, to, { reason }))
  return save(world, world.people.lin, { ...change(target, {}), items }, { crfId, as })
}

const queries = async () => (await shown(world, world.people.manager, { patientId: patient })).map(({ query }) => query)

describe('a check that reads another page', () => {
  it('asks at its own page when the other one makes it fail, and ends it when the other one makes it pass', async () => {
    await write(signs(), { weight: 61 })
    await write(adverse(), { term: '皮疹', dose: 50 }, 'entry.submit')
    expect(await queries()).toEqual([])
    await write(signs(), { weight: 41 }, 'entry.save', { weight: 61 })
    expect(await queries()).toMatchObject([
      {
        source: 'system',
        state: 'open',
        rule: 'light',
        place: { pageId: world.study.eventId, code: 'dose' },
        thread: [{ act: 'raise', by: null, content: { value: 50 } }],
      },
    ])
    await write(signs(), { weight: 61 }, 'entry.save', { weight: 41 })
    expect(await queries()).toMatchObject([{ state: 'closed', thread: [{ act: 'raise' }, { act: 'passes' }] }])
  })

  it('asks nothing at a page that nobody has said to be complete', async () => {
    await write(signs(), { weight: 61 })
    await write(adverse(), { term: '皮疹', dose: 50 })
    await write(signs(), { weight: 41 }, 'entry.save', { weight: 61 })
    expect(await queries()).toEqual([])
  })

  it('asks once, and not again over a value that somebody has settled', async () => {
    await write(signs(), { weight: 61 })
    await write(adverse(), { term: '皮疹', dose: 50 }, 'entry.submit')
    await write(signs(), { weight: 41 }, 'entry.save', { weight: 61 })
    await write(signs(), { weight: 42 }, 'entry.save', { weight: 41 })
    const [query, ...others] = await queries()
    expect(others).toEqual([])
    if (query === undefined) throw new Error('not asked')
    await act(world, world.people.manager, query, 'close')
    await write(signs(), { weight: 43 }, 'entry.save', { weight: 42 })
    expect((await queries()).map(({ state }) => state)).toEqual(['closed'])
  })

  it('is satisfied where the other page is deleted', async () => {
    await write(signs(), { weight: 41 })
    await write(adverse(), { term: '皮疹', dose: 50 }, 'entry.submit')
    expect((await queries()).map(({ state }) => state)).toEqual(['open'])
    const target = signs()
    await call(world, world.people.lin, 'entry.delete', {
      query: { id: entryId(target) },
      body: { target, seenRev: 1, reason: WHY },
      crfId,
    })
    expect((await queries()).map(({ state }) => state)).toEqual(['closed'])
  })
})
