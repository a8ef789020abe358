import type { PatientRow } from '#core/api/sync/rows.ts'
import { lastNote, letGoOfNotes, unlistedSince } from '#offline/db/listed.ts'
import type { Storage } from '#offline/db/open.ts'
import type { CacheRow, DirectoryRow } from '#offline/db/rows.ts'
import { isOwnView, openRow, viewFor } from '#offline/sync/cache.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'

/**
 * The patients of a scope as one sealed list, so that a list of thousands is there as soon as the app is unlocked: to
 * open each row by itself takes a second on a tablet. The list is made from the rows and is never the truth. What
 * changed since is read from the rows (offline/db/listed.ts). Where anything does not fit, all rows are read.
 */

interface Listed {
  readonly upTo: number
  /** The patients by their cached ids. */
  readonly patients: ReadonlyMap<string, PatientRow>
}

/** The lists that are known in this thread. They go with the keys that opened them. */
const known = new WeakMap<KeyRing, Map<string, Listed>>()

/** Patients in one sealed part of a directory: opening a part must not block the thread that draws. */
const PART = 400
/**
 * Up to this many changes since a directory was written are read one by one; after more, the directory is written anew.
 */
const CHANGES = 100
/** Rows that are read and opened together: each such group costs the thread that draws one request. */
const ROWS_AT_ONCE = 50

type Reader = { readonly storage: Storage; readonly ring: KeyRing; readonly userId: string }

/** All patients of a scope that the user may see here, in no order. May throw a storage error. */
export async function patientsOfScope(reader: Reader, scope: string): Promise<readonly PatientRow[]> {
  const mine = known.get(reader.ring) ?? new Map<string, Listed>()
  known.set(reader.ring, mine)
  const before = mine.get(scope) ?? (await directoryOf(reader, scope))
  const current =
    (before === null ? null : await broughtUpToDate(reader, scope, before)) ?? (await readRows(reader, scope))
  mine.set(scope, current)
  return listOf(current.patients)
}

const lists = new WeakMap<Listed['patients'], readonly PatientRow[]>()

/** Gives the same array while nothing has changed, so that what is made from it can be kept too. */
function listOf(patients: Listed['patients']): readonly PatientRow[] {
  const list = lists.get(patients) ?? [...patients.values()]
  lists.set(patients, list)
  return list
}

/**
 * Writes the directory of a scope where it is missing or far behind, for the next unlock. Nothing depends on it: where
 * there is no room, it is not written.
 */
export async function writeDirectory(reader: Reader, scope: string): Promise<void> {
  const { storage, ring, userId } = reader
  const listed = known.get(ring)?.get(scope)
  if (listed === undefined) return
  await storage.run(async ({ cache }) => {
    const there = await cache.directories.get([scope, userId, 0])
    if (there !== undefined && there.view === viewFor(ring, scope, 'patient') && listed.upTo - there.upTo < CHANGES)
      return
    const parts = await sealParts(reader, scope, listed)
    await cache.transaction('rw', cache.directories, cache.unlisted, async () => {
      await cache.directories.where('[scope+userId]').equals([scope, userId]).delete()
      await cache.directories.bulkPut(parts)
      await letGoOfNotes(cache)
    })
  }, 'spare')
}

async function sealParts(
  { ring, userId }: Reader,
  scope: string,
  { upTo, patients }: Listed,
): Promise<readonly DirectoryRow[]> {
  const all = [...patients]
  const count = Math.max(1, Math.ceil(all.length / PART))
  const parts: DirectoryRow[] = []
  for (let part = 0; part < count; part += 1) {
    const entries = all.slice(part * PART, (part + 1) * PART)
    const place = directorySealPlace({ scope, userId, upTo, part })
    const rows = await seal(ring, place, sensitiveLevel(ring, scope), entries)
    parts.push({ scope, userId, part, parts: count, upTo, view: viewFor(ring, scope, 'patient'), rows })
  }
  return parts
}

/**
 * Directories that are being opened. Each caller that waits for one looks up by itself what has changed since it was
 * written.
 */
const opening = new WeakMap<KeyRing, Map<string, Promise<Listed | null>>>()

function directoryOf(reader: Reader, scope: string): Promise<Listed | null> {
  const inHand = opening.get(reader.ring) ?? new Map<string, Promise<Listed | null>>()
  opening.set(reader.ring, inHand)
  const read = inHand.get(scope) ?? readDirectory(reader, scope).finally(() => inHand.delete(scope))
  inHand.set(scope, read)
  return read
}

async function readDirectory({ storage: { cache }, ring, userId }: Reader, scope: string): Promise<Listed | null> {
  const parts = await cache.directories.where('[scope+userId]').equals([scope, userId]).toArray()
  const [first] = parts
  if (first === undefined || parts.length !== first.parts || first.view !== viewFor(ring, scope, 'patient')) return null
  const opened = await Promise.all(
    parts.map(({ part, upTo, rows }) => unseal(ring, directorySealPlace({ scope, userId, upTo, part }), rows)),
  )
  const there = opened.filter((entries) => entries !== null)
  if (parts.some(({ upTo }) => upTo !== first.upTo) || there.length < parts.length) return null
  return { upTo: first.upTo, patients: new Map(there.flat()) }
}

function directorySealPlace({
  scope,
  userId,
  upTo,
  part,
}: Pick<DirectoryRow, 'scope' | 'userId' | 'upTo' | 'part'>): SealPlace<'directory'> {
  return { scope, kind: 'directory', id: `${userId}/${upTo}/${part}` }
}

/** The list with what changed since; null where the changes are no longer known. */
async function broughtUpToDate(reader: Reader, scope: string, listed: Listed): Promise<Listed | null> {
  const { cache } = reader.storage
  const changes = await unlistedSince(cache, scope, listed.upTo)
  if (changes === 'unknown') return null
  if (changes.ids.length === 0) return { ...listed, upTo: changes.upTo }
  const patients = new Map(listed.patients)
  await readInto(reader, scope, changes.ids, patients)
  return { upTo: changes.upTo, patients }
}

async function readRows(reader: Reader, scope: string): Promise<Listed> {
  const { cache } = reader.storage
  // Read before the rows: a change during the reading is then read again the next time.
  const upTo = await lastNote(cache)
  const keys = await cache.rows.where('[scope+kind]').equals([scope, 'patient']).primaryKeys()
  const patients = new Map<string, PatientRow>()
  await readInto(
    reader,
    scope,
    keys.map(([, , id]) => id),
    patients,
  )
  return { upTo, patients }
}

/**
 * Reads the rows with these ids into the list. A patient who is not here any more, or not the user's any more, is
 * removed from it.
 */
async function readInto(
  reader: Reader,
  scope: string,
  ids: readonly string[],
  patients: Map<string, PatientRow>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const some = ids.slice(from, from + ROWS_AT_ONCE)
    const rows = await reader.storage.cache.rows.bulkGet(
      some.map((id): [string, string, string] => [scope, 'patient', id]),
    )
    const opened = await Promise.all(rows.map(async (row) => (row === undefined ? null : openOwn(reader, row))))
    for (const [at, id] of some.entries()) {
      const patient = opened[at] ?? null
      if (patient === null) patients.delete(id)
      else patients.set(id, patient)
    }
  }
}

async function openOwn({ ring, userId }: Reader, row: CacheRow): Promise<PatientRow | null> {
  return isOwnView(ring, userId, row) ? openRow(ring, 'patient', row) : null
}
