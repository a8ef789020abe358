import { testerRoles } from '#core/study/versionLife.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import { askForApproval } from '#server/areas/notice/store.ts'
import type { AnswerOf } from '#server/http/handler.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of testers' judgements. */

export type ApprovalRow = AnswerOf<'version.approveList'>[number]

/**
 * SQL over `crf_version v` and `member m`: the places that a tester tried out. A page in a visit has to be tried once
 * only, with any test subject. This is the only place where UAT data are counted.
 */
const TRIED = `(
  SELECT json_build_object(
    'pages', count(*), 'tried', count(t.saved_at), 'submitted', count(*) FILTER (WHERE t.submitted),
    'lastAt', to_char(max(t.saved_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM crf_page p LEFT JOIN (
    SELECT folder_id, page_id, max(saved_at) AS saved_at, bool_or(status = 'other') AS submitted FROM trial_entry
    WHERE version_id = v.id AND tester_id = m.user_id AND round = v.test_round AND NOT cleared GROUP BY folder_id, page_id
  ) t ON t.folder_id = p.folder_id AND t.page_id = p.page_id
  WHERE p.version_id = v.id)`

type Judged = Pick<ApprovalRow, 'id' | 'result' | 'content' | 'suggest' | 'isSign'>

/** SQL over `member m`: whether the member tests the versions of their project today. */
const IS_TESTER = `(m.crf_approve = 1 AND m.role IN (${testerRoles.map((role) => `'${role}'`).join(', ')}) AND ${MEMBER_IN_FORCE})`

/**
 * The testers' judgements. While a version is in test, every tester of today is asked, also one who became a tester
 * after the version was published. A member who is no longer a tester is listed only where they have signed.
 */
export async function listApprovals(transaction: Queryable, versionId: string): Promise<readonly ApprovalRow[]> {
  const { rows } = await transaction.query<ApprovalRow>(
    `SELECT coalesce(a.id, m.id) AS id, u.real_name AS username, m.user_id AS "userId", a.result, a.content, a.suggest,
       a.signed_at IS NOT NULL AS "isSign", a.signed_at AS "signedAt", ${IS_TESTER} AS "isTester", ${TRIED} AS trial
     FROM crf_version v
     JOIN member m ON m.project_id = v.project_id
     JOIN app_user u ON u.id = m.user_id
     LEFT JOIN crf_approval a ON a.version_id = v.id AND a.user_id = m.user_id
     WHERE v.id = $1 AND (a.signed_at IS NOT NULL OR (${IS_TESTER} AND (a.id IS NOT NULL OR v.profile = 'test')))
     ORDER BY u.real_name, id`,
    [versionId],
  )
  return rows
}

/**
 * Asks the testers again, in a new round. Earlier judgements no longer count, and all that was tried has to be looked
 * at again.
 */
export async function openApprovals(transaction: Queryable, versionId: string): Promise<void> {
  await transaction.query(
    'UPDATE crf_approval SET result = NULL, content = NULL, suggest = NULL, signed_at = NULL WHERE version_id = $1',
    [versionId],
  )
  await transaction.query('UPDATE crf_version SET test_round = test_round + 1 WHERE id = $1', [versionId])
}

/**
 * Tells everybody whose review of a version is awaited now, and lets the asking end for everybody else: for who has
 * signed, who tests no longer, and for all where the version is not in test.
 */
export async function askTesters(
  transaction: Queryable,
  version: { readonly id: string; readonly projectId: string },
  by: string,
  at: string,
): Promise<void> {
  const { rows } = await transaction.query<{ readonly userId: string }>(
    `SELECT m.user_id AS "userId" FROM crf_version v JOIN member m ON m.project_id = v.project_id
     LEFT JOIN crf_approval a ON a.version_id = v.id AND a.user_id = m.user_id
     WHERE v.id = $1 AND v.profile = 'test' AND NOT v.deleted AND a.signed_at IS NULL AND ${IS_TESTER}`,
    [version.id],
  )
  const userIds = rows.map(({ userId }) => userId)
  await askForApproval(transaction, { projectId: version.projectId, versionId: version.id, userIds, by, at })
}

/** The same for the version of a project that is in test, after somebody has begun or ceased to test. */
export async function askTestersOfProject(
  transaction: Queryable,
  projectId: string,
  by: string,
  at: string,
): Promise<void> {
  const { rows } = await transaction.query<{ readonly id: string }>(
    `SELECT id FROM crf_version WHERE project_id = $1 AND profile = 'test' AND NOT deleted`,
    [projectId],
  )
  for (const { id } of rows) await askTesters(transaction, { id, projectId }, by, at)
}

/** One tester's record, locked; it is made if it does not exist. Null for a member who is no tester today. */
export async function lockApproval(
  transaction: Queryable,
  versionId: string,
  userId: string,
  newIds: () => string,
): Promise<Judged | null> {
  await transaction.query(
    `INSERT INTO crf_approval (id, version_id, user_id)
     SELECT $3, v.id, m.user_id FROM crf_version v JOIN member m ON m.project_id = v.project_id WHERE v.id = $1 AND m.user_id = $2 AND ${IS_TESTER}
     ON CONFLICT (version_id, user_id) DO NOTHING`,
    [versionId, userId, newIds()],
  )
  const { rows } = await transaction.query<Judged>(
    `SELECT a.id, a.result, a.content, a.suggest, a.signed_at IS NOT NULL AS "isSign"
     FROM crf_approval a JOIN crf_version v ON v.id = a.version_id JOIN member m ON m.project_id = v.project_id AND m.user_id = a.user_id
     WHERE a.version_id = $1 AND a.user_id = $2 AND ${IS_TESTER} FOR UPDATE OF a`,
    [versionId, userId],
  )
  return rows[0] ?? null
}

/** A judgement that is changed must be signed again. */
export async function judge(
  transaction: Queryable,
  approvalId: string,
  judgement: { readonly result: 1 | 2; readonly content: string; readonly suggest: string },
): Promise<void> {
  await transaction.query(
    'UPDATE crf_approval SET result = $2, content = $3, suggest = $4, signed_at = NULL WHERE id = $1',
    [approvalId, judgement.result, judgement.content, judgement.suggest],
  )
}

export async function signApproval(transaction: Queryable, approvalId: string, now: string): Promise<void> {
  await transaction.query('UPDATE crf_approval SET signed_at = $2 WHERE id = $1', [approvalId, now])
}
