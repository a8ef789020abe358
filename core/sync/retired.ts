import * as z from 'zod/mini'
import { json } from '#core/wire/shapes.ts'
import { missingReason } from './entryChange.ts'

/**
 * A value that no field of its page has a place for any more, as it is kept beside the data. Its label and words are
 * those of the definition that it was entered under; what was kept before there were any has none.
 */
export const retiredValue = z.object({
  table: z.nullable(z.string()),
  rid: z.optional(z.nullable(z.string())),
  code: z.optional(z.string()),
  value: json,
  missing: z.nullable(missingReason),
  label: z.optional(z.string()),
  /** Of a value in a row, what its table was called. */
  tableLabel: z.optional(z.nullable(z.string())),
  /** The value as a person reads it. */
  text: z.optional(z.string()),
  why: z.optional(z.enum(['removed', 'unfit'])),
})
export type RetiredValue = z.infer<typeof retiredValue>
