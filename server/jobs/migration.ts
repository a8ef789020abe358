import { migratePatient } from '#server/areas/version/migratePatient.ts'
import { failedLog, logOf } from '#server/areas/version/migrationLog.ts'
import { bookTurn, endTask, nextPatient, runningTasks, turnsLeft } from '#server/areas/version/migrationStore.ts'
import type { MigrationTask, PatientTurn } from '#server/areas/version/migrationStore.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Stamp } from '#server/database/seal.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import type { Services } from '#server/services.ts'

/**
 * Brings patients to a release, one after the other and each in a transaction of their own, while data are entered (docs/adr/0028-migration.md). What was
 * done is in the database alone: any server goes on where another ended, and several share the work.
 */

const EVERY_MS = 2000

type MigrationServices = Pick<Services, 'pool' | 'log' | 'now' | 'health'>

/** Migrating that goes on until it is stopped; `stop` waits for the patient under way. */
export function startMigrations(services: MigrationServices, everyMs = EVERY_MS): { stop(): Promise<void> } {
  return startRounds(services, { everyMs, first: 'at once', failed: 'migrations were not looked through' }, (stopped) => runMigrations(services, stopped))
}

/** One round: every task that runs, patient by patient, until nobody is left whose turn could come now. */
export async function runMigrations(services: MigrationServices, stopped?: AbortSignal): Promise<void> {
  // It is what writes most, and it can wait.
  if (services.health?.isFull === true) return
  for (const task of await withConnection(services.pool, (connection) => runningTasks(connection, true))) await end(services, task)
  for (const task of await withConnection(services.pool, (connection) => runningTasks(connection, false))) {
    if (stopped?.aborted === true) return
    await runTask(services, task, stopped)
  }
}

async function runTask(services: MigrationServices, task: MigrationTask, stopped: AbortSignal | undefined): Promise<void> {
  let after: string | null = null
  while (stopped?.aborted !== true && services.health?.isFull !== true) {
    const turn = await takeTurn(services, task, after)
    if (turn === 'stopped') return
    // At the end of the row those come again who were being written to.
    if (turn === null && after === null) break
    after = turn
  }
  if (stopped?.aborted === true || services.health?.isFull === true) return
  if ((await withConnection(services.pool, (connection) => turnsLeft(connection, task))) === 0) await end(services, task)
}

/** The turn of the next patient. Gives their id; null where there is none, `stopped` where the project is entered no more. */
async function takeTurn(services: MigrationServices, task: MigrationTask, after: string | null): Promise<string | null> {
  let patient: PatientTurn | null = null
  try {
    await withTransaction(services.pool, async (transaction) => {
      patient = await nextPatient(transaction, task, after)
      if (patient === null) return
      const part = await migratePatient(transaction, task, patient, stampOf(services, task))
      await bookTurn(transaction, { taskId: task.id, patientId: patient.id, state: 'done', log: logOf(task.language, patient.name, part), part: { counts: part.counts, items: part.items }, at: services.now() })
    })
  } catch (error) {
    const { code } = toApiError(error)
    if (code === 'project_stopped' || code === 'project_closed' || code === 'not_found') return 'stopped'
    if (patient === null || code === 'busy' || code === 'server_full') throw error
    await fail(services, task, patient, error)
  }
  return patientIdOf(patient)
}

/** As it was assigned within a transaction. */
function patientIdOf(patient: PatientTurn | null): string | null {
  return patient?.id ?? null
}

/** Whatever is wrong with this patient, the others go on; their data stay as they are, under the version of before. */
async function fail({ pool, log, now }: MigrationServices, task: MigrationTask, patient: PatientTurn, error: unknown): Promise<void> {
  if (isOurFault(error)) log.error({ error, task: task.id }, 'a patient was not migrated')
  const { code } = toApiError(error)
  await withTransaction(pool, (transaction) => bookTurn(transaction, { taskId: task.id, patientId: patient.id, state: 'failed', log: failedLog(task.language, patient.name, code), part: { failed: code }, at: now() }))
}

async function end(services: MigrationServices, task: MigrationTask): Promise<void> {
  await withTransaction(services.pool, async (transaction) => {
    if (!(await endTask(transaction, task, services.now()))) return
    await commitProject(transaction, {
      projectId: task.projectId,
      // That it has ended is booked whatever has become of the project since.
      statuses: ['start', 'process', 'stop', 'close'],
      stamp: stampOf(services, task),
      audit: [{ action: 'version.migrated', versionId: task.versionId, new: { task: task.id } }],
      changes: [],
    })
  })
}

/** In the name of whoever released the version. */
function stampOf(services: MigrationServices, { userId, userName, role }: MigrationTask): Stamp {
  return { ...serverStamp(services), userId, userName, role, call: 'version.release' }
}
