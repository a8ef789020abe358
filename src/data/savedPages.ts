import type { CompiledPage } from '#core/form/compile.ts'
import type { DataElsewhere } from '#core/form/elsewhere.ts'
import { NOTHING_ELSEWHERE } from '#core/form/elsewhere.ts'
import type { PagePlace } from '#core/form/version.ts'
import { placeKey } from '#core/form/version.ts'
import { FIRST_REPEAT, entryId } from '#core/ids.ts'
import { jsonEqual } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryRow, VersionRow } from '#core/sync/rows.ts'
import type { OutboxRow } from '#offline/db/rows.ts'

import type { DataContext } from './context.ts'
import { opened } from './local.ts'
import type { Held, Unsent } from './local.ts'
import { withUnsent } from './overlay.ts'
import type { Patient } from './readCasebook.ts'

/** What is saved of a patient's pages, as a person at this device sees it. */

export interface SavedPage {
  readonly server: EntryRow | null
  readonly own: readonly OutboxRow[]
  readonly held: readonly Held[]
  /** What of `own` the user's keys open. */
  readonly unsent: readonly Unsent[]
  /** The server's row with this device's work over it. */
  readonly data: EntryData
}

/**
 * An entry of the patient. Of the outbox it opens that entry's rows alone.
 *
 * @throws a storage error
 */
export async function savedPage(context: DataContext, patient: Patient, id: string): Promise<SavedPage> {
  const server = patient.entries.find((entry) => entry.id === id) ?? null
  const own = patient.outbox.filter(({ entityId }) => entityId === id)
  const held = patient.held.filter(({ row }) => row.entityId === id)
  const unsent = await opened(context, own)
  return { server, own, held, unsent, data: withUnsent(server, [...held, ...unsent], patient.conflicts.rows) }
}

/**
 * What the rules of a page read of the patient's other pages: what is saved on the first of each, in the same pass. A deleted one counts
 * as none.
 *
 * @param version the one that the page is compiled in: it says which page is meant
 * @throws a storage error
 */
export async function savedElsewhere(
  context: DataContext,
  patient: Patient,
  { version, compiled, pass }: { readonly version: VersionRow; readonly compiled: CompiledPage; readonly pass: EntryTarget['pass'] },
): Promise<DataElsewhere> {
  const found = await Promise.all(
    compiled.elsewhere.map(async (place): Promise<readonly (readonly [string, EntryData])[]> => {
      const ids = idsOf(version, place)
      if (ids === null) return []
      const target: EntryTarget = { ...ids, patientId: patient.view.id, folderRepeat: FIRST_REPEAT, pageRepeat: FIRST_REPEAT, parentEntryId: null, pass }
      const { server, held, unsent, data } = await savedPage(context, patient, entryId(target))
      const isThere = server === null ? held.length + unsent.length > 0 : !server.deleted
      return isThere ? [[placeKey(place), data]] : []
    }),
  )
  return new Map(found.flat())
}

function idsOf(version: VersionRow, { folder, page }: PagePlace): Pick<EntryTarget, 'folderId' | 'pageId'> | null {
  const visit = version.folders.find(({ folderCode }) => folderCode === folder)
  const there = visit?.pages.find(({ pageCode }) => pageCode === page)
  return visit === undefined || there === undefined ? null : { folderId: visit.id, pageId: there.id }
}

/** Pages that a person goes to and fro between. */
const MOST = 4

/** What readings of other pages gave: the same object again as long as nothing there has changed, so that an open page has nothing to do. */
export class LastElsewhere {
  readonly #last = new Map<string, DataElsewhere>()

  /** @param entry the page whose rules read it */
  of(entry: string, read: DataElsewhere): DataElsewhere {
    const last = this.#last.get(entry) ?? NOTHING_ELSEWHERE
    const now = saysTheSame(last, read) ? last : read
    this.#last.delete(entry)
    if (now.size > 0) this.#last.set(entry, now)
    const [oldest] = this.#last.keys()
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest)
    return now
  }
}

function saysTheSame(one: DataElsewhere, other: DataElsewhere): boolean {
  return one.size === other.size && [...one].every(([place, data]) => {
    const its = other.get(place)
    return its !== undefined && jsonEqual(data.values, its.values) && jsonEqual(data.missing, its.missing)
  })
}
