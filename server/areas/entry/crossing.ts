import type { DataElsewhere } from '#core/form/elsewhere.ts'
import { entryId, FIRST_REPEAT } from '#core/ids.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { PageIds, VersionName } from '#server/areas/entry/versionEngine.ts'
import { versionEngine } from '#server/areas/entry/versionEngine.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** What rules across pages make of a write: what it has to read besides its own page, and who must not write meanwhile. */

/** The pages of one patient in one entry pass. */
export type Casebook = Pick<EntryTarget, 'patientId' | 'pass'>

/** Whether rules of the page read others, or rules of others read it. */
export async function isCrossing(transaction: Queryable, page: VersionName & PageIds): Promise<boolean> {
  const engine = await versionEngine(transaction, page)
  return engine.readBy(page).size > 0 || engine.readersOf(page).length > 0
}

/**
 * Lets the pages of a patient that read each other be written one after another, until the transaction ends: of two that are saved at the
 * same moment each would otherwise be judged without the other. To be called before any of their entries is locked.
 */
export async function takeTurn(transaction: Queryable, { patientId, pass }: Casebook): Promise<void> {
  await transaction.query({
    name: 'crossing_turn',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`crossing|${patientId}|${String(pass)}`],
  })
}

/**
 * What is saved on the pages that the rules of this one read. Deleted entries count as none.
 *
 * @param unwritten by entry, what is about to be written and counts as saved
 */
export async function dataElsewhere(
  transaction: Queryable,
  page: VersionName & PageIds,
  { patientId, pass }: Casebook,
  unwritten: ReadonlyMap<string, EntryData> = new Map(),
): Promise<DataElsewhere> {
  const readBy = (await versionEngine(transaction, page)).readBy(page)
  if (readBy.size === 0) return new Map()
  const ids = new Map(
    Array.from(readBy, ([key, place]) => [
      key,
      entryId({ patientId, ...place, folderRepeat: FIRST_REPEAT, pageRepeat: FIRST_REPEAT, parentEntryId: null, pass }),
    ]),
  )
  const { rows } = await transaction.query<EntryData & { readonly id: string }>({
    name: 'crossing_data',
    text: 'SELECT id, "values", missing FROM entry WHERE id = ANY ($1) AND NOT deleted',
    values: [[...ids.values()]],
  })
  const saved = new Map<string, EntryData>([...rows.map(({ id, values, missing }) => [id, { values, missing }] as const), ...unwritten])
  return new Map(
    Array.from(ids).flatMap(([key, id]) => {
      const data = saved.get(id)
      return data === undefined ? [] : [[key, data]]
    }),
  )
}

/** Whether the entry is the one that rules of other pages read: the first of its page in the first of its visits. */
export function isReadByOthers({ folderRepeat, pageRepeat, parentEntryId }: Pick<EntryTarget, 'folderRepeat' | 'pageRepeat' | 'parentEntryId'>): boolean {
  return folderRepeat === FIRST_REPEAT && pageRepeat === FIRST_REPEAT && parentEntryId === null
}
