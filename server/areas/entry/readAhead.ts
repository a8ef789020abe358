import { ApiFailure } from '#core/api/errors.ts'
import { EMPTY_ENTRY } from '#core/sync/merge.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { NotPlain } from '#server/areas/entry/saveReads.ts'
import type { LockedEntry, SaveReads } from '#server/areas/entry/saveReads.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { lockFreeEntries, lockFreePatients, mergedAmong } from '#server/areas/entry/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { EntryChangeAct } from '#server/operations/act.ts'
import { anyWaiting } from '#server/operations/standing.ts'

/**
 * Reads all that decides about the saves of a batch, for all of them at once. It waits for no writer: a save whose
 * rows somebody is writing is not plain. A save is not plain either where its author or patient was not found.
 *
 * @param acts of one project, each of another entry
 * @returns null where something is held that any of them might have to be held with
 */
export async function readAhead(
  transaction: Queryable,
  projectId: string,
  acts: readonly EntryChangeAct[],
): Promise<SaveReads | null> {
  const members = await membersOf(transaction, projectId, acts)
  const patientIds = [...new Set(acts.map(({ body }) => body.target.patientId))]
  const entryIds = acts.map(({ entityId }) => entityId)
  if (await anyWaiting(transaction, projectId, [...patientIds, ...entryIds])) return null
  const patients = new Map(
    (await lockFreePatients(transaction, projectId, patientIds)).map((patient) => [patient.id, patient]),
  )
  const secondPass = acts.filter(({ pass }) => pass === 2).map(({ body }) => body.target.patientId)
  const merged = await mergedAmong(transaction, secondPass)
  const entries = await lockFreeEntries(transaction, projectId, entryIds)
  return {
    membership: async (_, author) => members.get(author.userId) ?? leaveBatch(),
    waitingBefore: () => Promise.resolve([]),
    lockPatient: async (_, __, id) => patients.get(id) ?? leaveBatch(),
    mergedAmong: (_, ids) => Promise.resolve(new Set(ids.filter((id) => merged.has(id)))),
    lockOrMake: async (_, empty) => lockedOf(entries.get(empty.id), empty),
    requireAlone: leaveBatch,
  }
}

function leaveBatch(): never {
  throw new NotPlain()
}

/** The authors' memberships in the project, by user id; without authors who are no longer members. */
async function membersOf(
  transaction: Queryable,
  projectId: string,
  acts: readonly EntryChangeAct[],
): Promise<ReadonlyMap<string, Membership>> {
  const members = new Map<string, Membership>()
  for (const [userId, { author }] of new Map(acts.map((act) => [act.author.userId, act]))) {
    try {
      members.set(userId, await membership(transaction, author, projectId))
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
    }
  }
  return members
}

function lockedOf(found: StoredEntry | null | undefined, empty: Parameters<SaveReads['lockOrMake']>[1]): LockedEntry {
  if (found === undefined) return { entry: emptyEntry(empty), made: true, hasRow: false }
  return found === null ? leaveBatch() : { entry: found, made: false, hasRow: true }
}

/** An entry without data, as `makeEntry` would make it. */
function emptyEntry({ id, versionId, userId }: Parameters<SaveReads['lockOrMake']>[1]): StoredEntry {
  return {
    ...EMPTY_ENTRY,
    id,
    versionId,
    status: 'init',
    control: 'open',
    rev: 0,
    hidden: [],
    progress: null,
    retired: {},
    deleted: false,
    updatedBy: userId,
    submittedOnce: false,
    unexplained: [],
    confirmed: [],
    migratedRev: null,
    hasQueries: false,
  }
}
