import * as z from 'zod/mini'
import type { DataSetRun } from '#core/api/calls/data/dataset.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import type { RunEnd } from '#core/dataset/runs.ts'
import { id } from '#core/wire/shapes.ts'
import type { Membership } from '#server/access.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { JobKind } from '#server/jobs/queue.ts'
import type { Kept } from '#server/storage/sealedPieces.ts'

import { mayIdentify } from './rights.ts'
import type { ReaderView } from './rights.ts'
import type { Instant } from './snapshot.ts'

/** Runs of data sets in SQL. */

/** A job with the run's id. */
export const DATA_SET_RUN: JobKind<{ readonly runId: string }> = {
  name: 'dataSetRun',
  payload: z.object({ runId: id }),
}

export interface StoredRun {
  readonly id: string
  readonly projectId: string
  readonly setId: string | null
  readonly name: string
  readonly definition: DataSetDefinition
  readonly identified: boolean
  readonly purpose: string
  readonly crossBorder: string | null
  readonly askedBy: string
  readonly askedAt: string
  readonly state: 'waiting' | 'open' | 'done' | 'refused' | 'cancelled' | 'failed'
  readonly decidedBy: string | null
  readonly attempt: number
  readonly seen: ReaderView | null
  readonly hash: string | null
  readonly bytes: number | null
  readonly pieces: number | null
  readonly expiresAt: string | null
  readonly swept: boolean
}

const STORED = `
  SELECT
    id, project_id AS "projectId", set_id AS "setId", name, definition, identified, purpose, cross_border AS "crossBorder", asked_by AS "askedBy",
    asked_at AS "askedAt", state, decided_by AS "decidedBy", attempt, seen, hash, bytes, pieces, expires_at AS "expiresAt", swept
  FROM data_set_run`

/** A run, locked until the transaction ends. */
export async function lockRun(transaction: Queryable, runId: string): Promise<StoredRun | null> {
  const { rows } = await transaction.query<StoredRun>({
    name: 'dataset_run_lock',
    text: `${STORED} WHERE id = $1 FOR UPDATE`,
    values: [runId],
  })
  return rows[0] ?? null
}

export type NewRun = Pick<
  StoredRun,
  | 'id'
  | 'projectId'
  | 'setId'
  | 'name'
  | 'definition'
  | 'identified'
  | 'purpose'
  | 'crossBorder'
  | 'askedBy'
  | 'askedAt'
  | 'state'
>

const INSERT = prepare<NewRun>('dataset_run_insert', (parameter) => {
  const { names, places } = columns<NewRun>(parameter, {
    id: ({ id: runId }) => runId,
    project_id: ({ projectId }) => projectId,
    set_id: ({ setId }) => setId,
    name: ({ name }) => name,
    definition: ({ definition }) => JSON.stringify(definition),
    identified: ({ identified }) => identified,
    purpose: ({ purpose }) => purpose,
    cross_border: ({ crossBorder }) => crossBorder,
    asked_by: ({ askedBy }) => askedBy,
    asked_at: ({ askedAt }) => askedAt,
    state: ({ state }) => state,
  })
  return `INSERT INTO data_set_run (${names}) VALUES (${places}) ON CONFLICT (id) DO NOTHING`
})

/** @returns false where a run has this id already */
export async function insertRun(transaction: Queryable, run: NewRun): Promise<boolean> {
  const { rowCount } = await transaction.query(INSERT(run))
  return rowCount === 1
}

export async function decideRun(
  transaction: Queryable,
  runId: string,
  decision: { readonly state: 'open' | 'refused'; readonly by: string; readonly at: string; readonly note: string },
): Promise<void> {
  await transaction.query({
    name: 'dataset_run_decide',
    text: `
      UPDATE data_set_run SET
        state = $2, decided_by = $3, decided_at = $4, decision_note = $5, ended_at = CASE WHEN $2 = 'refused' THEN $4::timestamptz END
      WHERE id = $1`,
    values: [runId, decision.state, decision.by, decision.at, decision.note],
  })
}

export async function cancelRun(transaction: Queryable, runId: string, by: string, at: string): Promise<void> {
  await transaction.query({
    name: 'dataset_run_cancel',
    text: `UPDATE data_set_run SET state = 'cancelled', cancelled_by = $2, ended_at = $3 WHERE id = $1`,
    values: [runId, by, at],
  })
}

/** Begins a run anew. @returns which attempt it is */
export async function beginAttempt(transaction: Queryable, runId: string): Promise<number> {
  const { rows } = await transaction.query<{ attempt: number }>({
    name: 'dataset_run_begin',
    text: 'UPDATE data_set_run SET attempt = attempt + 1, done = 0, total = 0 WHERE id = $1 RETURNING attempt',
    values: [runId],
  })
  return rows[0]?.attempt ?? 0
}

export async function writeProgress(
  transaction: Queryable,
  runId: string,
  { done, total }: { readonly done: number; readonly total: number },
): Promise<void> {
  await transaction.query({
    name: 'dataset_run_progress',
    text: 'UPDATE data_set_run SET done = least($2::integer, $3), total = $3 WHERE id = $1',
    values: [runId, done, total],
  })
}

export interface RunResult extends Kept {
  readonly seen: ReaderView
  readonly instant: Instant
  readonly subjects: number
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
  readonly endedAt: string
  readonly expiresAt: string
}

type Finished = RunResult & { readonly runId: string }

