import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { findEntry, isPicked } from '#core/form/compiled/repeats.ts'
import type { EntryPosition } from '#core/form/compiled/repeats.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import { entryId } from '#core/derivedIds.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryIds, PageIds, VersionEngine, VersionName } from '#server/areas/entry/versions/versionEngine.ts'
import { versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * What rules across pages need of a write: what has to be read besides the page itself, and which other writes have
 * to wait.
 */

/** The pages of one patient in one entry pass. */
export type PatientPass = Pick<EntryTarget, 'patientId' | 'pass'>

/** Whether the page's rules read other pages, or rules of other pages read this one. */
export async function isCrossing(transaction: Queryable, page: VersionName & PageIds): Promise<boolean> {
  const engine = await versionEngine(transaction, page)
  return engine.readBy(page).length > 0 || engine.readersOf(page).length > 0
}

/**
 * Lets the pages of a patient that read each other be written one after another, until the transaction ends. Two that
 * are saved at the same moment would otherwise each be judged without the other. It has to be called before any of
 * their entries is locked.
 */
export async function lockCrossing(transaction: Queryable, { patientId, pass }: PatientPass): Promise<void> {
  await transaction.query({
    name: 'crossing_turn',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`crossing|${patientId}|${String(pass)}`],
  })
}

/**
 * The saved data of the entries that this page's rules read. A deleted entry counts as having none.
 *
 * @param reader the place of the entry whose rules run
 * @param unwritten data that is about to be written and counts as saved, by entry
 */
export async function readOtherPages(
  transaction: Queryable,
  page: VersionName & PageIds,
  reader: PatientPass & EntryIds,
  unwritten: ReadonlyMap<string, EntryData> = new Map(),
): Promise<OtherPages> {
  return dataReadBy(transaction, await versionEngine(transaction, page), page, reader, unwritten)
}

/** The same with an engine that the caller gives. */
export async function dataReadBy(
  transaction: Queryable,
  engine: VersionEngine,
  page: PageIds,
  reader: PatientPass & EntryIds,
  unwritten: ReadonlyMap<string, EntryData> = new Map(),
): Promise<OtherPages> {
  const places = engine.readBy(page)
  const position = engine.positionOf(reader)
  if (places.length === 0 || position === null) return new Map()
  const entries = places.some(isPicked) ? await positions(transaction, engine, reader) : []
  const { patientId, pass } = reader
  const ids = new Map(
    places.flatMap((place) => {
      const found = findEntry(place, position, { entries, folders: engine.folders })
      const at = found === null ? null : engine.idsOf(found)
      return at === null ? [] : [[placeKey(place), entryId({ ...at, patientId, parentEntryId: null, pass })]]
    }),
  )
  const { rows } = await transaction.query<EntryData & { readonly id: string }>({
    name: 'crossing_data',
    text: 'SELECT id, "values", missing FROM entry WHERE id = ANY ($1) AND NOT deleted',
    values: [[...ids.values()]],
  })
  const saved = new Map<string, EntryData>([
    ...rows.map(({ id, values, missing }) => [id, { values, missing }] as const),
    ...unwritten,
  ])
  return new Map(
    Array.from(ids).flatMap(([key, id]) => {
      const data = saved.get(id)
      return data === undefined ? [] : [[key, data]]
    }),
  )
}

/** The places of the patient's entries that rules may pick from. */
async function positions(
  transaction: Queryable,
  engine: VersionEngine,
  { patientId, pass }: PatientPass,
): Promise<readonly EntryPosition[]> {
  const { rows } = await transaction.query<EntryIds>({
    name: 'crossing_positions',
    text: `
      SELECT folder_id AS "folderId", folder_repeat AS "folderRepeat", page_id AS "pageId", page_repeat AS "pageRepeat"
      FROM entry WHERE patient_id = $1 AND pass = $2 AND parent_entry_id IS NULL AND NOT deleted`,
    values: [patientId, pass],
  })
  return rows.flatMap((row) => engine.positionOf(row) ?? [])
}
