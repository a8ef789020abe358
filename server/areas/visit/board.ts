import type { Pool } from 'pg'
import { visitId } from '#core/derivedIds.ts'
import { isMadeByHand } from '#core/study/visits/pageDemand.ts'
import { dayOfVisit, scheduleOf } from '#core/study/visits/schedule.ts'
import type { ScheduledVisit, VisitTally } from '#core/study/visits/schedule.ts'
import type { VisitRow } from '#core/api/sync/rows.ts'
import type { ScheduledFolder, ScheduledPatient } from '#server/areas/visit/schedules.ts'
import { visitsInProject } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The visits of all patients of a project by date, kept in memory, because computing ten thousand casebooks for one
 * page of a list takes seconds. The database stays the truth. Every write has a change number, so before every use
 * the board is brought up to the project's change number, and only the patients that changed are read again. The
 * board holds all patients of the project; the caller decides who may see what.
 */
export interface DatedVisit {
  readonly patient: ScheduledPatient
  readonly visit: ScheduledVisit
  readonly day: string | null
  /** What a person said about the visit; null where nobody has said anything. */
  readonly row: VisitRow | null
}

/** Boards that are kept in memory: the board of a large project takes some ten megabytes. */
const MOST = 4
/** Days for which a board is kept at a time: tablets may be on both sides of midnight. */
const DAYS = 2

const kept = new WeakMap<Pool, Map<string, Board>>()

/** What a board is about: the project, the reader's entry pass (null: both), and the current definition. */
export interface BoardOf {
  readonly projectId: string
  readonly pass: 1 | 2 | null
  readonly folders: readonly ScheduledFolder[]
}

/**
 * All visits of a project as of a day. The earliest come first, and those without a date before them. The visits of
 * one day are in the order of the patients.
 */
export async function visitsOnBoard(
  pool: Pool,
  transaction: Queryable,
  of: BoardOf,
  today: string,
): Promise<readonly DatedVisit[]> {
  const boards = kept.get(pool) ?? new Map<string, Board>()
  kept.set(pool, boards)
  const key = `${of.projectId} ${of.pass}`
  const definition = JSON.stringify(of.folders)
  const before = boards.get(key)
  const board = before?.definition === definition ? before : new Board(of, definition)
  // The board that was used last stands at the end.
  boards.delete(key)
  boards.set(key, board)
  const [oldest] = boards.keys()
  if (boards.size > MOST && oldest !== undefined) boards.delete(oldest)
  await board.bringUpToDate(transaction)
  return board.asOf(today)
}

export interface BoardPatient extends ScheduledPatient {
  readonly code: string
  readonly noSeq: number | null
}

export interface Casebook {
  readonly patient: BoardPatient
  readonly rows: readonly VisitRow[]
  readonly tallies: readonly VisitTally[]
}

class Board {
  readonly definition: string
  readonly #of: BoardOf
  readonly #casebooks = new Map<string, Casebook>()
  readonly #days = new Map<string, Day>()
  #seq: number | null = null
  #updating: Promise<void> = Promise.resolve()

  constructor(of: BoardOf, definition: string) {
    this.#of = of
    this.definition = definition
  }

