import { newId } from '#core/ids.ts'
import type { EntryChange, EntryTarget, RowChange } from '#core/sync/entryChange.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { change, item, save } from '#tests/server/support/world.ts'

/** Rows in the table of drugs of the vital signs. */

interface Drug {
  readonly drug?: string
  readonly dose?: number
  /** Where it stands among the others. */
  readonly order?: string
  readonly rid?: string
}

/** Nobody has had this row before. */
export function newRow(rid: string, order = 'a'): RowChange {
  return { table: 'drugs', rid, to: { deleted: false, order }, base: null, seen: null, reason: null }
}

/** The change that adds a drug. */
export function withDrug(target: EntryTarget, { drug, dose, order, rid = newId() }: Drug): EntryChange {
  const of = { table: 'drugs', rid }
  const items = [
    ...(drug === undefined ? [] : [item('drug', null, drug, of)]),
    ...(dose === undefined ? [] : [item('dose', null, dose, of)]),
  ]
  return change(target, {}, { rows: [newRow(rid, order)], items })
}

/** Adds a drug to a page. Gives its row. */
export async function addDrug(world: World, who: Person, target: EntryTarget, drug: Drug): Promise<string> {
  const rid = drug.rid ?? newId()
  await save(world, who, withDrug(target, { ...drug, rid }))
  return rid
}
