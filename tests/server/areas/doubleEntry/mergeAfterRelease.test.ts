import { beforeEach, describe, expect, it } from 'vitest'
import type { GapRow } from '#core/api/calls/review/double.ts'
import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import { queryRow } from '#core/api/sync/rows.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { ask, askedByRule, shown as queries } from '#tests/server/areas/query/support.ts'
import { addDrug } from '#tests/server/support/drugs.ts'
import { enrolForDoubleEntry, inPass } from '#tests/server/support/passes.ts'
import { releaseRenamed, renameColumns, smokingByLetter } from '#tests/server/support/release.ts'
import { call, change, pull, queryPlace, save } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/**
 * Passes of which one stands under a new release and the other not yet are compared and merged as both are there. Lin
 * has the first pass, Wu the second.
 */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrolForDoubleEntry(world)
})

const at = (pass: 1 | 2) => inPass(world, patient, pass)

/**
 * The note is called a remark, smoking is written Y and N, the table of drugs is called herbs, and there is no contact
 * any more.
 */
const RENAMED = [
  [null, 'note', 'remark'],
  [null, 'drugs', 'herbs'],
] as const
const NEXT = smokingByLetter(renameColumns(RENAMED)).filter(({ prop }) => prop !== 'contact')
const release = () => releaseRenamed(world, NEXT, RENAMED)

const check = () => call(world, world.people.manager, 'double.gapCheck', { id: patient })
const shown = ({ table, code, first, second }: GapRow) => [
  table === null ? code : `${table}.${code}`,
  first.value,
  second.value,
]

/** Takes what the second pass says wherever the two differ. */
async function merge() {
  const { gaps, compared } = await check()
  return call(world, world.people.manager, 'double.merge', {
    body: { patientId: patient, compared, choices: gaps.map(({ id }) => ({ id, choose: 'second' as const })) },
  })
}

interface Stored {
  readonly version_id: string
  readonly control: string
  readonly values: Readonly<Record<string, JsonValue>>
  readonly retired: Readonly<Record<string, { readonly value: JsonValue }>>
}

async function stored(pass: 1 | 2): Promise<Stored> {
  const { rows } = await world.services.pool.query<Stored>(
    'SELECT version_id, control, "values", retired FROM entry WHERE id = $1',
    [entryId(at(pass))],
  )
  const [row] = rows
  if (row === undefined) throw new Error('no entry')
  return row
}

describe('passes of which one was brought to a release and the other not yet', () => {
  it('are compared as both are there: what only its writing sets apart is no difference', async () => {
    await save(world, world.people.lin, change(at(1), { note: 'a', smokes: '1', height: 170 }))
    await save(world, world.people.wu, change(at(2), { note: 'A', smokes: '1' }))
    const id = await release()
    await save(world, world.people.wu, change(at(2), { height: 171 }), { crfId: id })
    expect((await check()).gaps.map(shown)).toEqual([
      ['height', 170, 171],
      ['remark', 'a', 'A'],
    ])
  })

  it('are merged with the first brought along: nothing of it is lost, and its trail says what moved', async () => {
    await save(world, world.people.lin, change(at(1), { note: 'a', smokes: '1', contact: '家属 138' }))
    await save(world, world.people.wu, change(at(2), { note: 'a', smokes: '1', contact: '家属 138' }))
    const id = await release()
    await save(world, world.people.wu, change(at(2), { height: 171 }), { crfId: id })
    expect(await merge()).toMatchObject({ state: 'merged', gaps: [] })
    expect(await stored(1)).toMatchObject({
      version_id: id,
      values: { height: 171, remark: 'a', smokes: 'Y' },
      retired: { contact: { value: '家属 138' } },
    })
    expect(Object.keys((await stored(1)).values).toSorted()).toEqual(['height', 'remark', 'smokes'])
    const { rows } = await world.services.pool.query<{ action: string; prop: string | null }>(
      `SELECT action, prop FROM audit WHERE entry_id = $1 AND seq = (SELECT max(seq) FROM audit) ORDER BY ord`,
      [entryId(at(1))],
    )
    expect(rows.map(({ action, prop }) => [action, prop])).toEqual(
      expect.arrayContaining([
        ['entry.migrate', null],
        ['item.migrate', 'remark'],
        ['item.migrate', 'smokes'],
        ['item.retire', 'contact'],
        ['item.update', 'height'],
      ]),
    )
    // The patient's turn finds the first pass there already, and brings the second, which is locked.
    const before = await stored(1)
    await runMigrations(world.services)
    expect(await stored(1)).toEqual(before)
    expect(await stored(2)).toMatchObject({ version_id: id, control: 'locked' })
  })

  it('are merged with the words of the second as they are there', async () => {
    await save(world, world.people.lin, change(at(1), { note: 'a', smokes: '1' }))
    await save(world, world.people.wu, change(at(2), { note: 'A', smokes: '0' }))
    await addDrug(world, world.people.wu, at(2), { drug: '甘草' })
    const id = await release()
    await save(world, world.people.lin, change(at(1), { height: 170 }), { crfId: id })
    await save(world, world.people.wu, change(at(2), { height: 170 }))
    expect((await check()).gaps.map(shown)).toEqual([
      ['smokes', 'Y', 'N'],
      ['remark', 'a', 'A'],
      ['herbs.herbs', null, expect.anything()],
    ])
    await merge()
    expect(await stored(1)).toMatchObject({
      version_id: id,
      values: { height: 170, remark: 'A', smokes: 'N', herbs: [{ drug: '甘草' }] },
      retired: {},
    })
    await runMigrations(world.services)
    expect(await stored(2)).toMatchObject({
      version_id: id,
      values: { remark: 'A', smokes: 'N', herbs: [{ drug: '甘草' }] },
    })
  })

  it('are merged with what was asked of the first: it is where its field is now, or over with its field', async () => {
    const { lin, wu, manager } = world.people
    await save(world, lin, change(at(1), { note: 'a', contact: '家属 138' }))
    await save(world, wu, change(at(2), { note: 'a', contact: '家属 138' }))
    const about = (code: string) => ({ place: queryPlace(world, patient, { code }) })
    await ask(world, manager, patient, about('note'))
    await ask(world, manager, patient, about('drugs'))
    await askedByRule(world, patient, { place: { code: 'contact' } })
    const id = await release()
    await save(world, wu, change(at(2), { height: 171 }), { crfId: id })
    await merge()
    const found = async () =>
      (await queries(world, lin)).map(({ query: { place, state, thread } }) => [place.code, state, thread.at(-1)?.act])
    const after = [
      ['remark', 'open', 'raise'],
      ['herbs', 'open', 'raise'],
      ['contact', 'closed', 'gone'],
    ]
    expect(await found()).toEqual(after)
    const lines = await pull(
      world,
      lin,
      scopeText({ kind: 'center', projectId: world.study.projectId, centerId: world.study.north, pass: 1 }),
    )
    const codes = lines.flatMap((line) =>
      line.t === 'put' && line.kind === 'query' ? [queryRow.parse(line.row).place.code] : [],
    )
    expect(new Set(codes)).toEqual(new Set(['contact', 'herbs', 'remark']))
    await runMigrations(world.services)
    expect(await found()).toEqual(after)
  })
})
