import * as z from 'zod/mini'
import type { Call } from '#core/api/call.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { errorInBody, wordsInBody } from '#offline/net/answer.ts'

/** An answer of HTTP 200 as the call's data or a typed error: the body decides (specification §8). */

const envelope = z.object({ success: z.boolean(), data: z.optional(z.unknown()) })
const page = z.object({
  records: z.array(z.unknown()),
  total: z.number(),
  totalIsLeast: z.optional(z.boolean()),
  size: z.number(),
  current: z.number(),
  pages: z.number(),
})

/** Decodes the body of a successful answer by the call's row of the contract. */
export function decodeAnswer(call: Call, body: unknown): Result<unknown, ApiError> {
  if (call.answer === 'raw') {
    const failure = errorInBody(body)
    return failure === null ? checkShape(call.data, body) : err(failure)
  }
  const wrapped = envelope.safeParse(body)
  if (!wrapped.success) return err({ code: 'gateway' })
  if (!wrapped.data.success) return err(errorInBody(body) ?? { code: 'unknown', ...wordsInBody(body) })
  const { data } = wrapped.data
  if (call.answer === 'tree') return checkShape(z.array(call.data), data)
  if (call.answer !== 'page') return checkShape(call.data, data)
  const parsed = page.safeParse(data)
  if (!parsed.success) return err({ code: 'gateway' })
  const records = checkShape(z.array(call.data), parsed.data.records)
  return records.ok ? ok({ ...parsed.data, records: records.value }) : records
}

/** This app does not understand a server that answers in another shape than the contract's. */
function checkShape(schema: Call['data'], value: unknown): Result<unknown, ApiError> {
  const parsed = schema.safeParse(value)
  return parsed.success ? ok(parsed.data) : err({ code: 'client_too_old' })
}
