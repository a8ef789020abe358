import { migratePatient } from '#server/areas/version/migration/migratePatient.ts'
import { failedLog, logOf } from '#server/areas/version/migration/migrationLog.ts'
import {
  bookTurn,
  countAttempt,
  endTask,
  forgetAttempts,
  lockBegin,
  nextPatient,
  runningTasks,
  setTaskAside,
  turnsLeft,
  uncountAttempt,
} from '#server/areas/version/migration/migrationStore.ts'
import type { Aside, MigrationTask, PatientTurn } from '#server/areas/version/migration/migrationStore.ts'
import { commitProject } from '#server/database/commit.ts'
import type { AuditDraft, Stamp } from '#server/database/auditDigest.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import type { Services } from '#server/services.ts'

/**
 * Brings patients to a release, one after the other and each in a transaction of their own, while data are entered
 * (docs/adr/0028-migration.md). What was done is in the database alone: any server goes on where another ended, and
 * several share the work.
 */

const EVERY_MS = 2000

type MigrationServices = Pick<Services, 'pool' | 'log' | 'now'> & { readonly health?: { readonly isFull: boolean } }

/** Says when the turn of a patient begins and ends, to whoever watches that it does. */
export type TurnWatch = (at: 'begins' | 'ends') => void

/** Migrating that goes on until it is stopped; `stop` waits for the patient under way. */
export function startMigrations(
  services: MigrationServices,
  { everyMs = EVERY_MS, turn }: { readonly everyMs?: number; readonly turn?: TurnWatch } = {},
): { stop(): Promise<void> } {
  return startRounds(services, { everyMs, first: 'at once', failed: 'migrations were not looked through' }, (stopped) =>
    runMigrations(services, stopped, turn),
  )
}

/** One round: every task that runs, patient by patient, until nobody is left whose turn could come now. */
export async function runMigrations(
  services: MigrationServices,
  stopped?: AbortSignal,
  turn?: TurnWatch,
): Promise<void> {
  // It is what writes most, and it can wait.
  if (services.health?.isFull === true) return
  for (const task of await withConnection(services.pool, (connection) => runningTasks(connection, true)))
    await end(services, task)
  for (const task of await withConnection(services.pool, (connection) => runningTasks(connection, false))) {
    if (stopped?.aborted === true) return
    const began = await beginTask(services, task, turn)
    if (began !== null) await runTask(services, task, { after: began.patient, stopped, turn })
  }
}

/** How often the work of a task may be begun without a patient being brought along. */
const MOST_ATTEMPTS = 2

/**
 * The first turn of a task in a round. It is counted before it begins, for what it does may end this process: one that
 * died or failed at its beginning twice is set aside, and told to those who release. One server begins a task at a
 * time, so that the count is of attempts that are over.
 *
 * @returns the id of the patient whose turn it was, null for one where there is none; null where the task is not to
 *   be gone on with now
 */
async function beginTask(
  services: MigrationServices,
  task: MigrationTask,
  turn: TurnWatch | undefined,
): Promise<{ readonly patient: string | null } | null> {
  const { pool } = services
  return withTransaction(
    pool,
    async (guard) => {
      if (!(await lockBegin(guard, task.id))) return null
      const attempts = await withConnection(pool, (connection) => countAttempt(connection, task.id))
      if (attempts > MOST_ATTEMPTS) {
        await setAside(services, task, 'died')
        return null
      }
      try {
        const began = await takeTurn(services, task, null, turn)
        // A patient whom a dead process has not let go of yet says nothing of the task.
        await withConnection(pool, (connection) =>
          (began === null ? uncountAttempt : forgetAttempts)(connection, task.id),
        )
        return began === 'stopped' ? null : { patient: began }
      } catch (error) {
        // A database that is busy, away or without room says nothing of the task.
        const { code } = toApiError(error)
        if (code === 'busy' || code === 'server_full')
          await withConnection(pool, (connection) => forgetAttempts(connection, task.id))
        else if (attempts >= MOST_ATTEMPTS) await setAside(services, task, 'failed')
        throw error
      }
    },
    { retries: 0 },
  )
}

async function setAside(services: MigrationServices, task: MigrationTask, why: Aside): Promise<void> {
  services.log.error({ task: task.id, why }, 'a migration was set aside')
  await withTransaction(services.pool, async (transaction) => {
    if (!(await setTaskAside(transaction, task.id, why, services.now()))) return
    await book(services, transaction, task, { action: 'version.migrationAside', new: { task: task.id, why } })
  })
}

interface Going {
  /** The patient whose turn it was last; null begins anew. */
  readonly after: string | null
  readonly stopped: AbortSignal | undefined
  readonly turn: TurnWatch | undefined
}

async function runTask(
  services: MigrationServices,
  task: MigrationTask,
  { after: first, stopped, turn }: Going,
): Promise<void> {
  let after = first
  let none = first === null
  while (stopped?.aborted !== true && services.health?.isFull !== true && !none) {
    const taken = await takeTurn(services, task, after, turn)
    if (taken === 'stopped') return
    // At the end of the row those come again who were being written to.
    none = taken === null && after === null
    after = taken
  }
  if (stopped?.aborted === true || services.health?.isFull === true) return
  if ((await withConnection(services.pool, (connection) => turnsLeft(connection, task))) === 0)
    await end(services, task)
}

/**
 * The turn of the next patient. Gives their id; null where there is none, `stopped` where the project is entered no
 * more.
 */
async function takeTurn(
  services: MigrationServices,
  task: MigrationTask,
  after: string | null,
  turn: TurnWatch | undefined,
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
    })
  } catch (error) {
    const { code } = toApiError(error)
    if (code === 'project_stopped' || code === 'project_closed' || code === 'not_found') return 'stopped'
    if (patient === null || code === 'busy' || code === 'server_full') throw error
    await fail(services, task, patient, error)
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
  task: MigrationTask,
  patient: PatientTurn,
  error: unknown,
): Promise<void> {
  if (isOurFault(error)) log.error({ error, task: task.id }, 'a patient was not migrated')
  const { code } = toApiError(error)
  await withTransaction(pool, (transaction) =>
    bookTurn(transaction, {
      taskId: task.id,
      patientId: patient.id,
      state: 'failed',
      log: failedLog(task.language, patient.name, code),
      part: { failed: code },
      at: now(),
    }),
  )
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
