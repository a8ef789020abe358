import * as z from 'zod/mini'
import { id, instant, json, text } from '#core/wire/shapes.ts'
import { isId } from '#core/ids.ts'
import { rowKinds } from './rows.ts'
import type { RowKind } from './rows.ts'

/**
 * `GET /api/edc/sync/pull?scope=&cursor=`: changes of a scope since a change number, as NDJSON, oldest first. A line
 * `cursor` says up to where everything has come; the device stores it in the transaction of the rows before it, so a
 * broken stream resumes there. With `&patientId=` only what belongs to one patient comes: a device that does not keep
 * the whole center brings them on by themselves.
 *
 * With `from`, what a device that has nothing yet (cursor 0) is sent comes in another order: patients first, so that
 * they can be worked with, then patient by patient what was entered. A line `cursor` then says with `from` where to go
 * on; its cursor stays 0 until the end.
 */

const kinds = Object.keys(rowKinds) as [RowKind, ...RowKind[]]

export const pullLine = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('start'),
    scope: text(120),
    /** Changes when the server was restored from a backup: cursors start over, receipts' payloads are offered again. */
    epoch: text(40),
    /** Changes when rights, masks or a patient's center change: the device compares its list and drops or fetches. */
    scopeVersion: text(40),
    /** Rows that will come, for progress. */
    total: z.int(),
    /**
     * Change number up to which no restore of a backup can forget anything: payloads up to it are never offered again.
     * Absent from older servers.
     */
    durable: z.optional(z.int()),
    serverTime: instant,
  }),
  /** The row as it is now, checked against `rowKinds[kind]` on arrival. */
  z.object({ t: z.literal('put'), kind: z.enum(kinds), id, seq: z.int(), row: json }),
  /** The row is no longer the device's to see, or was deleted for good. */
  z.object({ t: z.literal('drop'), kind: z.enum(kinds), id, seq: z.int() }),
  z.object({ t: z.literal('cursor'), cursor: z.int(), from: z.optional(text(120)) }),
  z.object({ t: z.literal('end'), cursor: z.int() }),
])
export type PullLine = z.infer<typeof pullLine>

/** A line of a pull, checked; null where it is none. The row of a `put` is checked by its kind. */
export function readPullLine(line: unknown): PullLine | null {
  if (isPut(line)) return line
  const parsed = pullLine.safeParse(line)
  return parsed.success ? parsed.data : null
}

/** What nearly all lines are, without a walk through the schema: the same things are asked of it. */
function isPut(line: unknown): line is Extract<PullLine, { t: 'put' }> {
  if (typeof line !== 'object' || line === null || !('t' in line) || line.t !== 'put') return false
  if (!('kind' in line) || !('id' in line) || !('seq' in line) || !('row' in line)) return false
  return (
    typeof line.kind === 'string' &&
    Object.hasOwn(rowKinds, line.kind) &&
    typeof line.id === 'string' &&
    isId(line.id) &&
    Number.isSafeInteger(line.seq)
  )
}
