import type { QueryOf } from '#core/api/call.ts'
import type { VisitReport } from '#core/api/calls/review/check.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import { NO_COUNTS } from '#core/review/verification.ts'
import type { ReviewCounts, ReviewTrack } from '#core/review/verification.ts'
import { passParameter, seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { isAboutMasked } from '#server/areas/query/rows.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { progressOf } from './progress.ts'

/** What was verified, asked and left at a center in a time, of what the member may see. */

/** Offset that is used where the reader does not say theirs: the study's, UTC+8. */
const STUDY_OFFSET_MINUTES = 480
const DAY_MS = 86_400_000

interface Asked {
  readonly centerId: string | null
  /** Bounds of the time of receipt, the upper one not included. */
  readonly from: string
  readonly to: string
}

export async function reportOf(
  connection: Queryable,
  member: Membership,
  query: QueryOf<CallOf<'review.report'>>,
): Promise<VisitReport> {
  const { from, to } = query
  const centerId = query.centerId ?? null
  if (centerId !== null && !seesCenter(member, centerId)) throw fail('not_found')
  const names = await namesOf(connection, member, centerId)
  const asked = { centerId, from: instantOf(from, 0, query.offsetMinutes), to: instantOf(to, 1, query.offsetMinutes) }
  const { raised, closed } = await queriesIn(connection, member, asked)
  return {
    ...names,
    from,
    to,
    pages: [...(await pagesIn(connection, member, asked))],
    raised,
    closed,
    open: [...(await openQueries(connection, member, centerId))],
    sdv: await countsAt(connection, member, 'sdv', centerId),
    dmr: await countsAt(connection, member, 'dmr', centerId),
  }
}

/** The instant at which a day of the reader begins, so many days later. */
function instantOf(day: string, later: number, offsetMinutes: string | undefined): string {
  const said = Number.parseInt(offsetMinutes ?? '', 10)
  const offset = Number.isNaN(said) ? STUDY_OFFSET_MINUTES : said
  return new Date(Date.parse(`${day}T00:00:00Z`) + later * DAY_MS - offset * 60_000).toISOString()
}

async function namesOf(
  connection: Queryable,
  { projectId }: Membership,
  centerId: string | null,
): Promise<Pick<VisitReport, 'projectName' | 'centerName'>> {
  const { rows } = await connection.query<Pick<VisitReport, 'projectName' | 'centerName'>>({
    name: 'review_report_names',
    text: `
      SELECT p.name AS "projectName", c.name AS "centerName"
      FROM project p LEFT JOIN center c ON c.project_id = p.id AND c.id = $2 WHERE p.id = $1`,
    values: [projectId, centerId],
  })
  const [names] = rows
  if (names === undefined || (centerId !== null && names.centerName === null)) throw fail('not_found')
  return names
}

async function pagesIn(
  connection: Queryable,
  member: Membership,
  { centerId, from, to }: Asked,
): Promise<VisitReport['pages']> {
  const fields = (action: string) =>
    `count(DISTINCT (a.table_prop, a.rid, a.prop)) FILTER (WHERE a.action = 'review.${action}')::integer`
  const { rows } = await connection.query<VisitReport['pages'][number]>({
    name: 'review_report_pages',
    text: `
      SELECT
        p.no AS "patientNo", p.mark AS "patientMark", coalesce(f.name, '') AS "folderName", f.name_en AS "folderNameEn",
        coalesce(pg.name, '') AS "pageName", pg.name_en AS "pageNameEn", v.new_value->>'track' AS track,
        ${fields('verify')} AS verified, ${fields('unverify')} AS withdrawn, ${fields('exempt')} AS exempt, ${fields('changed')} AS changed,
        coalesce(array_agg(DISTINCT a.user_name) FILTER (WHERE a.action <> 'review.changed'), '{}') AS "byNames"
      FROM audit a JOIN audit_value v ON v.audit_id = a.id JOIN entry e ON e.id = a.entry_id
        JOIN patient p ON p.id = e.patient_id JOIN center ce ON ce.id = p.center_id
        LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
        LEFT JOIN crf_page pg ON pg.version_id = e.version_id AND pg.folder_id = e.folder_id AND pg.page_id = e.page_id
      WHERE a.project_id = $1 AND a.action LIKE 'review.%' AND a.received_at >= $5 AND a.received_at < $6
        AND ${PATIENT_VISIBLE} AND NOT p.deleted AND ($4::uuid IS NULL OR p.center_id = $4) AND ($7::smallint IS NULL OR e.pass = $7)
        AND v.new_value->>'track' IS NOT NULL
      GROUP BY ce.name, ce.id, p.id, e.id, f.name, f.name_en, f.sort, pg.name, pg.name_en, pg.sort, track
      ORDER BY ce.name, ce.id, p.no NULLS LAST, p.id, f.sort, e.folder_repeat COLLATE "C", pg.sort, e.page_repeat COLLATE "C", e.id, track DESC`,
    values: [...visibleTo(member), centerId, from, to, passParameter(member)],
  })
  return rows
}

/**
 * SQL: whether a query `q` of a patient `p` was ever asked, within what the member may see; the parameters are those of
 * `askedOf`. Whoever may read the report is told, as the trail tells them: who plans has no part in queries, and must
 * not read that nothing was asked.
 */
const ASKED = `${PATIENT_VISIBLE} AND NOT p.deleted AND q.asked_at IS NOT NULL AND ($4::smallint IS NULL OR q.pass IS NULL OR q.pass = $4)
        AND ($5::uuid IS NULL OR p.center_id = $5)`

function askedOf(member: Membership, centerId: string | null): readonly unknown[] {
  return [...visibleTo(member), passParameter(member), centerId]
}

async function queriesIn(
  connection: Queryable,
  member: Membership,
  { centerId, from, to }: Asked,
): Promise<Pick<VisitReport, 'raised' | 'closed'>> {
  const { rows } = await connection.query<Pick<VisitReport, 'raised' | 'closed'>>({
    name: 'review_report_queries',
    text: `
      SELECT
        count(*) FILTER (WHERE q.asked_at >= $6 AND q.asked_at < $7)::integer AS raised,
        count(*) FILTER (WHERE q.state IN ('closed', 'cancelled') AND q.state_at >= $6 AND q.state_at < $7)::integer AS closed
      FROM query q JOIN patient p ON p.id = q.patient_id WHERE ${ASKED}`,
    values: [...askedOf(member, centerId), from, to],
  })
  return rows[0] ?? { raised: 0, closed: 0 }
}

type OpenQuery = VisitReport['open'][number]

async function openQueries(
  connection: Queryable,
  member: Membership,
  centerId: string | null,
): Promise<readonly OpenQuery[]> {
  const { rows } = await connection.query<
    OpenQuery & { readonly pageId: string | null; readonly table: string | null; readonly code: string | null }
  >({
    name: 'review_report_open',
    text: `
      SELECT
        q.no, p.no AS "patientNo", p.mark AS "patientMark", q.state, q.text, q.asked_at AS "askedAt", q.page_id AS "pageId", q.table_prop AS "table",
        q.prop AS code
      FROM query q JOIN patient p ON p.id = q.patient_id
      WHERE ${ASKED} AND q.state IN ('open', 'answered') ORDER BY q.no`,
    values: askedOf(member, centerId),
  })
  const masks = member.sensitive
    ? new Map<string, ReadonlySet<string>>()
    : await pageMasks(
        connection,
        member.projectId,
        rows.flatMap(({ pageId }) => pageId ?? []),
      )
  return rows.map(({ pageId, table, code, ...query }) => {
    const mask = masks.get(pageId ?? '')
    return mask !== undefined && isAboutMasked(mask, { table, code }) ? { ...query, text: null } : query
  })
}

async function countsAt(
  connection: Queryable,
  member: Membership,
  track: ReviewTrack,
  centerId: string | null,
): Promise<ReviewCounts> {
  const centers = (await progressOf(connection, member, track)).filter(
    (center) => centerId === null || center.centerId === centerId,
  )
  return centers.reduce<ReviewCounts>(
    (sum, { due, done, changed }) => ({
      due: sum.due + due,
      done: sum.done + done,
      changed: sum.changed + changed,
    }),
    NO_COUNTS,
  )
}
