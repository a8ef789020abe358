import * as z from 'zod/mini'
import { json } from '#core/wire/shapes.ts'
import { missingReason } from './entryChange.ts'

/**
 * A value for which no field of its page has a place any more, as it is kept beside the data. Its label and words are
 * those of the definition under which it was entered. Values that were kept before there were such words have none.
 */
export const retiredValue = z.object({
  table: z.nullable(z.string()),
  rid: z.optional(z.nullable(z.string())),
  code: z.optional(z.string()),
  value: json,
  missing: z.nullable(missingReason),
  label: z.optional(z.string()),
  /** Label of the table, for a value in a row. */
  tableLabel: z.optional(z.nullable(z.string())),
  /** The value as a person reads it. */
  text: z.optional(z.string()),
  why: z.optional(z.enum(['removed', 'unfit'])),
})
export type RetiredValue = z.infer<typeof retiredValue>
