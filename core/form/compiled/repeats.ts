import { ALL_VISITS } from '#core/rules/reads.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'

import type { ReadPlace } from './version.ts'

/**
 * Which entry a rule means where a page has several. Only the places of the entries decide, so that tablet and server
 * find the same entry.
 */

/** The place of an entry in its patient's casebook, by codes. */
export interface EntryPosition {
  readonly folder: string
  /** `FIRST_REPEAT`, or the UUIDv7 of the repeat. */
  readonly folderRepeat: string
  readonly page: string
  readonly pageRepeat: string
}

/** What must be known of a casebook to find an entry. */
export interface KnownEntries {
  /** The patient's entries in this pass that are not deleted. Children of other entries are left out. */
  readonly entries: readonly EntryPosition[]
  /** Codes of the version's visits, in their order. */
  readonly folders: readonly string[]
}

/** Whether the entries of the casebook must be known to find this place. */
export function isPicked({ pick, from }: ReadPlace): boolean {
  return pick !== undefined || (from !== undefined && isPicked(from))
}

/**
 * The entry that a rule means; null where there is none. An entry's own rules never find that entry: where a rule asks
 * for the last entry, the last entry itself finds none. An entry that is not picked is found even where it is not among
 * the known entries.
 *
 * @param reader the entry whose rules are run
 */
export function findEntry(place: ReadPlace, reader: EntryPosition, known: KnownEntries): EntryPosition | null {
  const { folder, page, pick } = place
  const from = place.from === undefined ? reader : findEntry(place.from, reader, known)
  if (from === null) return null
  if (pick === undefined) {
    const isHere = folder === from.folder || folder === ALL_VISITS
    return {
      page,
      pageRepeat: FIRST_REPEAT,
      ...(isHere ? { folder: from.folder, folderRepeat: from.folderRepeat } : { folder, folderRepeat: FIRST_REPEAT }),
    }
  }
  const isMeant = (entry: EntryPosition): boolean =>
    entry.page === page &&
    (pick.sameVisit ? isSameVisit(entry, from) : folder === ALL_VISITS || entry.folder === folder)
  // An entry before its first save is not among the known ones, but has its place among them all the same.
  const there = [
    ...known.entries.filter((entry) => isMeant(entry) && !isSame(entry, from)),
    ...(isMeant(from) ? [from] : []),
  ]
  const ordered = there.toSorted((a, b) => compare(a, b, known.folders))
  const found =
    pick.which === 'prev'
      ? ordered.findLast((entry) => isBefore(entry, from, known.folders))
      : ordered.at(pick.which === 'first' ? 0 : -1)
  return found === undefined || isSame(found, from) || isSame(found, reader) ? null : found
}

/**
 * Whether an entry comes before another: within a visit by its repeat, where both are of the same page; else by its
 * visit.
 */
function isBefore(entry: EntryPosition, other: EntryPosition, folders: readonly string[]): boolean {
  return isSameVisit(entry, other)
    ? entry.page === other.page && entry.pageRepeat < other.pageRepeat
    : compare(entry, other, folders) < 0
}

/**
 * Visits are in the order of the version. Repeats are in the order in which they were made, because their ids begin
 * with the time.
 */
function compare(a: EntryPosition, b: EntryPosition, folders: readonly string[]): number {
  if (a.folder !== b.folder) return folders.indexOf(a.folder) - folders.indexOf(b.folder)
  return order(a.folderRepeat, b.folderRepeat) || order(a.pageRepeat, b.pageRepeat)
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function isSameVisit(a: EntryPosition, b: EntryPosition): boolean {
  return a.folder === b.folder && a.folderRepeat === b.folderRepeat
}

function isSame(a: EntryPosition, b: EntryPosition): boolean {
  return isSameVisit(a, b) && a.page === b.page && a.pageRepeat === b.pageRepeat
}
