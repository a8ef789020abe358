import { ApiFailure } from '#core/api/errors.ts'
import { DataFailure } from '#core/exchange/data/contract.ts'
import { ArchiveTooLarge } from '#core/exchange/sheet/zipStream.ts'
import { formatsByKind, isPaperFormat } from '#core/dataset/formats.ts'
import { leftFields } from '#core/dataset/pagePlan.ts'
import type { RunEnd } from '#core/dataset/runs.ts'
import type { Selector } from '#core/dataset/source.ts'
import { tablesOf, wantedStudy } from '#core/dataset/tables.ts'
import { ok } from '#core/result.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { noteEndedRun } from '#server/areas/notice/exports.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { PrintFailure } from '#server/print/printFailure.ts'
import type { PrintProblem } from '#server/print/printFailure.ts'
import { Printer } from '#server/print/printer.ts'
import type { Services } from '#server/services.ts'
import { keepPieces, removePieces } from '#server/storage/sealedPieces.ts'

import { makeArchive } from './archive.ts'
import type { Archive } from './archive.ts'
import { Casebooks } from './clinical/casebooks.ts'
import type { Press } from './clinical/paper.ts'
import { narrowToFound } from './narrow.ts'
import { actorOf, maySeeIdentity, requireExport, stillCovers, viewOf } from './rights.ts'
import type { ReaderView } from './rights.ts'
import { beginAttempt, failRun, finishRun, lockRun, writeProgress } from './runStore.ts'
import type { StoredRun } from './runStore.ts'
import { sdtmRunOf } from './sdtm.ts'
import { pseudonymsOf, withSnapshot } from './snapshot.ts'
import type { Instant } from './snapshot.ts'
import { sourceOf, totalsOf } from './source.ts'
import type { Totals } from './source.ts'
import { loadStudy } from './study.ts'
import { passesOf } from './writers.ts'

/**
 * The work of a run. It reads one instant of the project with the rights that whoever asked has now, and begins anew
 * whenever it was interrupted: a file is of one instant or there is none.
 */

export const KEPT_DAYS = 7
const DAY_MS = 86_400_000
/** Begun so often, it ends the server each time. */
const MOST_ATTEMPTS = 5
/** How often progress is booked and rights are looked at again. */
const BOOK_MS = 1_000

/** Why a run cannot be done, which another attempt would not change. */
class RunEnded extends Error {
  override readonly name = 'RunEnded'
  readonly why: RunEnd

  constructor(why: RunEnd) {
    super(why)
    this.why = why
  }
}

/** The server stops, or has no room: the run goes on later. */
class RunPut extends Error {
  override readonly name = 'RunPut'
}

export type RunServices = Pick<Services, 'pool' | 'log' | 'now' | 'secrets' | 'files'> & {
  readonly health?: { readonly isFull: boolean }
}

/** The job of a run, as far as it is booked. */
export interface RunJob {
  readonly signal: AbortSignal
  advance(transaction: Queryable, steps: number): Promise<void>
}

/** Does a run, or goes on with one that was interrupted. */
export async function workOnRun(services: RunServices, runId: string, job: RunJob): Promise<'done' | 'later'> {
  const run = await begin(services, runId, job)
  if (run === null) return 'done'
  try {
    if (run.attempt > MOST_ATTEMPTS) throw new RunEnded('died')
    await removePieces(services.files, nameOf(run, run.attempt - 1))
    const made = await make(services, run, job)
    await finish(services, run, made, job)
    return 'done'
  } catch (error) {
    if (error instanceof RunPut) return 'later'
    const why = endOf(error)
    if (why === null) throw error
    await withTransaction(services.pool, async (transaction) => {
      await job.advance(transaction, 1)
      await endAsFailed(services, transaction, run.id, why)
    })
    await removePieces(services.files, nameOf(run, run.attempt))
    return 'done'
  }
}

/** A fault of ours may not be there the next time; what a machine lacks and what is too large is. */
const PRINT_ENDS: Readonly<Record<PrintProblem, RunEnd | null>> = {
  unavailable: 'no_print',
  too_large: 'print_too_large',
  failed: null,
  busy: null,
}

