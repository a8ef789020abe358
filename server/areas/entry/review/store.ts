import type { MarkState, ReviewCounts, ReviewTrack } from '#core/review/verification.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { arrayText } from '#server/database/arrays.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Marks and counts in SQL. Their writer holds the lock of the entry, or of its patient. */

/** How far an entry is checked in a track, to be stored. */
export interface Counted extends ReviewCounts {
  readonly entryId: string
  readonly projectId: string
  readonly patientId: string
  readonly track: ReviewTrack
  readonly ready: boolean
}

const WRITE_COUNTS = prepare<readonly Counted[]>('review_count_write', (parameter) => {
  const each = (read: (count: Counted) => string | number | boolean) => (counts: readonly Counted[]) =>
    arrayText(counts.map(read))
  const count = columns<readonly Counted[]>(parameter, {
    entry_id: ['uuid[]', each(({ entryId }) => entryId)],
    track: ['text[]', each(({ track }) => track)],
    project_id: ['uuid[]', each(({ projectId }) => projectId)],
    patient_id: ['uuid[]', each(({ patientId }) => patientId)],
    ready: ['boolean[]', each(({ ready }) => ready)],
    due: ['integer[]', each(({ due }) => due)],
    done: ['integer[]', each(({ done }) => done)],
    changed: ['integer[]', each(({ changed }) => changed)],
  })
  return `
    INSERT INTO review_count (${count.names}) SELECT * FROM unnest(${count.places})
    ON CONFLICT (entry_id, track) DO UPDATE SET
      ready = excluded.ready, due = excluded.due, done = excluded.done, changed = excluded.changed
    WHERE (review_count.ready, review_count.due, review_count.done, review_count.changed)
      IS DISTINCT FROM (excluded.ready, excluded.due, excluded.done, excluded.changed)`
})

/** Stores how far entries are checked. A row that says so already is left as it is. */
export async function writeCounts(transaction: Queryable, counts: readonly Counted[]): Promise<void> {
  if (counts.length > 0) await transaction.query(WRITE_COUNTS(counts))
}

interface MarkNow extends ItemPlace {
  readonly entryId: string
  readonly track: ReviewTrack
  readonly state: MarkState
}

const WRITE_STATES = prepare<readonly MarkNow[]>('review_mark_states', (parameter) => {
  const each = (read: (mark: MarkNow) => string | null) => (marks: readonly MarkNow[]) => arrayText(marks.map(read))
  const mark = columns<readonly MarkNow[]>(parameter, {
    entry_id: ['uuid[]', each(({ entryId }) => entryId)],
    track: ['text[]', each(({ track }) => track)],
    table_prop: ['text[]', each(({ table }) => table)],
    rid: ['text[]', each(({ rid }) => rid)],
    prop: ['text[]', each(({ code }) => code)],
    state: ['text[]', each(({ state }) => state)],
  })
  return `
    UPDATE review_mark m SET state = n.state FROM unnest(${mark.places}) AS n (${mark.names})
    WHERE m.entry_id = n.entry_id AND m.track = n.track AND m.prop = n.prop
      AND m.table_prop IS NOT DISTINCT FROM n.table_prop AND m.rid IS NOT DISTINCT FROM n.rid`
})

/** Gives marks another state. Who marked what, and when, stays. */
export async function writeMarkStates(transaction: Queryable, marks: readonly MarkNow[]): Promise<void> {
  if (marks.length > 0) await transaction.query(WRITE_STATES(marks))
}

/** The place of a mark and where a release has moved its field. */
export interface MovedMark {
  readonly from: ItemPlace
  readonly to: ItemPlace
}

/** The places of the marks of an entry, each once. */
export async function placesOfMarks(transaction: Queryable, entryId: string): Promise<readonly ItemPlace[]> {
  const { rows } = await transaction.query<ItemPlace>({
    name: 'review_mark_places',
    text: 'SELECT DISTINCT table_prop AS "table", rid, prop AS code FROM review_mark WHERE entry_id = $1',
    values: [entryId],
  })
  return rows
}

/** Lets marks of an entry follow their fields to other codes. */
export async function moveMarks(transaction: Queryable, entryId: string, moved: readonly MovedMark[]): Promise<void> {
  if (moved.length === 0) return
  const list = JSON.stringify(moved.map(({ from, to }) => ({ ...from, toTable: to.table, toCode: to.code })))
  // First to places that no field has, because two fields may have swapped their codes.
  await transaction.query({
    name: 'review_mark_move_from',
    text: `
      UPDATE review_mark m SET table_prop = r."toTable", prop = '>' || r."toCode"
      FROM jsonb_to_recordset($2) AS r ("table" text, rid text, code text, "toTable" text, "toCode" text)
      WHERE m.entry_id = $1 AND m.prop = r.code AND m.table_prop IS NOT DISTINCT FROM r."table" AND m.rid IS NOT DISTINCT FROM r.rid`,
    values: [entryId, list],
  })
  await transaction.query({
    name: 'review_mark_move_to',
    text: `UPDATE review_mark SET prop = substr(prop, 2) WHERE entry_id = $1 AND starts_with(prop, '>')`,
    values: [entryId],
  })
}
