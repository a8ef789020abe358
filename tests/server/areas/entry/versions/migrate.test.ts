import { beforeEach, describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { releaseRenamed, renameColumns, smokingByLetter, vitalsColumns } from '#tests/server/support/release.ts'
import type { Renamed } from '#tests/server/support/release.ts'
import { call, change, enrol, item, operationOf, push, save, vitals } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** What goes with an entry to another release besides its values, and who may build on what it was before. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const page = () => vitals(world, patient)
const turn = () => runMigrations(world.services)

const release = (columns: readonly Column[], renamed: Renamed = [], no = 2) =>
  releaseRenamed(world, columns, renamed, no)

describe('the list of changes without a reason', () => {
  const RID = newId()
  const of = { table: 'drugs', rid: RID }
  const row = (rid: string) => ({
    table: 'drugs',
    rid,
    to: { deleted: false, order: 'a' },
    base: null,
    seen: null,
    reason: null,
  })

  async function listed(): Promise<readonly string[]> {
    const [entry] = await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } })
    return (entry?.unexplained ?? []).map(({ table, code }) => (table === null ? code : `${table}.${code}`)).toSorted()
  }

  /**
   * Of a submitted page a note, a contact, a dose and a row of drugs were changed without a reason; the contact is
   * empty now, and so is the dose.
   */
  async function changeAll(): Promise<void> {
    const first = change(page(), { height: 170, note: '晨起', contact: '家属' }, { rows: [row(RID)] })
    const items = [...first.items, item('drug', null, '丹参', of), item('dose', null, 3, of)]
    await save(world, world.people.lin, { ...first, items }, { as: 'entry.submit' })
    const changed: readonly ItemChange[] = [
      item('note', '晨起', '餐后'),
      item('contact', '家属', null),
      item('dose', 3, null, of),
      item('drug', '丹参', '红花', of),
    ]
    const body = change(page(), {}, { items: [...changed], rows: [row(newId())] })
    const op = operationOf(world, world.people.lin, {
      call: 'entry.save',
      entityId: entryId(page()),
      body: body,
    })
    expect((await push(world, world.people.lin, [op])).get(op.key)).toMatchObject({
      t: 'taken',
      receipt: { outcome: 'applied' },
    })
    expect(await listed()).toEqual(['contact', 'drugs._row', 'drugs.dose', 'drugs.drug', 'note'])
  }

  it('keeps nothing of a table that a release removes: nobody could ever say why', async () => {
    await changeAll()
    await release(vitalsColumns.filter(({ prop }) => prop !== 'drugs'))
    await turn()
    expect(await listed()).toEqual(['contact', 'note'])
  })

  it('keeps nothing of a field or a column that is gone, though nothing stood in it any more', async () => {
    await changeAll()
    const columns = vitalsColumns.flatMap((column): readonly Column[] => {
      if (column.prop === 'contact') return []
      return [
        column.prop === 'drugs'
          ? { ...column, children: { column: (column.children?.column ?? []).filter(({ prop }) => prop !== 'dose') } }
          : column,
      ]
    })
    await release(columns)
    await turn()
    expect(await listed()).toEqual(['drugs._row', 'drugs.drug', 'note'])
  })

  it('goes with fields and tables to their new codes', async () => {
    await changeAll()
    const named = [
      [null, 'note', 'remark'],
      [null, 'drugs', 'herbs'],
    ] as const
    await release(renameColumns(named), named)
    await turn()
    expect(await listed()).toEqual(['contact', 'herbs._row', 'herbs.dose', 'herbs.drug', 'remark'])
  })
})

describe('who has the release and not yet the migrated page', () => {
  /** Smoking is written Y and N, packs are asked of everybody. */
  const NEXT = smokingByLetter(vitalsColumns)
  const write = (who: 'lin' | 'wu', crfId: string, values: Parameters<typeof change>[1]) =>
    save(world, world.people[who], change(page(), values), { crfId })
  const values = async () =>
    (await call(world, world.people.lin, 'entry.list', { query: { patientId: patient } }))[0]?.values

  beforeEach(() => save(world, world.people.lin, change(page(), { smokes: '1', weight: 65 })))

  it('meets no conflict where a save brought the page along, before the patient’s turn', async () => {
    const id = await release(NEXT)
    await write('lin', id, { height: 170 })
    const answer = await write('wu', id, { smokes: item('smokes', '1', 'N') })
    expect(answer.conflicts).toEqual([])
    expect(await values()).toMatchObject({ smokes: 'N', height: 170 })
  })

  it('meets no conflict where others have written to the page since, before and after the turn', async () => {
    const id = await release(NEXT)
    await write('lin', id, { height: 170 })
    await turn()
    await write('lin', id, { weight: item('weight', 65, 66) })
    const answer = await write('wu', id, { smokes: item('smokes', '1', 'N') })
    expect(answer.conflicts).toEqual([])
    expect(await values()).toMatchObject({ smokes: 'N', weight: 66 })
  })

  it('changes nothing with a reason for what it had seen before', async () => {
    const id = await release(NEXT)
    await turn()
    const answer = await write('wu', id, {
      smokes: item('smokes', '1', '1', { reason: { code: 'transcription', text: '核对原件' } }),
    })
    expect(answer).toMatchObject({ error: {}, conflicts: [] })
    expect(await values()).toMatchObject({ smokes: 'Y' })
  })

  it('meets none of two releases at once', async () => {
    const second = await release(NEXT)
    const third = await release(
      NEXT.map((column): Column => (column.prop === 'height' ? { ...column, label: '身高 (cm)' } : column)),
      [],
      3,
    )
    await write('lin', third, { height: 170 })
    expect((await write('wu', third, { smokes: item('smokes', '1', 'N') })).conflicts).toEqual([])
    expect(await values()).toMatchObject({ smokes: 'N' })
    expect(second).not.toBe(third)
  })

  it('meets a conflict where the save that brought the page along changed the very item, though to what it would have become', async () => {
    const id = await release(NEXT)
    await write('lin', id, { smokes: item('smokes', '1', 'N') })
    expect((await write('wu', id, { smokes: item('smokes', '1', null) })).conflicts).toMatchObject([
      { code: 'smokes', server: { value: 'N' } },
    ])
    await write('lin', id, { smokes: item('smokes', 'N', 'Y') })
    expect((await write('wu', id, { smokes: item('smokes', '1', null) })).conflicts).toMatchObject([
      { code: 'smokes', server: { value: 'Y' } },
    ])
  })
})
