import type { ReviewItem } from '#core/api/calls/review/check.ts'
import type { MarkState, ReviewMethod, ReviewTrack } from '#core/review/verification.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { arrayText, jsonArrayText } from '#server/database/arrays.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Marks in SQL, as people make and read them. */

/** Where an entry is that the member may see. */
interface EntryOf {
  readonly patientId: string
  readonly pass: 1 | 2
}

/** The patient and the pass of an entry; null where the member may not see it. */
export async function entryOf(transaction: Queryable, member: Membership, entryId: string): Promise<EntryOf | null> {
  const { rows } = await transaction.query<EntryOf>({
    name: 'review_entry_of',
    text: `
      SELECT e.patient_id AS "patientId", e.pass FROM entry e JOIN patient p ON p.id = e.patient_id
      WHERE ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR e.pass = $4) AND e.id = $5 AND NOT p.deleted AND NOT e.deleted`,
    values: [...visibleTo(member), passParameter(member), entryId],
  })
  return rows[0] ?? null
}

/** A mark as it is told. */
export interface ToldMark extends Omit<ReviewItem, 'due'> {
  readonly track: ReviewTrack
}

/** The marks of an entry with who made them, in the order in which they were made. */
export async function marksOf(transaction: Queryable, entryId: string): Promise<readonly ToldMark[]> {
  const { rows } = await transaction.query<ToldMark>({
    name: 'review_marks_of',
    text: `
      SELECT
        m.track, m.table_prop AS "table", m.rid, m.prop AS code, m.state, m.by_user AS by, u.real_name AS "byName", m.at, m.method, m.note
      FROM review_mark m JOIN app_user u ON u.id = m.by_user WHERE m.entry_id = $1
      ORDER BY m.at, m.table_prop NULLS FIRST, m.rid, m.prop`,
    values: [entryId],
  })
  return rows
}

/** A mark that a person makes. */
export interface NewMark extends ItemPlace {
  readonly state: MarkState
  readonly content: ItemContent
}

interface Marking {
  readonly entryId: string
  readonly projectId: string
  readonly track: ReviewTrack
  readonly method: ReviewMethod | null
  readonly note: string | null
  readonly by: string
  readonly at: string
  readonly marks: readonly NewMark[]
}

const PUT = prepare<Marking>('review_mark_put', (parameter) => {
  const each = (read: (mark: NewMark) => string | null) => (marking: Marking) => arrayText(marking.marks.map(read))
  const mark = columns<Marking>(parameter, {
    table_prop: ['text[]', each(({ table }) => table)],
    rid: ['text[]', each(({ rid }) => rid)],
    prop: ['text[]', each(({ code }) => code)],
    state: ['text[]', each(({ state }) => state)],
    content: ['jsonb[]', ({ marks }) => jsonArrayText(marks.map(({ content }) => ({ ...content })))],
  })
  const common = columns<Marking>(parameter, {
    entry_id: ['uuid', ({ entryId }) => entryId],
    track: ['text', ({ track }) => track],
    project_id: ['uuid', ({ projectId }) => projectId],
    method: ['text', ({ method }) => method],
    note: ['text', ({ note }) => note],
    by_user: ['uuid', ({ by }) => by],
    at: ['timestamptz', ({ at }) => at],
  })
  return `
    INSERT INTO review_mark (${common.names}, ${mark.names})
    SELECT c.*, n.* FROM (VALUES (${common.places})) AS c, unnest(${mark.places}) AS n
    ON CONFLICT (entry_id, track, table_prop, rid, prop) DO UPDATE SET
      state = excluded.state, content = excluded.content, method = excluded.method, note = excluded.note,
      by_user = excluded.by_user, at = excluded.at`
})

/** Marks items of an entry that is locked. */
export async function putMarks(transaction: Queryable, marking: Marking): Promise<void> {
  await transaction.query(PUT(marking))
}
