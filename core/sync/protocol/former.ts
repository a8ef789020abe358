import * as z from 'zod/mini'
import { id, prop, text } from '#core/wire/shapes.ts'

/**
 * What an answer about a patient or a visit says of a change that met another's: names of the facts that keep the
 * other's word. A device keeps them for a restore.
 */
export const collidedFacts = z.exactOptional(z.array(text(100)))

/**
 * Where an operation stood in a history that the server has forgotten, because it was restored from an older backup
 * (docs/adr/0036-order-after-restore.md). A device says so of what it sends again, and of what it had not sent yet.
 */
export const formerPlace = z.object({
  /** Of the server before it was restored. */
  epoch: text(40),
  /** Change number under which it was taken then; null where it was not sent yet. */
  seq: z.nullable(z.int()),
  /**
   * What of it another's will stood against then, and still does or was decided: `code` is `_deleted` for a deletion,
   * and the fact's name of a patient's or a visit's.
   */
  collided: z
    .array(z.object({ table: z.nullable(prop), rid: z.nullable(id), code: text(100) }))
    .check(z.maxLength(5000)),
})
export type FormerPlace = z.infer<typeof formerPlace>
