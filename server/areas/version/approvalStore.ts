import { MEMBER_IN_FORCE } from '#server/access.ts'
import type { AnswerOf } from '#server/http/handler.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of testers' judgements. */

export type ApprovalRow = AnswerOf<'version.approveList'>[number]

/** What the testers of today judged; who is no tester any more does not count. */
export async function listApprovals(transaction: Queryable, versionId: string): Promise<readonly ApprovalRow[]> {
  const { rows } = await transaction.query<ApprovalRow>(
    `SELECT a.id, u.real_name AS username, a.user_id AS "userId", a.result, a.content, a.suggest, a.signed_at IS NOT NULL AS "isSign"
     FROM crf_approval a
     JOIN crf_version v ON v.id = a.version_id
     JOIN app_user u ON u.id = a.user_id
     JOIN member m ON m.project_id = v.project_id AND m.user_id = a.user_id
     WHERE a.version_id = $1 AND m.crf_approve = 1 AND ${MEMBER_IN_FORCE}
     ORDER BY u.real_name, a.id`,
    [versionId],
  )
  return rows
}

/** Asks the testers anew: those of today, with nothing judged. */
export async function openApprovals(transaction: Queryable, versionId: string, projectId: string, newIds: () => string): Promise<void> {
  const { rows } = await transaction.query<{ user_id: string }>(
    `SELECT m.user_id FROM member m WHERE m.project_id = $1 AND m.crf_approve = 1 AND ${MEMBER_IN_FORCE}`,
    [projectId],
  )
  await transaction.query('UPDATE crf_approval SET result = NULL, content = NULL, suggest = NULL, signed_at = NULL WHERE version_id = $1', [
    versionId,
  ])
  for (const { user_id: userId } of rows) {
    await transaction.query(
      'INSERT INTO crf_approval (id, version_id, user_id) VALUES ($1, $2, $3) ON CONFLICT (version_id, user_id) DO NOTHING',
      [newIds(), versionId, userId],
    )
  }
}

/** One tester's record, locked. */
export async function lockApproval(transaction: Queryable, versionId: string, userId: string): Promise<ApprovalRow | null> {
  const { rows } = await transaction.query<ApprovalRow>(
    `SELECT a.id, '' AS username, a.user_id AS "userId", a.result, a.content, a.suggest, a.signed_at IS NOT NULL AS "isSign"
     FROM crf_approval a WHERE a.version_id = $1 AND a.user_id = $2 FOR UPDATE`,
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
  await transaction.query('UPDATE crf_approval SET result = $2, content = $3, suggest = $4, signed_at = NULL WHERE id = $1', [
    approvalId,
    judgement.result,
    judgement.content,
    judgement.suggest,
  ])
}

export async function signApproval(transaction: Queryable, approvalId: string, now: string): Promise<void> {
  await transaction.query('UPDATE crf_approval SET signed_at = $2 WHERE id = $1', [approvalId, now])
}
