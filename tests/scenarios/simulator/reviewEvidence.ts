import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import type { MarkState, ReviewCounts, ReviewTrack } from '#core/review/verification.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { CALCULATED, IDENTIFYING } from './casebook.ts'
import type { Ward } from './run.ts'

/** What the server holds of checking at the end of a history, and what the study's pages are. */

export interface StoredMark extends ItemPlace {
  readonly entryId: string
  readonly track: ReviewTrack
  readonly state: MarkState
  readonly content: ItemContent
  readonly method: string | null
  readonly note: string | null
  readonly by: string
}

export interface StoredCount extends ReviewCounts {
  readonly entryId: string
  readonly track: ReviewTrack
  readonly ready: boolean
}

export interface StoredPlan {
  readonly track: ReviewTrack
  readonly no: number
  readonly plan: ReviewPlan
  readonly note: string
}

/** A patient, as far as a plan chooses. */
export interface RankedPatient {
  readonly id: string
  readonly centerId: string
  readonly rank: number
}

export interface ReviewEvidence {
  readonly marks: readonly StoredMark[]
  readonly counts: readonly StoredCount[]
  /** Those that hold. */
  readonly plans: readonly StoredPlan[]
  readonly patients: ReadonlyMap<string, RankedPatient>
  /** Where in the project's order each request of a reviewer was booked, by its key. */
  readonly places: ReadonlyMap<string, number>
  /** Fields that a person enters and every reviewer may see, by version and page (`pageKey`). */
  readonly reviewed: ReadonlyMap<string, ReadonlySet<string>>
}

export async function gatherReview({ server, study }: Ward): Promise<ReviewEvidence> {
  const of = <Row extends object>(text: string): Promise<readonly Row[]> => server.rows<Row>(text, [study.projectId])
  const [marks, counts, plans, patients, places, pages] = await Promise.all([
    of<StoredMark>(
      `SELECT entry_id AS "entryId", track, table_prop AS "table", rid, prop AS code, state, content, method, note, by_user AS by
       FROM review_mark WHERE project_id = $1`,
    ),
    of<StoredCount>(
      'SELECT entry_id AS "entryId", track, ready, due, done, changed FROM review_count WHERE project_id = $1',
    ),
    of<StoredPlan>('SELECT track, no, plan, note FROM review_plan WHERE project_id = $1 AND ended_at IS NULL'),
    of<RankedPatient>('SELECT id, center_id AS "centerId", center_rank AS rank FROM patient WHERE project_id = $1'),
    of<{ key: string; seq: number }>(`SELECT key, seq FROM operation WHERE project_id = $1 AND call = 'review.act'`),
    of<{ versionId: string; pageId: string; option: string }>(
      `SELECT p.version_id AS "versionId", p.page_id AS "pageId", p.option
       FROM crf_version v JOIN crf_page p ON p.version_id = v.id WHERE v.project_id = $1`,
    ),
  ])
  return {
    marks,
    counts,
    plans,
    patients: new Map(patients.map((patient) => [patient.id, patient])),
    places: new Map(places.map(({ key, seq }) => [key, Number(seq)])),
    reviewed: new Map(pages.map((page) => [pageKey(page), reviewedOn(page.option)])),
  }
}

export function pageKey({ versionId, pageId }: { readonly versionId: string; readonly pageId: string }): string {
  return `${versionId} ${pageId}`
}

/** Names a field of a page, or a column of its table. */
export function fieldName({ table, code }: Pick<ItemPlace, 'table' | 'code'>): string {
  return table === null ? code : `${table}.${code}`
}

interface Column {
  readonly prop: string
  readonly children?: { readonly column: readonly Column[] }
}

function reviewedOn(option: string): ReadonlySet<string> {
  const { column } = JSON.parse(option) as { readonly column: readonly Column[] }
  return new Set(
    column.flatMap(({ prop, children }) =>
      CALCULATED.has(prop) || IDENTIFYING.has(prop)
        ? []
        : [prop, ...(children?.column ?? []).map((child) => `${prop}.${child.prop}`)],
    ),
  )
}
