import * as z from 'zod/mini'
import { id, instant, json, text } from '../api/shapes.ts'
import { rowKinds } from './rows.ts'
import type { RowKind } from './rows.ts'

/**
 * `GET /api/edc/sync/pull?scope=&cursor=`: changes of a scope since a change number, as NDJSON, oldest first. A line `cursor` says up
 * to where everything has come; the device stores it in the transaction of the rows before it, so a broken stream resumes there. With
 * `&patientId=` only what belongs to one patient comes: a device that does not keep the whole center brings them on by themselves.
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
    /** Change number up to which no restore of a backup can forget anything: payloads up to it are never offered again. Absent from older servers. */
    durable: z.optional(z.int()),
    serverTime: instant,
  }),
  /** The row as it is now, checked against `rowKinds[kind]` on arrival. */
  z.object({ t: z.literal('put'), kind: z.enum(kinds), id, seq: z.int(), row: json }),
  /** The row is no longer the device's to see, or was deleted for good. */
  z.object({ t: z.literal('drop'), kind: z.enum(kinds), id, seq: z.int() }),
  z.object({ t: z.literal('cursor'), cursor: z.int() }),
  z.object({ t: z.literal('end'), cursor: z.int() }),
])
export type PullLine = z.infer<typeof pullLine>
