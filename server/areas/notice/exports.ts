import { newId } from '#core/ids.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import { MOST_COUNTED, rolesWith } from '#server/areas/notice/sight.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Notices of runs of data sets: whoever may approve one is told that it waits, whoever asked for it how it ended. One
 * notice is about all runs of a project.
 */

const DECIDES = rolesWith((held) => held.has('export') && held.has('export_identified'))

/** SQL: whether a run `r` that waits is a member `m`'s to decide. Nobody decides about their own. */
const IS_THEIRS = `(r.state = 'waiting' AND r.asked_by <> m.user_id AND m.role IN ${DECIDES})`

/** SQL: how many runs wait for the member `m` of a notice `n`. */
export const WAITING_RUNS = `
  SELECT count(*)::integer AS count FROM (
    SELECT FROM data_set_run r
    WHERE n.kind = 'export_waits' AND n.ended_at IS NULL AND r.project_id = n.project_id AND ${IS_THEIRS}
    LIMIT ${MOST_COUNTED}) AS runs`

interface Told {
  readonly projectId: string
  readonly at: string
}

/** Tells whoever decides that a run waits. The caller holds the project's row. */
export async function noteWaitingRun(
  transaction: Queryable,
  { projectId, runId, by, at }: Told & { readonly runId: string; readonly by: string },
): Promise<void> {
  const { rows } = await transaction.query<{ userId: string }>({
    name: 'notice_export_who',
    text: `
      SELECT m.user_id AS "userId" FROM data_set_run r JOIN member m ON m.project_id = r.project_id
      WHERE r.id = $1 AND ${MEMBER_IN_FORCE} AND ${IS_THEIRS} ORDER BY m.user_id`,
    values: [runId],
  })
  await tell(transaction, 'export_waits', { projectId, at, by, userIds: rows.map(({ userId }) => userId) })
}

/** Ends the notices of those for whom no run waits any more. The caller holds the project's row. */
export async function settleWaitingRuns(transaction: Queryable, { projectId, at }: Told): Promise<void> {
  await transaction.query({
    name: 'notice_export_settle',
    text: `
      UPDATE notice n SET ended_at = $2
      WHERE n.project_id = $1 AND n.kind = 'export_waits' AND n.patient_id IS NULL AND n.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM data_set_run r JOIN member m ON m.project_id = r.project_id AND m.user_id = n.user_id
        WHERE r.project_id = n.project_id AND ${IS_THEIRS})`,
    values: [projectId, at],
  })
}

/** Who has waited for a run shorter than this has seen it end. */
const SEEN_MS = 60_000

/**
 * Tells whoever asked for a run that it has ended. The caller holds the project's row.
 *
 * @param by who ended it; null for the server
 */
export async function noteEndedRun(
  transaction: Queryable,
  run: { readonly projectId: string; readonly askedBy: string; readonly askedAt: string },
  { by, at }: { readonly by: string | null; readonly at: string },
): Promise<void> {
  if (run.askedBy === by || Date.parse(at) - Date.parse(run.askedAt) < SEEN_MS) return
  await tell(transaction, 'export_ended', { projectId: run.projectId, at, by, userIds: [run.askedBy] })
}

async function tell(
  transaction: Queryable,
  kind: 'export_waits' | 'export_ended',
  { projectId, userIds, by, at }: Told & { readonly userIds: readonly string[]; readonly by: string | null },
): Promise<void> {
  if (userIds.length === 0) return
  await transaction.query({
    name: 'notice_export_tell',
    text: `
      INSERT INTO notice (id, user_id, project_id, kind, created_by, created_at)
      SELECT n.id, n.user_id, $3, $4, $5, $6 FROM unnest($1::uuid[], $2::uuid[]) AS n (id, user_id)
      ON CONFLICT (user_id, project_id, kind) WHERE kind IN ('export_waits', 'export_ended') AND ended_at IS NULL AND read_at IS NULL
        DO UPDATE SET created_at = excluded.created_at, created_by = excluded.created_by`,
    values: [userIds.map(() => newId()), userIds, projectId, kind, by, at],
  })
}
