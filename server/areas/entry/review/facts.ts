import type { MarkState, ReviewTrack } from '#core/review/verification.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { CrfProfile } from '#core/study/versionLife.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** What decides about the checking of entries, read in one statement. */

/** The mark of a field, as far as a write may change it. */
export interface StoredMark extends ItemPlace {
  readonly track: ReviewTrack
  readonly state: MarkState
  /** What was looked at. */
  readonly content: ItemContent
}

/** An entry of a first pass, as its checking depends on it. */
export interface ReviewFacts extends EntryData {
  readonly id: string
  readonly projectId: string
  readonly patientId: string
  readonly centerId: string
  /** The patient's place among all who were ever enrolled in the center. */
  readonly rank: number
  readonly folderId: string
  readonly pageId: string
  readonly versionId: string
  readonly profile: CrfProfile
  readonly hidden: readonly string[]
  readonly deleted: boolean
  /** Whether nobody enters it twice any more: the project does not use double entry, or the passes are merged. */
  readonly settled: boolean
  /** Whether it can be checked: submitted, not deleted, and settled. */
  readonly ready: boolean
  /** The newest release of the project: which fields identify a person depends on all of them. */
  readonly newest: string | null
  /** The plans that hold. */
  readonly sdv: string | null
  readonly dmr: string | null
  readonly marks: readonly StoredMark[]
}

/** SQL: the plan of a track that holds in the project of an entry `e`. */
const planOf = (track: ReviewTrack) =>
  `(SELECT r.id FROM review_plan r WHERE r.project_id = e.project_id AND r.track = '${track}' AND r.ended_at IS NULL)`

/** SQL: whether the passes of an entry `e` are merged, where its project `pr` enters twice. */
const SETTLED = `(pr.config->>'isDouble' IS DISTINCT FROM '1'
    OR EXISTS (SELECT FROM double_entry d WHERE d.patient_id = e.patient_id AND d.state = 'merged'))`

/** SQL: whether an entry `e` of the project `pr` can be checked. */
const READY = `(e.status = '${SUBMITTED}' AND NOT e.deleted AND e.pass = 1 AND ${SETTLED})`

/** SQL: whether anything of an entry `e` is checked. Most projects have neither a plan nor marks. */
export const IS_CHECKED = `(e.pass = 1 AND (
  EXISTS (SELECT FROM review_plan r WHERE r.project_id = e.project_id AND r.ended_at IS NULL)
  OR EXISTS (SELECT FROM review_mark m WHERE m.entry_id = e.id)))`

const FACTS = `
  SELECT
    e.id, e.project_id AS "projectId", e.patient_id AS "patientId", p.center_id AS "centerId",
    coalesce(p.center_rank, 2147483647) AS rank, e.folder_id AS "folderId", e.page_id AS "pageId", e.version_id AS "versionId", v.profile,
    e."values", e.missing, e.hidden, e.deleted, ${SETTLED} AS settled, ${READY} AS ready,
    (SELECT n.id FROM crf_version n WHERE n.project_id = e.project_id AND n.profile = 'formal' ORDER BY n.version_no DESC LIMIT 1) AS newest,
    ${planOf('sdv')} AS sdv, ${planOf('dmr')} AS dmr,
    coalesce((SELECT jsonb_agg(jsonb_build_object(
      'track', m.track, 'table', m.table_prop, 'rid', m.rid, 'code', m.prop, 'state', m.state, 'content', m.content))
      FROM review_mark m WHERE m.entry_id = e.id), '[]') AS marks
  FROM entry e JOIN patient p ON p.id = e.patient_id JOIN project pr ON pr.id = e.project_id JOIN crf_version v ON v.id = e.version_id`

/** The facts of these entries; those of a second pass are left out. */
export async function reviewFacts(transaction: Queryable, ids: readonly string[]): Promise<readonly ReviewFacts[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.query<ReviewFacts>({
    name: 'review_facts',
    text: `${FACTS} WHERE e.id = ANY ($1) AND e.pass = 1 ORDER BY e.id`,
    values: [ids],
  })
  return rows
}

/** The facts of the entries of some patients, in the order of patients. */
export async function factsOfPatients(
  transaction: Queryable,
  patientIds: readonly string[],
): Promise<readonly ReviewFacts[]> {
  const { rows } = await transaction.query<ReviewFacts>({
    name: 'review_facts_of_patients',
    text: `${FACTS} WHERE e.patient_id = ANY ($1) AND e.pass = 1 ORDER BY e.patient_id, e.id`,
    values: [patientIds],
  })
  return rows
}

/** Entries of a patient of which anything is checked. */
export async function checkedEntries(transaction: Queryable, patientId: string): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ id: string }>({
    name: 'review_checked_entries',
    text: `SELECT e.id FROM entry e WHERE e.patient_id = $1 AND ${IS_CHECKED} ORDER BY e.id`,
    values: [patientId],
  })
  return rows.map(({ id }) => id)
}

/** Finds out again which pages can be checked: the project has begun, or ceased, to enter everything twice. */
export async function readyAgain(transaction: Queryable, projectId: string): Promise<void> {
  await transaction.query({
    name: 'review_ready_again',
    text: `
      UPDATE review_count c SET ready = ${READY}
      FROM entry e JOIN project pr ON pr.id = e.project_id
      WHERE c.project_id = $1 AND e.id = c.entry_id AND c.ready <> ${READY}`,
    values: [projectId],
  })
}
