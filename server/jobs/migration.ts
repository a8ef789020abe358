import { migratePatient } from '#server/areas/version/migration/migratePatient.ts'
import { failedLog, logOf } from '#server/areas/version/migration/migrationLog.ts'
import {
  bookTurn,
  endTask,
  findRunning,
  MIGRATION,
  nextPatient,
  setTaskAside,
  turnsLeft,
} from '#server/areas/version/migration/migrationStore.ts'
import type { MigrationTask, PatientTurn } from '#server/areas/version/migration/migrationStore.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewAuditRow, Stamp } from '#server/database/auditDigest.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { defineWork, JobLostError, runDueJobs } from '#server/jobs/runner.ts'
import type { AnyWork, RunningJob } from '#server/jobs/runner.ts'
import type { Services } from '#server/services.ts'

/**
 * Brings patients to a release, one after the other and each in its own transaction, while people enter data
 * (docs/adr/0028-migration.md). It is a job: any server goes on where another ended.
 */

/** A task that died or failed twice without migrating a patient is set aside, and the members who release are told. */
const PAUSES_MS = [2_000]

type MigrationServices = Pick<Services, 'pool' | 'log' | 'now'> & { readonly health?: { readonly isFull: boolean } }

/** Tells a watcher when the turn of a patient begins and ends. */
export type TurnWatch = (at: 'begins' | 'ends') => void

/** The work of migrations, for a runner. */
export function migrationWork(services: MigrationServices, turn?: TurnWatch): AnyWork {
  return defineWork({
    kind: MIGRATION,
    pausesMs: PAUSES_MS,
    run: (job) => runTask(services, job, turn),
    giveUp: async (transaction, { taskId }, why) => {
      const task = await findRunning(transaction, taskId)
      if (task === null || !(await setTaskAside(transaction, taskId, why, services.now()))) return
      await book(services, transaction, task, { action: 'version.migrationAside', new: { task: taskId, why } })
    },
  })
}

/** One round: every running task, patient by patient, until no patient is left whose turn can come now. */
export async function runMigrations(services: MigrationServices, stopped?: AbortSignal): Promise<void> {
  await runDueJobs(services, [migrationWork(services)], stopped === undefined ? {} : { stopped })
}

type MigrationJob = RunningJob<{ readonly taskId: string }>

async function runTask(
  services: MigrationServices,
  job: MigrationJob,
  turn: TurnWatch | undefined,
): Promise<'done' | 'later'> {
  const task = await withConnection(services.pool, (connection) => findRunning(connection, job.payload.taskId))
  if (task === null) return 'done'
  if (task.project === 'paused') return 'later'
  if (task.project === 'entered' && !(await takeTurns(services, { task, job, turn }))) return 'later'
  await end(services, task)
  return 'done'
}

/** A task while it runs. */
interface Going {
  readonly task: MigrationTask
  readonly job: MigrationJob
  readonly turn: TurnWatch | undefined
}

/**
 * Takes turn after turn.
 *
 * @returns whether no patient still waits for a turn
 */
async function takeTurns(services: MigrationServices, going: Going): Promise<boolean> {
  const { task, job } = going
  let after: string | null = null
  for (;;) {
    if (job.signal.aborted || services.health?.isFull === true) return false
    const taken = await takeTurn(services, going, after)
    if (taken === 'stopped') return false
    // After the last patient it starts over with those who were skipped because somebody was writing to them.
    if (taken === null && after === null) break
    after = taken
  }
  return (await withConnection(services.pool, (connection) => turnsLeft(connection, task))) === 0
}

/**
 * The turn of the next patient.
 *
 * @returns their id; null where there is none, `stopped` where no data are entered in the project any more
 */
async function takeTurn(
  services: MigrationServices,
  { task, job, turn }: Going,
  after: string | null,
): Promise<string | null> {
  let patient: PatientTurn | null = null
  turn?.('begins')
  try {
    await withTransaction(services.pool, async (transaction) => {
      patient = await nextPatient(transaction, task, after)
      if (patient === null) return
      const part = await migratePatient(transaction, task, patient, stampOf(services, task))
      await bookTurn(transaction, {
        taskId: task.id,
        patientId: patient.id,
        state: 'done',
        log: logOf(task.language, patient.name, part),
        part: { counts: part.counts, items: part.items },
        at: services.now(),
      })
      await job.advance(transaction, 1)
    })
  } catch (error) {
    const { code } = toApiError(error)
    if (code === 'project_stopped' || code === 'project_closed' || code === 'not_found') return 'stopped'
    if (patient === null || code === 'busy' || code === 'server_full' || error instanceof JobLostError) throw error
    await fail(services, { task, job }, { patient, error })
  } finally {
    turn?.('ends')
  }
  return patientIdOf(patient)
}

/** Keeps the type of a variable that is assigned within a transaction. */
function patientIdOf(patient: PatientTurn | null): string | null {
  return patient?.id ?? null
}

/** If one patient fails, the others go on. This patient's data stay as they are, under the version before. */
async function fail(
  { pool, log, now }: MigrationServices,
  { task, job }: Pick<Going, 'task' | 'job'>,
  { patient, error }: { readonly patient: PatientTurn; readonly error: unknown },
): Promise<void> {
  if (isOurFault(error)) log.error({ error, task: task.id }, 'a patient was not migrated')
  const { code } = toApiError(error)
  await withTransaction(pool, async (transaction) => {
    await bookTurn(transaction, {
      taskId: task.id,
      patientId: patient.id,
      state: 'failed',
      log: failedLog(task.language, patient.name, code),
      part: { failed: code },
      at: now(),
    })
    await job.advance(transaction, 1)
  })
}

async function end(services: MigrationServices, task: MigrationTask): Promise<void> {
  await withTransaction(services.pool, async (transaction) => {
    if (!(await endTask(transaction, task, services.now()))) return
    await book(services, transaction, task, { action: 'version.migrated', new: { task: task.id } })
  })
}

/** Books that a task has ended, whatever has happened to the project since. */
async function book(
  services: MigrationServices,
  transaction: Queryable,
  task: MigrationTask,
  audit: Pick<NewAuditRow, 'action' | 'new'>,
): Promise<void> {
  await commitProject(transaction, {
    projectId: task.projectId,
    statuses: ['start', 'process', 'stop', 'close'],
    stamp: stampOf(services, task),
    audit: [{ ...audit, versionId: task.versionId }],
    changes: [],
  })
}

/** Books in the name of the person who released the version. */
function stampOf(services: MigrationServices, { userId, userName, role }: MigrationTask): Stamp {
  return { ...serverStamp(services), userId, userName, role, call: 'version.release' }
}