function endOf(error: unknown): RunEnd | null {
  if (error instanceof RunEnded) return error.why
  if (error instanceof PrintFailure) return PRINT_ENDS[error.problem]
  // More than a file of the format, or a part of an archive, can be.
  if (error instanceof DataFailure && error.reason.kind === 'too-large') return 'too_large'
  return error instanceof ArchiveTooLarge ? 'too_large' : null
}

export function nameOf({ projectId, id }: Pick<StoredRun, 'projectId' | 'id'>, attempt: number) {
  return { projectId, id, attempt }
}

async function begin({ pool }: RunServices, runId: string, job: RunJob): Promise<StoredRun | null> {
  return withTransaction(pool, async (transaction) => {
    await job.advance(transaction, 0)
    const run = await lockRun(transaction, runId)
    if (run === null || run.state !== 'open') return null
    return { ...run, attempt: await beginAttempt(transaction, runId) }
  })
}

/** What a run made, before it is booked. */
interface Made {
  readonly view: ReaderView
  readonly instant: Instant
  readonly totals: Totals
  readonly tables: ReturnType<Archive['tables']>
  readonly kept: Awaited<ReturnType<typeof keepPieces>>
}

/** A process that prints lives no longer than what it prints for. */
async function make(services: RunServices, run: StoredRun, job: RunJob): Promise<Made> {
  if (!run.definition.formats.some(isPaperFormat)) return makeWith(services, run, job, null)
  const printer = new Printer()
  try {
    // What cannot be printed here is said before anything is read.
    await printer.prepare()
    const { files, secrets } = services
    return await makeWith(services, run, job, { printer, files, root: secrets.root })
  } finally {
    printer.end()
  }
}

async function makeWith(services: RunServices, run: StoredRun, job: RunJob, press: Press | null): Promise<Made> {
  return withSnapshot(services.pool, run.projectId, async (connection, instant) => {
    const member = await reader(connection, run)
    const definition = await narrow(connection, member, run)
    const study = await loadStudy(connection, run.projectId)
    const leaving = { definition, isIdentifying: maySeeIdentity(member) }
    const totals = await totalsOf(connection, { member, definition, study })
    const view = viewOf(member)
    const formats = formatsByKind(definition.formats)
    // Each table of SDTM reads its own pages, and goes through them twice.
    const times = passesOf(formats.tables) + 2 * formats.sdtm.length + formats.casebooks.length
    const progress = new Progress(services, run, { job, view, total: totals.entries * times })
    const read = { member, definition, study, onEntries: (count: number, of: Selector) => progress.read(count, of) }
    const reading = {
      source: sourceOf(connection, read),
      places: study.places,
      pseudonymOf: run.identified ? null : pseudonymsOf(services.secrets.root, run.projectId),
    }
    const made = formats.tables.length === 0 ? ok([]) : await tablesOf(study, leaving, reading)
    if (!made.ok) throw new RunEnded(made.error)
    const archive = makeArchive({
      run,
      ...(await namesOf(connection, run)),
      instant,
      at: services.now(),
      study,
      tables: made.value,
      sdtm: sdtmRunOf(study, leaving, reading),
      casebooks: formats.casebooks.length === 0 ? null : new Casebooks(connection, read),
      press,
      left: leftFields(wantedStudy(study, leaving).pages, leaving),
      totals,
    })
    const kept = await keepPieces(services.files, services.secrets.root, nameOf(run, run.attempt), archive.content)
    return { view, instant, totals, tables: archive.tables(), kept }
  })
}

/**
 * Whoever asked for the run, with the rights that they have now.
 *
 * @throws RunEnded `rights` where they may not have it any more
 */
async function reader(connection: Queryable, run: StoredRun): Promise<Membership> {
  const actor = await actorOf(connection, run.askedBy)
  if (actor === null) throw new RunEnded('rights')
  try {
    const member = await membership(connection, actor, run.projectId)
    requireExport(member, run.definition)
    return member
  } catch (error) {
    if (error instanceof ApiFailure) throw new RunEnded('rights')
    throw error
  }
}

/**
 * The definition of a run, with the subjects whom its search finds.
 *
 * @throws RunEnded `rights` where who asked may not ask that any more, `search` where the study has changed since
 */
