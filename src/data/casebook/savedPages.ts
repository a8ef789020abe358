import type { ConflictRow, EntryRow, FolderRow, VersionRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { findEntry, isPicked } from '#core/form/compiled/repeats.ts'
import type { EntryPosition } from '#core/form/compiled/repeats.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { NO_OTHER_PAGES } from '#core/form/engine/otherPages.ts'
import { jsonEqual } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { openOperations } from '#src/data/rows/local.ts'
import type { TakenOperation, Unsent } from '#src/data/rows/local.ts'
import { withUnsent } from '#src/data/rows/overlay.ts'

import { knownTargets } from './casebookVisits.ts'
import { LastRead } from './lastRead.ts'
import { underVersion } from './pagePlans.ts'
import type { Patient } from './patientParts.ts'

/** What is saved of a patient's pages, as a person at this device sees it. */

export interface SavedPage {
  readonly server: EntryRow | null
  readonly own: readonly OutboxRow[]
  readonly held: readonly TakenOperation[]
  /** The operations in `own` that the user's keys open. */
  readonly unsent: readonly Unsent[]
  /** The server's row with this device's work over it. */
  readonly data: EntryData
  /** Whether the server left out identifying values in the row for this user. */
  readonly masked: boolean
}

/**
 * An entry of the patient. It decrypts only this entry's rows of the outbox.
 *
 * @throws a storage error
 */
export async function savedPage(context: DataContext, patient: Patient, id: string): Promise<SavedPage> {
  const server = patient.entries.find((entry) => entry.id === id) ?? null
  const own = patient.outbox.filter(({ entityId }) => entityId === id)
  const held = patient.held.filter(({ row }) => row.entityId === id)
  const unsent = await openOperations(context, own)
  const stands = server?.versionId ?? patient.version.id
  const work = await notOvertaken(context, id, [...held, ...unsent])
  const over = await underVersion(context, patient.project.id, stands, work)
  return {
    server,
    own,
    held,
    unsent,
    data: withUnsent(server, over, patient.conflicts.rows),
    masked: cameMasked(server),
  }
}

/**
 * Leaves out operations that the server held or put in the inbox before it applied a later one to the entry. They no
 * longer wait, and the entry's row shows their result; only the device has not been told yet.
 */
async function notOvertaken(
  context: DataContext,
  id: string,
  all: readonly (TakenOperation | Unsent)[],
): Promise<readonly (TakenOperation | Unsent)[]> {
  if (!all.some((one) => waitedSince(one) !== null)) return all
  const applied = await context.storage.work.receipts
    .where('entityId')
    .equals(id)
    .filter(({ outcome }) => outcome === 'applied' || outcome === 'conflict')
    .toArray()
  const last = Math.max(0, ...applied.map(({ seq }) => seq))
  return all.filter((one) => (waitedSince(one) ?? last) >= last)
}

/** The server's change number at which it took the operation in to wait; null where the operation does not wait. */
function waitedSince({ row }: TakenOperation | Unsent): number | null {
  return 'receipt' in row ? row.seq : (row.asked ?? null)
}

/**
 * Whether a row came masked for its reader. Older servers do not say: then a value that looks like a mask counts as
 * one.
 */
export function cameMasked(row: Pick<EntryRow | ConflictRow, 'masked'> | null): boolean {
  return row !== null && row.masked !== false
}

/**
 * What the rules of a page read of the patient's other pages in the same pass. A deleted page counts as none.
 *
 * @param version the version that the page is compiled in: it says which page is meant
 * @throws a storage error
 */
export async function readOtherPages(
  context: DataContext,
  patient: Patient,
  {
    version,
    compiled,
    target: reader,
  }: { readonly version: VersionRow; readonly compiled: CompiledPage; readonly target: EntryTarget },
): Promise<OtherPages> {
  const places = new Places(version)
  const position = places.positionOf(reader)
  if (position === null || compiled.otherPages.length === 0) return NO_OTHER_PAGES
  const entries = compiled.otherPages.some(isPicked)
    ? knownTargets(patient)
        .filter(({ parentEntryId }) => parentEntryId === null)
        .flatMap((one) => places.positionOf(one) ?? [])
    : []
  const found = await Promise.all(
    compiled.otherPages.map(async (place): Promise<readonly (readonly [string, EntryData])[]> => {
      const at = findEntry(place, position, { entries, folders: places.folders })
      const ids = at === null ? null : places.idsOf(at)
      if (ids === null) return []
      const target: EntryTarget = { ...ids, patientId: patient.view.id, parentEntryId: null, pass: reader.pass }
      const { server, held, unsent, data } = await savedPage(context, patient, entryId(target))
      const isThere = server === null ? held.length + unsent.length > 0 : !server.deleted
      return isThere ? [[placeKey(place), data]] : []
    }),
  )
  return new Map(found.flat())
}

type EntryIds = Pick<EntryTarget, 'folderId' | 'folderRepeat' | 'pageId' | 'pageRepeat'>

/** The pages of a version at their places. Rules name pages by codes, entries by ids. */
class Places {
  readonly #visits: readonly FolderRow[]

  constructor({ folders }: VersionRow) {
    this.#visits = folders.toSorted((a, b) => a.sort - b.sort)
  }

  /** Codes of the visits, in their order. */
  get folders(): readonly string[] {
    return this.#visits.map(({ folderCode }) => folderCode)
  }

  positionOf({ folderId, pageId, folderRepeat, pageRepeat }: EntryIds): EntryPosition | null {
    const visit = this.#visits.find(({ id }) => id === folderId)
    const page = visit?.pages.find(({ id }) => id === pageId)
    return visit === undefined || page === undefined
      ? null
      : { folder: visit.folderCode, page: page.pageCode, folderRepeat, pageRepeat }
  }

  idsOf({ folder, page, folderRepeat, pageRepeat }: EntryPosition): EntryIds | null {
    const visit = this.#visits.find(({ folderCode }) => folderCode === folder)
    const there = visit?.pages.find(({ pageCode }) => pageCode === page)
    return visit === undefined || there === undefined
      ? null
      : { folderId: visit.id, pageId: there.id, folderRepeat, pageRepeat }
  }
}

/** What the rules of an open page read of other pages, as it was last read. */
export function makeLastOtherPages(): LastRead<EntryData> {
  return new LastRead(
    NO_OTHER_PAGES,
    (one, other) => jsonEqual(one.values, other.values) && jsonEqual(one.missing, other.missing),
  )
}
