import * as z from 'zod/mini'
import { text } from './shapes.ts'

/** A typed failure on the wire (`error` of an envelope, or of one pushed operation). */
export const wireError = z.object({
  code: text(60),
  message: z.optional(z.string()),
  fields: z.optional(
    z.array(
      z.object({
        path: z.string(),
        code: z.string(),
        params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
      }),
    ),
  ),
  problems: z.optional(z.array(z.object({ target: z.string(), output: z.string(), content: z.string() }))),
  retryAfterSeconds: z.optional(z.number()),
})
export type WireError = z.infer<typeof wireError>
