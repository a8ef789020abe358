import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RuleRunCounts } from '#core/api/calls/design.ts'
import { ApiFailure } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { call, change, enrol, makeWorld, refusal, save, vitals } from '#tests/server/support/world.ts'
import type { Person, World } from '#tests/server/support/world.ts'

/** A rule tried on what was entered: on which entries it would fire, for whom, and how much at a time. */

let world: World
/** By how much they smoke: 60 women and men of the north, three of the south. */
beforeAll(async () => {
  world = await makeWorld()
  const enter = async (who: Person, centerId: string, items: Readonly<Record<string, JsonValue>>): Promise<void> => {
    const patientId = await enrol(world, who, centerId)
    await save(world, who, change(vitals(world, patientId), items))
  }
  const { lin, south } = world.people
  for (let at = 0; at < 30; at += 1)
    await enter(lin, world.study.north, {
      height: 150 + at,
      weight: 60,
      ...(at % 3 === 0 ? {} : { smokes: at % 3 === 1 ? '1' : '0', packs: 2 }),
    })
  for (let at = 0; at < 3; at += 1) await enter(south, world.study.south, { height: 190, weight: 90, contact: '李四' })
}, 60_000)
afterAll(() => world.close())

const ask = (who: Person, source: string, more: object = {}): Promise<RuleRunCounts> =>
  call(world, who, 'version.ruleTry', {
    query: { crfId: world.study.versionId },
    body: { pageId: world.study.vitalsId, table: null, kind: 'check', source, after: null, ...more },
  })

/** All answers to the end, added up. */
async function whole(
  who: Person,
  source: string,
  more: object = {},
): Promise<Pick<RuleRunCounts, 'entries' | 'fires' | 'silent' | 'unknown' | 'faults' | 'total'>> {
  const sum = { entries: 0, fires: 0, silent: 0, unknown: 0, faults: 0, total: null as number | null }
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const answer: RuleRunCounts = await ask(who, source, { ...more, after })
    for (const key of ['entries', 'fires', 'silent', 'unknown', 'faults'] as const) sum[key] += answer[key]
    sum.total = answer.total ?? sum.total
    after = answer.next
  }
  return sum
}

describe('a rule on what was entered', () => {
  it('is counted entry by entry, calculated values and hidden ones as the page has them', async () => {
    const { manager } = world.people
    expect(await whole(manager, 'page.height > 180')).toEqual({
      entries: 33,
      fires: 3,
      silent: 30,
      unknown: 0,
      faults: 0,
      total: 33,
    })
    // Packs are hidden, and so missing, where nobody smokes.
    expect(await whole(manager, 'page.packs > 1')).toEqual({
      entries: 33,
      fires: 10,
      silent: 0,
      unknown: 23,
      faults: 0,
      total: 33,
    })
    expect(await whole(manager, 'page.bmi > 24.9 // comment')).toMatchObject({ entries: 33, fires: 9 })
    expect(await whole(manager, 'matches(page.smokes, "(")')).toMatchObject({ faults: 20, unknown: 13 })
    expect(await whole(manager, 'page.weight / page.packs', { kind: 'calculate' })).toMatchObject({
      fires: 10,
      unknown: 23,
    })
  })

  it('names up to twenty of the entries, each with its patient and page', async () => {
    const { examples } = await ask(world.people.manager, 'page.height > 180')
    expect(examples.length).toBeGreaterThan(0)
    expect(Object.keys(examples[0] ?? {}).toSorted()).toEqual([
      'entryId',
      'folderName',
      'folderNameEn',
      'pageName',
      'pageNameEn',
      'patient',
      'patientId',
    ])
    expect((await ask(world.people.manager, 'page.height > 1')).examples.length).toBeLessThanOrEqual(20)
  })

  it('is for who may write rules, and over what they may see', async () => {
    for (const who of [world.people.lin, world.people.monitor])
      expect(await refusal(ask(who, 'page.height > 1'))).toBe('forbidden')
    expect(await refusal(ask(world.people.stranger, 'page.height > 1'))).toBe('not_found')
    // Administrators run the platform and may not see what identifies a patient.
    expect(await refusal(ask(world.people.admin, 'page.contact == "李四"'))).toBe('forbidden')
    expect(await whole(world.people.admin, 'page.height > 180')).toMatchObject({ fires: 3 })
    await world.database.ownerPool.query(`UPDATE member SET data_scope = 'center' WHERE user_id = $1`, [
      world.people.manager.userId,
    ])
    await world.database.ownerPool.query(
      `UPDATE member_center SET removed = true WHERE center_id = $2 AND member_id = (SELECT id FROM member WHERE user_id = $1)`,
      [world.people.manager.userId, world.study.south],
    )
    expect(await whole(world.people.manager, 'page.height > 180')).toMatchObject({ entries: 30, fires: 0, total: 30 })
  })

  it('says why a text is no rule there', async () => {
    const codes = async (source: string, more: object = {}) =>
      ask(world.people.admin, source, more).then(
        () => null,
        (error: unknown) =>
          error instanceof ApiFailure && 'fields' in error.error
            ? error.error.fields?.map(({ path, code }) => `${path} ${code}`)
            : error,
      )
    expect(await codes('page.nobody > 1')).toEqual(['body.source unknown-field'])
    expect(await codes('page.height >')).toEqual(['body.source syntax'])
    expect(await codes('page.height > "a"')).toEqual(['body.source type'])
    expect(await codes('timestamp("2026")')).toEqual(['body.source not-allowed'])
    expect(await codes('true', { table: 'nobody' })).toEqual(['body.table unknown'])
  })

  it('ends an answer before it takes long, and goes on where it ended', async () => {
    const began = performance.now()
    const { entries, next, total } = await ask(world.people.admin, 'page.height > 180')
    expect([entries >= 20, total]).toEqual([true, 33])
    expect(performance.now() - began).toBeLessThan(2000)
    expect(await ask(world.people.admin, 'page.height > 180', { after: next ?? world.study.vitalsId })).toMatchObject({
      total: null,
    })
    expect(
      await ask(world.people.admin, 'page.height > 180', { after: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }),
    ).toMatchObject({ entries: 0, next: null })
  })
})
