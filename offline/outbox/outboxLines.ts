import type { WorkDb } from '#offline/db/databases.ts'
import type { OutboxRow, OutboxRowState } from '#offline/db/rows.ts'
import type { Storage } from '#offline/db/open.ts'

/**
 * The outbox without the contents of its rows. After a day without a network it holds megabytes, and lists are drawn
 * anew with each acknowledgement. So states are read from their index, and what never changes in a row is read once. A
 * row that is found in no other state is queued: so the largest part of the index is not read.
 */
export interface OutboxLine extends Pick<
  OutboxRow,
  'key' | 'seq' | 'scope' | 'call' | 'entityId' | 'patientId' | 'actedAt' | 'mark' | 'explains'
> {
  readonly state: OutboxRowState
}

type Fixed = Omit<OutboxLine, 'state'>

const NOT_QUEUED: readonly OutboxRowState[] = ['sending', 'retry', 'rejected', 'reason', 'aside']
/** How many rows are read at once, so that no reading blocks its thread. */
const AT_ONCE = 100

const remembered = new WeakMap<WorkDb, Map<string, Fixed>>()

/** Rows that still count, oldest first. */
export async function readOutboxLines(storage: Pick<Storage, 'work'>): Promise<readonly OutboxLine[]> {
  const { work } = storage
  const known = remembered.get(work) ?? new Map<string, Fixed>()
  remembered.set(work, known)
  const states = await work.transaction('r', work.outbox, async () => {
    const [all, ...others] = await Promise.all([
      work.outbox.toCollection().primaryKeys(),
      ...NOT_QUEUED.map((state) => work.outbox.where('state').equals(state).primaryKeys()),
    ])
    const stateOf = new Map(all.map((key): [string, OutboxRowState] => [key, 'queued']))
    for (const [at, state] of NOT_QUEUED.entries()) for (const key of others[at] ?? []) stateOf.set(key, state)
    return stateOf
  })
  // Rows that were set aside do not count.
  for (const [key, state] of states) if (state === 'aside') states.delete(key)
  for (const key of known.keys()) if (!states.has(key)) known.delete(key)
  const unknown = [...states.keys()].filter((key) => !known.has(key))
  for (let at = 0; at < unknown.length; at += AT_ONCE) {
    for (const row of await work.outbox.bulkGet(unknown.slice(at, at + AT_ONCE)))
      if (row !== undefined) known.set(row.key, fixedOf(row))
  }
  const lines = [...states].flatMap(([key, state]) => {
    const fixed = known.get(key)
    // A row that was acknowledged in between is no longer part of the outbox.
    return fixed === undefined ? [] : [{ ...fixed, state }]
  })
  return lines.toSorted((a, b) => a.seq - b.seq)
}

function fixedOf({ key, seq, scope, call, entityId, patientId, actedAt, mark, explains }: OutboxRow): Fixed {
  const line = { key, seq, scope, call, entityId, patientId, actedAt, ...(explains === undefined ? {} : { explains }) }
  return mark === undefined ? line : { ...line, mark }
}
