import type { WorkDb } from '#offline/db/databases.ts'
import { getCounters, getMeta } from '#offline/db/meta.ts'
import type { Counters } from '#offline/db/meta.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'

/**
 * What a new operation is planned from: it is read beforehand, and checked in the transaction that queues the
 * operation. So a person waits for that one transaction only.
 */
export interface Seen {
  /** Rows of the entity, of its patient, and of its visit where a person made that visit. */
  readonly rows: readonly OutboxRow[]
  readonly counters: Counters
  readonly driftMs: number | null
}

/** The entity that is written: an entry, a visit or a patient, with its patient. */
interface Subject {
  readonly entityId: string
  readonly patientId: string
  readonly visitId?: string
}

export function look(work: WorkDb, subject: Subject): Promise<Seen> {
  return work.transaction('r', work.outbox, work.meta, async () => {
    const [rows, counters, driftMs] = await Promise.all([
      rowsOf(work, subject),
      getCounters(work),
      getMeta(work, 'driftMs'),
    ])
    return { rows, counters, driftMs: driftMs ?? null }
  })
}

/** Whether the rows are still as they were read. Asked in the transaction that relies on them. */
export async function stillHolds(work: WorkDb, seen: Seen, subject: Subject): Promise<boolean> {
  const now = new Map((await rowsOf(work, subject)).map((row) => [row.key, row]))
  return (
    now.size === seen.rows.length &&
    seen.rows.every(({ key, state, sent }) => now.get(key)?.state === state && now.get(key)?.sent === sent)
  )
}

async function rowsOf(work: WorkDb, { entityId, patientId, visitId }: Subject): Promise<OutboxRow[]> {
  const ids = [...new Set([entityId, patientId, ...(visitId === undefined ? [] : [visitId])])]
  return (await Promise.all(ids.map((id) => work.outbox.where('entityId').equals(id).toArray()))).flat()
}

const ahead = new WeakMap<WorkDb, { readonly entityId: string; readonly seen: Promise<Seen | null> }>()

/** Reads ahead while nobody is typing: a save of this entity is about to come. */
export function lookAhead(work: WorkDb, subject: Subject): void {
  // What cannot be read now is read when it is needed, and the failure is told then.
  const seen = attempt(() => look(work, subject)).then((looked) => (looked.ok ? looked.value : null))
  ahead.set(work, { entityId: subject.entityId, seen })
}

/** What was read ahead for this entity; it is given out once. */
export async function seenAhead(work: WorkDb, { entityId }: Subject): Promise<Seen | null> {
  const known = ahead.get(work)
  if (known?.entityId !== entityId) return null
  ahead.delete(work)
  return known.seen
}
