import * as z from 'zod/mini'
import type { Language } from '#core/language.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { centerParameter, isTheirs, ownParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { enqueueJob } from '#server/jobs/queue.ts'
import type { JobKind } from '#server/jobs/queue.ts'

import type { LoggedTurn, Turned } from './migrationReport.ts'

/** Migrations in SQL: what was stored when a version was released, the task that it began, and its progress. */

export async function insertMigration(
  transaction: Queryable,
  migration: {
    readonly versionId: string
    readonly projectId: string
    readonly fromId: string | null
    readonly mappings: MigrationMappings
    readonly by: string
    readonly at: string
  },
): Promise<void> {
  const { versionId, projectId, fromId, mappings, by, at } = migration
  await transaction.query(
    'INSERT INTO version_migration (version_id, project_id, from_version_id, mappings, created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [versionId, projectId, fromId, JSON.stringify(mappings), by, at],
  )
}

/**
 * Whether a patient `p` has not yet been brought to version $2 or a later one. If two releases are under way, the
 * later may have come first.
 */
const LEFT = `coalesce((SELECT m.version_no FROM crf_version m WHERE m.id = p.migrated_to), 0) < (SELECT v.version_no FROM crf_version v WHERE v.id = $2)`

/** How many patients have not been brought to a version. */
export async function patientsLeft(connection: Queryable, projectId: string, versionId: string): Promise<number> {
  const { rows } = await connection.query<{ left: number }>({
    name: 'migration_left',
    text: `SELECT count(*)::integer AS left FROM patient p WHERE p.project_id = $1 AND ${LEFT}`,
    values: [projectId, versionId],
  })
  return rows[0]?.left ?? 0
}