  /** Updates run one after the other: a waiting caller finds what the one before has read. */
  async bringUpToDate(transaction: Queryable): Promise<void> {
    const update = this.#updating.then(
      () => this.#update(transaction),
      () => this.#update(transaction),
    )
    this.#updating = update
    await update
  }

  async #update(transaction: Queryable): Promise<void> {
    const { projectId } = this.#of
    const { rows } = await transaction.query<{ seq: number }>({
      name: 'board_seq',
      text: 'SELECT seq FROM project WHERE id = $1',
      values: [projectId],
    })
    const seq = rows[0]?.seq ?? 0
    const from = this.#seq
    if (from === seq) return
    // A number that went back belongs to another database.
    const changed = from === null || from > seq ? null : await changedPatients(transaction, projectId, from)
    const read = changed?.length === 0 ? [] : await readCasebooks(transaction, this.#of, changed)
    if (changed === null) this.#casebooks.clear()
    for (const id of changed ?? []) this.#casebooks.delete(id)
    for (const casebook of read) this.#casebooks.set(casebook.patient.id, casebook)
    for (const day of this.#days.values()) day.forget(changed)
    this.#seq = seq
  }

  asOf(today: string): readonly DatedVisit[] {
    const day = this.#days.get(today) ?? new Day(this.#of.folders, today)
    this.#days.delete(today)
    this.#days.set(today, day)
    const [oldest] = this.#days.keys()
    if (this.#days.size > DAYS && oldest !== undefined) this.#days.delete(oldest)
    return day.visits(this.#casebooks)
  }
}

/** A board as of one day: each casebook is computed once until it changes. */
class Day {
  readonly #folders: readonly ScheduledFolder[]
  readonly #today: string
  readonly #known = new Map<string, readonly DatedVisit[]>()
  #sorted: readonly DatedVisit[] | null = null

  constructor(folders: readonly ScheduledFolder[], today: string) {
    this.#folders = folders
    this.#today = today
  }

  /**
   * @param patients null for all
   */
  forget(patients: readonly string[] | null): void {
    if (patients === null) this.#known.clear()
    for (const id of patients ?? []) this.#known.delete(id)
    if (patients === null || patients.length > 0) this.#sorted = null
  }

  visits(casebooks: ReadonlyMap<string, Casebook>): readonly DatedVisit[] {
    if (this.#sorted !== null) return this.#sorted
    const inOrder = [...casebooks.values()].toSorted(byNumber)
    this.#sorted = inOrder
      .flatMap((casebook) => this.#of(casebook))
      .toSorted((a, b) => compare(a.day ?? '', b.day ?? ''))
    return this.#sorted
  }

  #of(casebook: Casebook): readonly DatedVisit[] {
    const { patient, rows, tallies } = casebook
    const known = this.#known.get(patient.id)
    if (known !== undefined) return known
    const said = new Map(rows.map((row) => [row.id, row]))
    const schedule = scheduleOf({
      folders: this.#folders,
      enrolledOn: patient.enrolledOn,
      visits: rows,
      tallies,
      today: this.#today,
    })
    const made = schedule.map((visit) => ({
      patient,
      visit,
      day: dayOfVisit(visit),
      row:
        said.size === 0
          ? null
          : (said.get(visitId({ patientId: patient.id, folderId: visit.folderId, folderRepeat: visit.folderRepeat })) ??
            null),
    }))
    this.#known.set(patient.id, made)
    return made
  }
}

/** Unnumbered patients first and then by center and number, as in their list. */
function byNumber({ patient: a }: Casebook, { patient: b }: Casebook): number {
  return (
    Number(a.no !== null) - Number(b.no !== null) ||
    compare(a.code, b.code) ||
    (a.noSeq ?? 0) - (b.noSeq ?? 0) ||
    compare(a.id, b.id)
  )
}

/**
 * Patients that changed since. One that is being changed just now may be among them, and is read again the next time.
 */
async function changedPatients(transaction: Queryable, projectId: string, from: number): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ id: string }>({
    name: 'board_changed',
    text: `
      SELECT DISTINCT coalesce(e.patient_id, v.patient_id, c.row_id) AS id
      FROM change c
      LEFT JOIN entry e ON c.kind = 'entry' AND e.id = c.row_id
      LEFT JOIN visit v ON c.kind = 'visit' AND v.id = c.row_id
      WHERE c.project_id = $1 AND c.kind IN ('patient', 'visit', 'entry') AND c.seq > $2`,
    values: [projectId, from],
  })
  return rows.map(({ id }) => id)
}

/**
 * @param ids null for all patients of the project
 */
export async function readCasebooks(
  transaction: Queryable,
  { projectId, pass, folders }: BoardOf,
  ids: readonly string[] | null,
): Promise<readonly Casebook[]> {
  const patients = await transaction.query<BoardPatient>({
    name: 'board_patients',
    text: `
      SELECT p.id, p.no, p.mark, p.initials, p.center_id AS "centerId", p.enrolled_on AS "enrolledOn", c.code, p.no_seq AS "noSeq"
      FROM patient p JOIN center c ON c.id = p.center_id
      WHERE p.project_id = $1 AND NOT p.deleted AND ($2::uuid[] IS NULL OR p.id = ANY ($2))`,
    values: [projectId, ids],
  })
  const rows = Map.groupBy(await visitsInProject(transaction, projectId, ids), ({ patientId }) => patientId)
  const asked = folders.flatMap((folder) =>
    folder.pages.flatMap(({ id, option }) => (isMadeByHand(option) ? [] : [{ folder: folder.id, page: id }])),
  )
  const tallies = await transaction.query<VisitTally & { readonly patientId: string }>({
    name: 'board_entered',
    text: `
      SELECT
        e.patient_id AS "patientId", e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", bool_or(e.status = 'process') AS open,
        count(DISTINCT a.page) FILTER (WHERE e.status = 'other' AND e.page_repeat = '0')::integer AS submitted
      FROM entry e
      LEFT JOIN (SELECT unnest($4::uuid[]) AS folder, unnest($5::uuid[]) AS page) AS a ON a.folder = e.folder_id AND a.page = e.page_id
      WHERE e.project_id = $1 AND ($2::uuid[] IS NULL OR e.patient_id = ANY ($2)) AND NOT e.deleted AND e.status <> 'init'
        AND ($3::smallint IS NULL OR e.pass = $3)
      GROUP BY e.patient_id, e.folder_id, e.folder_repeat`,
    values: [projectId, ids, pass, asked.map(({ folder }) => folder), asked.map(({ page }) => page)],
  })
  const entered = Map.groupBy(tallies.rows, ({ patientId }) => patientId)
  return patients.rows.map((patient) => ({
    patient,
    rows: rows.get(patient.id) ?? [],
    tallies: entered.get(patient.id) ?? [],
  }))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
