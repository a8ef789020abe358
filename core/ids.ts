import { v7, validate } from 'uuid'

/**
 * Identifiers. Ids are strings on the wire and are never renumbered (docs/adr/0001-ids-and-rows.md). What a person
 * makes (patients, repeats, rows, attachments, queries, operations) gets a UUIDv7 made on the device; what follows from
 * other ids: core/derivedIds.ts.
 */

/**
 * A new time-ordered id (UUIDv7).
 *
 * @param random 16 bytes of the platform's secure random source, where many were drawn at once; without them it draws
 *   its own
 */
export function newId(random?: Uint8Array): string {
  return random === undefined ? v7() : v7({ random })
}

/** When an id of `newId` was made, by the clock of the device that made it; ms since the epoch. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** Whether `text` is a UUID in canonical lower-case form, which is the only form accepted on the wire. */
export function isId(text: string): boolean {
  return validate(text) && text === text.toLowerCase()
}
