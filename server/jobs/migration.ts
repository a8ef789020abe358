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
import type { AuditDraft, Stamp } from '#server/database/auditDigest.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { defineWork, JobLostError, runDueJobs } from '#server/jobs/runner.ts'
import type { AnyWork, RunningJob } from '#server/jobs/runner.ts'
import type { Services } from '#server/services.ts'

/**
 * Brings patients to a release, one after the other and each in a transaction of their own, while data are entered
 * (docs/adr/0028-migration.md). It is a job: any server goes on where another ended.
 */

/** One that died or failed twice without a patient being brought along is set aside, and told to those who release. */
const PAUSES_MS = [2_000]

type MigrationServices = Pick<Services, 'pool' | 'log' | 'now'> & { readonly health?: { readonly isFull: boolean } }

/** Says when the turn of a patient begins and ends, to whoever watches that it does. */
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

/** One round: every task that runs, patient by patient, until nobody is left whose turn could come now. */
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

/** Turn after turn. Gives whether nobody is left who still has one before them. */
async function takeTurns(services: MigrationServices, going: Going): Promise<boolean> {
  const { task, job } = going
  let after: string | null = null
  for (;;) {
    if (job.signal.aborted || services.health?.isFull === true) return false
    const taken = await takeTurn(services, going, after)
    if (taken === 'stopped') return false
    // At the end of the row those come again who were being written to.
    if (taken === null && after === null) break
    after = taken
  }
  return (await withConnection(services.pool, (connection) => turnsLeft(connection, task))) === 0
}

/**
 * The turn of the next patient. Gives their id; null where there is none, `stopped` where the project is entered no
 * more.
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

/** As it was assigned within a transaction. */
function patientIdOf(patient: PatientTurn | null): string | null {
  return patient?.id ?? null
}

/** Whatever is wrong with this patient, the others go on; their data stay as they are, under the version of before. */
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

/** Books that a task has ended, whatever has become of the project since. */
async function book(
  services: MigrationServices,
  transaction: Queryable,
  task: MigrationTask,
  audit: Pick<AuditDraft, 'action' | 'new'>,
): Promise<void> {
  await commitProject(transaction, {
    projectId: task.projectId,
    statuses: ['start', 'process', 'stop', 'close'],
    stamp: stampOf(services, task),
    audit: [{ ...audit, versionId: task.versionId }],
    changes: [],
  })
}

/** In the name of whoever released the version. */
function stampOf(services: MigrationServices, { userId, userName, role }: MigrationTask): Stamp {
  return { ...serverStamp(services), userId, userName, role, call: 'version.release' }
}
