import { v5 } from 'uuid'

/**
 * Ids that follow from others. What the visit schedule defines gets one, so that two offline tablets that open the same
 * page make the same entry.
 */

/** Namespace of every deterministic id of this product. Changing it would orphan all stored entries. */
const NAMESPACE = '6f1d3c9e-6b1b-5d0c-9a55-7a6c5b0f4e21'

/** What identifies one entry: one page of one patient in one entry pass. `parentEntryId` is set for child pages. */
export interface EntryKey {
  readonly patientId: string
  readonly folderId: string
  /** FIRST_REPEAT for a scheduled visit; a UUIDv7 for an unscheduled or repeated one. */
  readonly folderRepeat: string
  readonly pageId: string
  /** FIRST_REPEAT for the first; a UUIDv7 for each further repeat. */
  readonly pageRepeat: string
  readonly parentEntryId: string | null
  /** Entry pass: 1 for the first, 2 for the second of double entry (`doubleSeqNo` on the wire). */
  readonly pass: number
}

/** The repeat key of whatever the schedule itself defines. */
export const FIRST_REPEAT = '0'

/**
 * The deterministic id of an entry (UUIDv5 of its key). Equal keys give equal ids on every device and on the server.
 */
export function entryId(key: EntryKey): string {
  return v5(
    [
      'entry',
      key.patientId,
      key.folderId,
      key.folderRepeat,
      key.pageId,
      key.pageRepeat,
      key.parentEntryId ?? '',
      String(key.pass),
    ].join('|'),
    NAMESPACE,
  )
}

/**
 * What identifies one visit: a folder of one patient, the one that the schedule defines (FIRST_REPEAT) or one that a
 * person made (UUIDv7).
 */
export interface VisitKey {
  readonly patientId: string
  readonly folderId: string
  readonly folderRepeat: string
}

/** The deterministic id of a visit (UUIDv5 of its key). */
export function visitId({ patientId, folderId, folderRepeat }: VisitKey): string {
  return v5(['visit', patientId, folderId, folderRepeat].join('|'), NAMESPACE)
}

/**
 * The id of what a check asks about a field: the same when the save that made it fail is taken in once more.
 *
 * @param nth how often the check has asked there before
 */
export function ruleQueryId(
  entry: string,
  place: { readonly table: string | null; readonly rid: string | null; readonly code: string },
  rule: string,
  nth: number,
): string {
  return v5(
    ['rule query', entry, place.table ?? '', place.rid ?? '', place.code, rule, String(nth)].join('|'),
    NAMESPACE,
  )
}

/**
 * The id of a question of a file: the same when its line is asked once more in the same sitting.
 *
 * @param what the place and the words, as text
 * @param nth how many lines before it ask the same
 */
export function fileQueryId(sitting: string, what: string, nth: number): string {
  return v5(['file query', sitting, what, String(nth)].join('|'), NAMESPACE)
}

/** The key of what happened to a query by itself. @param nth how many acts it had before */
export function queryTurnKey(query: string, nth: number): string {
  return v5(['query turn', query, String(nth)].join('|'), NAMESPACE)
}

/**
 * The id of the conflict that an operation met at an address: the same if a restored server is sent the operation
 * again, so that a decision on it still finds it.
 *
 * @param nth how many conflicts the operation met at this address before
 */
export function conflictId(
  opKey: string,
  place: { readonly table: string | null; readonly rid: string | null; readonly code: string },
  nth: number,
): string {
  return v5(['conflict', opKey, place.table ?? '', place.rid ?? '', place.code, String(nth)].join('|'), NAMESPACE)
}

/** Address of one value: an entry, the row (`_rid`) when it lies in a table, and the field code. */
export interface ItemAddress {
  readonly entryId: string
  readonly rid: string | null
  readonly code: string
}

/** The derived, stable id of an item: `entryId.prop`, or `entryId.rid.prop` inside a table row. */
export function itemId(address: ItemAddress): string {
  return address.rid === null
    ? `${address.entryId}.${address.code}`
    : `${address.entryId}.${address.rid}.${address.code}`
}