/** Patients who have not been brought to a version, by their numbers. */
export async function listPatients(
  connection: Queryable,
  member: Membership,
  versionId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{
  readonly rows: readonly {
    readonly id: string
    readonly name: string
    readonly centerId: string
    readonly deleted: boolean
  }[]
  readonly total: number
}> {
  const { rows } = await connection.query<{
    id: string
    name: string
    centerId: string
    deleted: boolean
    total: number
  }>({
    name: 'migration_patients',
    text: `
      SELECT id, coalesce(no, mark) AS name, center_id AS "centerId", deleted, count(*) OVER () AS total
      FROM patient p WHERE p.project_id = $1 AND ${LEFT} AND ($3::uuid[] IS NULL OR p.center_id = ANY ($3)) AND ${isTheirs('p', '$4')}
      ORDER BY no COLLATE "C", id LIMIT $5 OFFSET $6`,
    values: [member.projectId, versionId, centerParameter(member), ownParameter(member), limit, offset],
  })
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** The person who began a task, and the right that they used. */
export interface Starter {
  readonly userId: string
  readonly userName: string
  readonly role: string | null
  readonly language: Language
}

/** A task that runs. */
export interface MigrationTask extends Starter {
  readonly id: string
  readonly projectId: string
  readonly versionId: string
  readonly versionNo: number
}

/** The job of a task has the same id. The job's progress is the task's progress. */
export const MIGRATION: JobKind<{ readonly taskId: string }> = {
  name: 'migration',
  payload: z.object({ taskId: z.uuid() }),
}

/** Begins a task. The task and its job exist once the transaction commits. */
export async function insertTask(
  transaction: Queryable,
  task: Starter & {
    readonly id: string
    readonly projectId: string
    readonly versionId: string
    /** How many patients are to be migrated. */
    readonly total: number
    readonly at: string
  },
): Promise<void> {
  await transaction.query(
    `INSERT INTO migration_task (id, project_id, version_id, started_by, started_by_name, role, language, started_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [task.id, task.projectId, task.versionId, task.userId, task.userName, task.role, task.language, task.at],
  )
  await enqueueJob(transaction, MIGRATION, { id: task.id, payload: { taskId: task.id }, total: task.total })
}

/**
 * The running task of a project, the newest where there are several. If none runs, the last one. Null where nothing
 * was ever migrated.
 */
export async function lastTask(
  connection: Queryable,
  projectId: string,
): Promise<{ readonly id: string; readonly versionId: string; readonly state: TaskState['state'] } | null> {
  const { rows } = await connection.query<{ id: string; versionId: string; state: TaskState['state'] }>({
    name: 'migration_last_task',
    text: `
      SELECT id, version_id AS "versionId", state FROM migration_task WHERE project_id = $1
      ORDER BY (state = 'running') DESC, started_at DESC, id DESC LIMIT 1`,
    values: [projectId],
  })
  return rows[0] ?? null
}

/** Whether data are entered in the task's project now, not now, or never again. */
type ProjectState = 'entered' | 'paused' | 'ended'

/** A task with the facts that it depends on; null where it has ended. */
export async function findRunning(
  connection: Queryable,
  id: string,
): Promise<(MigrationTask & { readonly project: ProjectState }) | null> {
  const { rows } = await connection.query<MigrationTask & { readonly project: ProjectState }>({
    name: 'migration_running',
    text: `
      SELECT
        t.id, t.project_id AS "projectId", t.version_id AS "versionId", v.version_no AS "versionNo", t.started_by AS "userId",
        t.started_by_name AS "userName", t.role, t.language,
        CASE WHEN p.deleted OR p.status = 'close' THEN 'ended' WHEN p.status IN ('start', 'process') THEN 'entered' ELSE 'paused' END AS project
      FROM migration_task t JOIN project p ON p.id = t.project_id JOIN crf_version v ON v.id = t.version_id
      WHERE t.id = $1 AND t.state = 'running'`,
    values: [id],
  })
  return rows[0] ?? null
}

/** Ends a task: done where every patient was migrated, failed otherwise. If it has ended already, that result stays. */
export async function endTask(
  transaction: Queryable,
  { id, projectId, versionId }: Pick<MigrationTask, 'id' | 'projectId' | 'versionId'>,
  at: string,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'migration_end',
    text: `
      UPDATE migration_task SET ended_at = $4, state = CASE WHEN EXISTS (SELECT FROM patient p WHERE p.project_id = $1 AND ${LEFT}) THEN 'failed' ELSE 'done' END
      WHERE id = $3 AND state = 'running'`,
    values: [projectId, versionId, id, at],
  })
  return rowCount === 1
}

/** Why a task was set aside: its work ended the server or its thread, or it failed before any patient's turn. */
export type Aside = 'died' | 'failed'

/**
 * Sets a task aside: it has failed, and only a person can begin it again.
 *
 * @returns whether it was running
 */
export async function setTaskAside(transaction: Queryable, taskId: string, why: Aside, at: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'migration_aside',
    text: `UPDATE migration_task SET state = 'failed', aside = $2, ended_at = $3 WHERE id = $1 AND state = 'running'`,
    values: [taskId, why, at],
  })
  return rowCount === 1
}

/** The patient whose turn it is. */
export interface PatientTurn {
  readonly id: string
  readonly centerId: string
  readonly name: string
  /** The release to which their entries were brought before. */
  readonly migratedTo: string | null
  readonly deleted: boolean
}

/**
 * The next patient who has not yet been brought to the task's version, locked against other writers until the
 * transaction ends. A patient to whom somebody is writing is skipped.
 *
 * @param after id of the patient before; null begins anew
 */
export async function nextPatient(
  transaction: Queryable,
  task: Pick<MigrationTask, 'id' | 'projectId' | 'versionId'>,
  after: string | null,
): Promise<PatientTurn | null> {
  const { rows } = await transaction.query<PatientTurn>({
    name: 'migration_next',
    text: `
      SELECT p.id, p.center_id AS "centerId", coalesce(p.no, p.mark) AS name, p.migrated_to AS "migratedTo", p.deleted FROM patient p
      WHERE p.project_id = $1 AND ${LEFT} AND ($4::uuid IS NULL OR p.id > $4)
        AND NOT EXISTS (SELECT FROM migration_patient m WHERE m.task_id = $3 AND m.patient_id = p.id)
      ORDER BY p.id LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED`,
    values: [task.projectId, task.versionId, task.id, after],
  })
  return rows[0] ?? null
}

/** How many patients of a task still wait for their turn. */
export async function turnsLeft(
  connection: Queryable,
  task: Pick<MigrationTask, 'id' | 'projectId' | 'versionId'>,
): Promise<number> {
  const { rows } = await connection.query<{ left: number }>({
    name: 'migration_turns',
    text: `
      SELECT count(*)::integer AS left FROM patient p
      WHERE p.project_id = $1 AND ${LEFT}
        AND NOT EXISTS (SELECT FROM migration_patient m WHERE m.task_id = $3 AND m.patient_id = p.id)`,
    values: [task.projectId, task.versionId, task.id],
  })
  return rows[0]?.left ?? 0
}

/** Books that a patient has had their turn. */
export async function bookTurn(
  transaction: Queryable,
  turn: {
    readonly taskId: string
    readonly patientId: string
    readonly state: 'done' | 'failed'
    readonly log: string
    readonly part: Turned
    readonly at: string
  },
): Promise<void> {
  await transaction.query({
    name: 'migration_book',
    text: 'INSERT INTO migration_patient (task_id, patient_id, state, log, at, part) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
    values: [turn.taskId, turn.patientId, turn.state, turn.log, turn.at, JSON.stringify(turn.part)],
  })
}

export async function setMigratedTo(
  transaction: Queryable,
  patientId: string,
  versionId: string,
  entryIds: readonly string[],
): Promise<void> {
  await transaction.query({
    name: 'migration_patient_at',
    text: 'UPDATE patient SET migrated_to = $2 WHERE id = $1',
    values: [patientId, versionId],
  })
  if (entryIds.length === 0) return
  await transaction.query({
    name: 'migration_entries_at',
    text: 'UPDATE entry SET migrated_rev = rev WHERE id = ANY ($1)',
    values: [entryIds],
  })
}

/** The stored state of a task; its job holds the progress. */
export interface TaskState {
  readonly projectId: string
  readonly versionNo: number
  readonly state: 'running' | 'done' | 'failed'
  readonly aside: Aside | null
  readonly startedBy: string
  readonly startedByName: string
  readonly startedAt: string
  readonly endedAt: string | null
  /** The release before. */
  readonly fromNo: number | null
}

export async function findTask(connection: Queryable, id: string): Promise<TaskState | null> {
  const { rows } = await connection.query<TaskState>({
    name: 'task_state',
    text: `
      SELECT t.project_id AS "projectId", v.version_no AS "versionNo", t.state, t.aside, t.started_by AS "startedBy",
        t.started_by_name AS "startedByName", t.started_at AS "startedAt", t.ended_at AS "endedAt",
        (SELECT f.version_no FROM version_migration m JOIN crf_version f ON f.id = m.from_version_id WHERE m.version_id = t.version_id) AS "fromNo"
      FROM migration_task t JOIN crf_version v ON v.id = t.version_id WHERE t.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/** The results of a task's patients whom the reader may see, in the order of their numbers. */
export async function taskTurns(connection: Queryable, member: Membership, id: string): Promise<readonly LoggedTurn[]> {
  const { rows } = await connection.query<LoggedTurn>({
    name: 'task_turns',
    text: `
      SELECT coalesce(p.no, p.mark) AS patient, m.state, m.log, m.part
      FROM migration_patient m JOIN patient p ON p.id = m.patient_id
      WHERE m.task_id = $1 AND ($2::uuid[] IS NULL OR p.center_id = ANY ($2)) AND ${isTheirs('p', '$3')}
      ORDER BY p.no COLLATE "C", p.id`,
    values: [id, centerParameter(member), ownParameter(member)],
  })
  return rows
}