const FINISH = prepare<Finished>('dataset_run_finish', (parameter) => {
  const { names, places } = columns<Finished>(parameter, {
    seen: ['jsonb', ({ seen }) => JSON.stringify(seen)],
    seq: ['bigint', ({ instant }) => instant.seq],
    head: ['text', ({ instant }) => instant.head],
    subjects: ['integer', ({ subjects }) => subjects],
    tables: ['jsonb', ({ tables }) => JSON.stringify(tables)],
    hash: ['text', ({ hash }) => hash],
    bytes: ['bigint', ({ bytes }) => bytes],
    pieces: ['integer', ({ pieces }) => pieces],
    ended_at: ['timestamptz', ({ endedAt }) => endedAt],
    expires_at: ['timestamptz', ({ expiresAt }) => expiresAt],
  })
  return `
    UPDATE data_set_run SET state = 'done', done = total, (${names}) = ROW (${places})
    WHERE id = ${parameter(({ runId }) => runId)}`
})

export async function finishRun(transaction: Queryable, runId: string, result: RunResult): Promise<void> {
  await transaction.query(FINISH({ ...result, runId }))
}

export async function failRun(transaction: Queryable, runId: string, why: RunEnd, at: string): Promise<void> {
  await transaction.query({
    name: 'dataset_run_fail',
    text: `UPDATE data_set_run SET state = 'failed', why = $2, ended_at = $3 WHERE id = $1`,
    values: [runId, why, at],
  })
}

export async function countDownload(transaction: Queryable, runId: string): Promise<void> {
  await transaction.query({
    name: 'dataset_run_download',
    text: 'UPDATE data_set_run SET downloads = downloads + 1 WHERE id = $1',
    values: [runId],
  })
}

/** Runs whose file is to be deleted: expired, or left by a run that came to nothing some time ago. */
export async function findSwept(connection: Queryable, now: string, before: string): Promise<readonly string[]> {
  const { rows } = await connection.query<{ id: string }>({
    name: 'dataset_run_sweep',
    text: `
      SELECT id FROM data_set_run
      WHERE NOT swept AND ended_at IS NOT NULL AND (expires_at < $1 OR (state <> 'done' AND ended_at < $2))
      ORDER BY ended_at LIMIT 100`,
    values: [now, before],
  })
  return rows.map((row) => row.id)
}

export async function markSwept(transaction: Queryable, runId: string): Promise<void> {
  await transaction.query({
    name: 'dataset_run_swept',
    text: 'UPDATE data_set_run SET swept = true WHERE id = $1',
    values: [runId],
  })
}

/** SQL over `data_set_run r`: who may see a run; `$2` is the reader, `$3` whether they decide about others'. */
const SEEN = 'r.project_id = $1 AND (r.asked_by = $2 OR $3)'

const LINE = `
  r.id, r.set_id AS "setId", r.name, r.definition, r.identified AS "isIdentified", r.purpose, r.cross_border AS "crossBorder",
  CASE WHEN r.state = 'done' AND (r.swept OR r.expires_at < $4) THEN 'expired' ELSE r.state END AS state, r.why,
  a.real_name AS "askedByName", r.asked_by = $2 AS "isMine", r.asked_at AS "askedAt", d.real_name AS "decidedByName",
  r.decided_at AS "decidedAt", r.decision_note AS "decisionNote", k.real_name AS "cancelledByName", r.done, r.total,
  r.ended_at AS "endedAt", r.seq, r.subjects, r.tables, r.hash, r.bytes, r.expires_at AS "expiresAt", r.downloads,
  r.state = 'waiting' AND $3 AND r.asked_by <> $2 AS "mayDecide", r.state IN ('waiting', 'open') AS "mayCancel",
  r.state = 'done' AND NOT r.swept AND r.expires_at >= $4 AND r.asked_by = $2 AS "mayDownload"`

const FROM = `
  FROM data_set_run r JOIN app_user a ON a.id = r.asked_by LEFT JOIN app_user d ON d.id = r.decided_by
  LEFT JOIN app_user k ON k.id = r.cancelled_by`

function seenBy(member: Membership): readonly [string, string, boolean] {
  return [member.projectId, member.userId, mayIdentify(member)]
}

export async function listRuns(
  connection: Queryable,
  member: Membership,
  { now, limit, offset }: { readonly now: string; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly DataSetRun[]; readonly total: number }> {
  const { rows } = await connection.query<DataSetRun>({
    name: 'dataset_runs',
    text: `SELECT ${LINE} ${FROM} WHERE ${SEEN} ORDER BY r.asked_at DESC, r.id DESC LIMIT $5 OFFSET $6`,
    values: [...seenBy(member), now, limit, offset],
  })
  const counted = await connection.query<{ total: number }>({
    name: 'dataset_runs_count',
    text: `SELECT count(*)::integer AS total FROM data_set_run r WHERE ${SEEN}`,
    values: [...seenBy(member)],
  })
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** A run as the reader sees it; null where they may not see it. */
export async function findRun(
  connection: Queryable,
  member: Membership,
  { runId, now }: { readonly runId: string; readonly now: string },
): Promise<DataSetRun | null> {
  const { rows } = await connection.query<DataSetRun>({
    name: 'dataset_run_find',
    text: `SELECT ${LINE} ${FROM} WHERE ${SEEN} AND r.id = $5`,
    values: [...seenBy(member), now, runId],
  })
  return rows[0] ?? null
}