async function narrow(connection: Queryable, member: Membership, { definition }: StoredRun) {
  try {
    return await narrowToFound(connection, member, definition)
  } catch (error) {
    if (error instanceof ApiFailure) throw new RunEnded(error.error.code === 'forbidden' ? 'rights' : 'search')
    throw error
  }
}

interface Booked {
  readonly job: RunJob
  readonly view: ReaderView
  readonly total: number
}

/** Books how far a run is, and looks whether it is still wanted and allowed. */
class Progress {
  readonly #services: RunServices
  readonly #run: StoredRun
  readonly #of: Booked
  #done = 0
  #bookedAt = performance.now()

  constructor(services: RunServices, run: StoredRun, of: Booked) {
    this.#services = services
    this.#run = run
    this.#of = of
  }

  async read(count: number, { table, retired }: Selector): Promise<void> {
    const { job, view, total } = this.#of
    if (job.signal.aborted || this.#services.health?.isFull === true) throw new RunPut()
    // Rows of tables and retired values are read once more: they are no further entries.
    if (table === undefined && retired === undefined) this.#done += count
    if (performance.now() - this.#bookedAt < BOOK_MS) return
    await withTransaction(this.#services.pool, async (transaction) => {
      await job.advance(transaction, 0)
      await requireView(transaction, this.#run, view)
      await writeProgress(transaction, this.#run.id, { done: this.#done, total })
    })
    this.#bookedAt = performance.now()
  }
}

async function requireView(connection: Queryable, run: StoredRun, view: ReaderView): Promise<Membership> {
  const member = await reader(connection, run)
  if (!stillCovers(viewOf(member), view)) throw new RunEnded('rights')
  return member
}

async function finish(services: RunServices, run: StoredRun, made: Made, job: RunJob): Promise<void> {
  const { view, instant, totals, tables, kept } = made
  await withTransaction(services.pool, async (transaction) => {
    await job.advance(transaction, 1)
    const member = await requireView(transaction, run, view)
    const endedAt = services.now()
    const expiresAt = new Date(Date.parse(endedAt) + KEPT_DAYS * DAY_MS).toISOString()
    await finishRun(transaction, run.id, {
      ...kept,
      seen: view,
      instant,
      subjects: totals.subjects,
      tables,
      endedAt,
      expiresAt,
    })
    const { hash, bytes } = kept
    await book(services, transaction, run, {
      under: member,
      audit: {
        action: 'dataset.end',
        new: { id: run.id, seq: instant.seq, subjects: totals.subjects, tables: [...tables], hash, bytes, expiresAt },
      },
    })
  })
}

/** Books that a run came to nothing, in the transaction that ends its job. */
export async function endAsFailed(
  services: Pick<RunServices, 'now'>,
  transaction: Queryable,
  runId: string,
  why: RunEnd,
): Promise<void> {
  const run = await lockRun(transaction, runId)
  if (run === null || run.state !== 'open') return
  await failRun(transaction, runId, why, services.now())
  await book(services, transaction, run, { audit: { action: 'dataset.fail', new: { id: runId, why } } })
}

async function book(
  services: Pick<RunServices, 'now'>,
  transaction: Queryable,
  run: StoredRun,
  { audit, under = null }: { readonly audit: NewAuditRow; readonly under?: Membership | null },
): Promise<void> {
  await commitProject(transaction, {
    projectId: run.projectId,
    // A file that is there is booked, whatever has happened to the project since.
    statuses: projectStatuses,
    under,
    stamp: serverStamp(services),
    audit: [audit],
    changes: [],
  })
  await noteEndedRun(transaction, run, { by: null, at: services.now() })
}

async function namesOf(
  connection: Queryable,
  { projectId, askedBy, decidedBy }: StoredRun,
): Promise<{ readonly projectName: string; readonly askedByName: string; readonly approvedByName: string | null }> {
  const { rows } = await connection.query<{ projectName: string; askedByName: string; approvedByName: string | null }>({
    name: 'dataset_run_names',
    text: `
      SELECT p.name AS "projectName", a.real_name AS "askedByName", (SELECT real_name FROM app_user WHERE id = $3) AS "approvedByName"
      FROM project p, app_user a WHERE p.id = $1 AND a.id = $2`,
    values: [projectId, askedBy, decidedBy],
  })
  return rows[0] ?? { projectName: '', askedByName: '', approvedByName: null }
}
