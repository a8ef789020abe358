import * as z from 'zod/mini'
import { id, prop, text } from '#core/wire/shapes.ts'

/**
 * Part of the answer about a change of a patient or a visit that collided with another person's change: names of the
 * facts that keep the other person's value. A device keeps them for a restore.
 */
export const collidedFacts = z.exactOptional(z.array(text(100)))

/**
 * Where an operation stood in a history that the server has forgotten, because it was restored from an older backup
 * (docs/adr/0036-order-after-restore.md). A device sends this with what it sends again, and with what it had not sent
 * yet.
 */
export const lostPlace = z.object({
  /** The server's epoch before it was restored. */
  epoch: text(40),
  /** Change number under which the operation was taken then; null where it was not sent yet. */
  seq: z.nullable(z.int()),
  /**
   * The places in which it collided with another person's change then; the collision is still open, or was decided.
   * `code` is `_deleted` for a deletion; for a patient or a visit it is the name of the fact.
   */
  collided: z
    .array(z.object({ table: z.nullable(prop), rid: z.nullable(id), code: text(100) }))
    .check(z.maxLength(5000)),
})
export type LostPlace = z.infer<typeof lostPlace>
