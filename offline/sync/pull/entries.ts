import type { EntryRow } from '#core/api/sync/rows.ts'
import { patientOfEntry } from '#offline/db/marks.ts'
import type { Storage } from '#offline/db/open.ts'
import type { CacheRow, MarkRow, PackRow } from '#offline/db/rows.ts'
import { cacheId, isOwnView, openRow } from '#offline/sync/cache.ts'
import { unseal } from '#offline/vault/codec.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

import { packPlace } from './packs.ts'

/** Entries on the device, whether they are stored by themselves or in packs. May throw a storage error. */

type Reader = { readonly storage: Pick<Storage, 'cache'>; readonly ring: KeyRing; readonly userId: string }

/** The sealed records of some entries, as of one moment. */
interface Found {
  readonly rows: readonly CacheRow[]
  readonly marks: readonly MarkRow[]
  readonly packs: readonly PackRow[]
}

/** The entries of a patient that the user may see here, in no order. */
export async function entriesOfPatient(reader: Reader, patientId: string): Promise<EntryRow[]> {
  const { cache } = reader.storage
  const found = await cache.transaction('r', cache.rows, cache.casebooks, cache.packs, async (): Promise<Found> => {
    const rows = await cache.rows.where('[kind+parent]').equals(['entry', patientId]).toArray()
    const marks = (await cache.casebooks.where('patientId').equals(patientId).toArray()).flatMap(
      (casebook) => casebook.marks,
    )
    return { rows, marks, packs: await packsOf(reader, marks) }
  })
  return open(reader, found)
}

/**
 * One entry; null where the user cannot see it here.
 *
 * @param patientId the entry's patient, where known: without it all casebooks may have to be searched
 */
export async function entryHere(
  reader: Reader,
  scope: string,
  entryId: string,
  patientId: string | null = null,
): Promise<EntryRow | null> {
  const { cache } = reader.storage
  const id = cacheId(reader.ring, reader.userId, scope, 'entry', entryId)
  const found = await cache.transaction('r', cache.rows, cache.casebooks, cache.packs, async (): Promise<Found> => {
    const row = await cache.rows.get([scope, 'entry', id])
    const patient = row?.parent ?? patientId ?? (await patientOfEntry(cache, scope, id))
    const casebook = patient === null ? undefined : await cache.casebooks.get([scope, patient])
    const marks = (casebook?.marks ?? []).filter((mark) => mark.id === id)
    return { rows: row === undefined ? [] : [row], marks, packs: await packsOf(reader, marks) }
  })
  const [entry] = await open(reader, found)
  return entry ?? null
}

function isOwn({ ring, userId }: Reader, mark: MarkRow): boolean {
  return isOwnView(ring, userId, { ...mark, kind: 'entry' })
}

async function packsOf(reader: Reader, marks: readonly MarkRow[]): Promise<readonly PackRow[]> {
  const keys = new Map<string, [string, string, string]>()
  for (const mark of marks) {
    if (mark.pack !== undefined && isOwn(reader, mark)) keys.set(mark.pack, [mark.scope, mark.patientId, mark.pack])
  }
  if (keys.size === 0) return []
  return (await reader.storage.cache.packs.bulkGet([...keys.values()])).filter((pack) => pack !== undefined)
}

async function open(reader: Reader, { rows, marks, packs }: Found): Promise<EntryRow[]> {
  const { ring, userId } = reader
  const packed = new Map(
    marks.flatMap((mark): [string, MarkRow][] => (mark.pack === undefined ? [] : [[`${mark.scope} ${mark.id}`, mark]])),
  )
  // Where a mark names a pack, the pack holds what came last.
  const own = rows.filter((row) => isOwnView(ring, userId, row) && !packed.has(`${row.scope} ${row.id}`))
  const singles = await Promise.all(own.map((row) => openRow(ring, 'entry', row)))
  const opened = await Promise.all(
    packs.map(async (pack) => {
      const entries = (await unseal(ring, packPlace(pack), pack.rows)) ?? []
      return entries.filter((entry) => {
        const mark = packed.get(`${pack.scope} ${cacheId(ring, userId, pack.scope, 'entry', entry.id)}`)
        return mark?.pack === pack.id && isOwn(reader, mark)
      })
    }),
  )
  return [...singles.filter((entry) => entry !== null), ...opened.flat()]
}
