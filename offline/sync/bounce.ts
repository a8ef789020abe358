import type { ApiError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Receipt } from '#core/sync/protocol/operation.ts'
import * as z from 'zod/mini'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { BounceReason, BouncedRow, OutboxRow } from '#offline/db/rows.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'
import type { BounceAnswer } from '#offline/vault/sealedKinds.ts'

import type { Pulled } from './cache.ts'
import type { SyncContext } from './context.ts'

/**
 * Submits that the server took and saved but that did not make the page submitted. They are kept until a submit goes
 * through.
 */

const submitResult = z.object({
  submitted: z.nullable(
    z.object({ done: z.boolean(), why: z.nullable(z.enum(['changed', 'invalid', 'conflict', 'unanswered'])) }),
  ),
  error: z.record(z.string(), z.string()),
  conflicts: z.array(z.object({ code: z.string() })),
})

const NOTHING_SAID: BounceAnswer = { messages: {}, field: null }

/** The row of a submit that did not go through; null where it did, or where the server keeps it for later. */
export async function bounceOf(
  ring: KeyRing,
  row: OutboxRow,
  receipt: Receipt,
  result: JsonValue,
): Promise<BouncedRow | null> {
  const verdict = verdictOf(receipt, result)
  if (verdict === null) return null
  const { entityId, patientId, scope, projectId } = row
  const answer = await seal(ring, bouncedSealPlace(row), sensitiveLevel(ring, scope), verdict.answer)
  return {
    entityId,
    patientId,
    scope,
    projectId,
    seq: receipt.seq,
    receivedAt: receipt.receivedAt,
    why: verdict.why,
    answer,
  }
}

function verdictOf(
  receipt: Receipt,
  result: JsonValue,
): { readonly why: BounceReason; readonly answer: BounceAnswer } | null {
  if (receipt.outcome === 'held' || receipt.outcome === 'inbox') return null
  const parsed = submitResult.safeParse(result)
  // A user who carries another author's work gets the receipt only; the next pull brings what became of the page.
  if (!parsed.success || parsed.data.submitted === null) return { why: 'unknown', answer: NOTHING_SAID }
  const { submitted, error, conflicts } = parsed.data
  if (submitted.done) return null
  const field =
    submitted.why === 'conflict' ? conflicts[0]?.code : submitted.why === 'invalid' ? Object.keys(error)[0] : undefined
  const messages = submitted.why === 'invalid' ? error : {}
  return { why: submitted.why ?? 'unknown', answer: { messages, field: field ?? null } }
}

/** What the server said; nothing where the reader does not have the key under which the answer was sealed. */
export async function openBounce(ring: KeyRing, row: BouncedRow): Promise<BounceAnswer> {
  return (await unseal(ring, bouncedSealPlace(row), row.answer)) ?? NOTHING_SAID
}

/** These pages are submitted now, whoever did it: what was said of an earlier submit is removed. */
export async function forgetBounces(
  { storage }: SyncContext,
  pulled: readonly Pulled[],
): Promise<Result<true, ApiError>> {
  const over = pulled.flatMap((one) => (one.kind === 'entry' && one.row.status === SUBMITTED ? [one.id] : []))
  if (over.length === 0) return ok(true)
  const done = await storage.run(async ({ work }) => {
    // There are hardly any such rows, while a first download brings tens of thousands of submitted pages.
    const known = new Set(await work.bounced.toCollection().primaryKeys())
    const gone = over.filter((id) => known.has(id))
    if (gone.length > 0) await work.bounced.bulkDelete(gone)
  })
  return done.ok ? ok(true) : done
}

function bouncedSealPlace({ scope, entityId }: Pick<BouncedRow, 'scope' | 'entityId'>): SealPlace<'bounced'> {
  return { scope, kind: 'bounced', id: entityId }
}
