import {
  DEFAULT_TEMPLATE,
  LARGEST_COUNT,
  countIn,
  formatFor,
  numberOf,
  readTemplate,
} from '#core/study/patientNumber.ts'
import type { NumberFormat } from '#core/study/patientNumber.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Subject numbers: made by the template of their center, unique in the project, never reused. */

/** A subject number as text and as a count. */
export interface SubjectNumber {
  readonly no: string
  readonly seq: number
}

/** How a center numbers its subjects. */
export interface Numbering {
  readonly centerId: string
  readonly projectId: string
  /** The current template, as this center uses it. */
  readonly template: string
  readonly format: NumberFormat
  /** The center's own template, null where it uses the project's; and the project's. */
  readonly own: string | null
  readonly common: string
  /** Templates under which the center has given out numbers before. */
  readonly former: readonly NumberFormat[]
  readonly formatOf: (template: string) => NumberFormat
}

interface CenterTemplates {
  readonly id: string
  readonly projectId: string
  readonly code: string
  readonly siteNo: number | null
  readonly own: string | null
  readonly common: string | null
  readonly former: readonly string[]
}

/** The facts behind a center's numbering: a query over `center c JOIN project p`. */
const TEMPLATES = `
  SELECT
    c.id, c.project_id AS "projectId", c.code, c.site_no AS "siteNo", c.number_template AS own, p.config->>'numberTemplate' AS common,
    c.former_templates AS former
  FROM center c JOIN project p ON p.id = c.project_id`

function numberingOf({ id, projectId, code, siteNo, own, common, former }: CenterTemplates): Numbering {
  const ofProject = common ?? DEFAULT_TEMPLATE
  const template = own ?? ofProject
  const formatOf = (text: string): NumberFormat => {
    const read = readTemplate(text)
    if (!read.ok) throw new RangeError('a stored template cannot be read')
    return formatFor(read.value, { id, code, no: siteNo ?? 0 })
  }
  return {
    centerId: id,
    projectId,
    template,
    own,
    common: ofProject,
    format: formatOf(template),
    former: former.map(formatOf),
    formatOf,
  }
}

/** How a center numbers. The center exists, because it was locked before. */
export async function numberingOfCenter(transaction: Queryable, centerId: string): Promise<Numbering> {
  const { rows } = await transaction.query<CenterTemplates>({
    name: 'center_templates',
    text: `${TEMPLATES} WHERE c.id = $1`,
    values: [centerId],
  })
  const [row] = rows
  if (row === undefined) throw new RangeError('the center of a subject number is gone')
  return numberingOf(row)
}

/** How all centers of a project number. */
export async function numberingsOfProject(transaction: Queryable, projectId: string): Promise<readonly Numbering[]> {
  const { rows } = await transaction.query<CenterTemplates>({
    name: 'project_templates',
    text: `${TEMPLATES} WHERE c.project_id = $1 ORDER BY c.code`,
    values: [projectId],
  })
  return rows.map(numberingOf)
}

/** Takes the next free number of a center for good. Other callers that want one wait until the transaction ends. */
export async function nextNumber(transaction: Queryable, numbering: Numbering): Promise<SubjectNumber> {
  for (;;) {
    const seq = await takeNumbers(transaction, numbering, 1)
    const no = numberOf(numbering.format, seq)
    if (!(await isGiven(transaction, numbering.projectId, no))) return { no, seq }
  }
}

/**
 * Takes several counts in a row for good, in the center or over the project as its template counts. Returns the
 * first.
 */
export async function takeNumbers(
  transaction: Queryable,
  { centerId, projectId, format }: Numbering,
  count: number,
): Promise<number> {
  const least = format.counts === 'study' ? await takeStudyNumbers(transaction, projectId, count) : 1
  const { rows } = await transaction.query<{ first: number }>({
    name: 'center_numbers',
    text: 'UPDATE center SET next_no = greatest(next_no, $3) + $2 WHERE id = $1 RETURNING next_no - $2 AS first',
    values: [centerId, count, least],
  })
  const first = rows[0]?.first
  if (first === undefined) throw new RangeError('the center of a subject number is gone')
  if (first + count > LARGEST_COUNT) throw new RangeError('the subject numbers of a center are used up')
  return first
}

/** Beyond every count of every center, so that a project may start or stop counting over all of them at any time. */
async function takeStudyNumbers(transaction: Queryable, projectId: string, count: number): Promise<number> {
  const { rows } = await transaction.query<{ first: number }>({
    name: 'study_numbers',
    text: `
      INSERT INTO study_number AS s (project_id, next_no)
      VALUES ($1, (SELECT coalesce(max(next_no), 1) FROM center WHERE project_id = $1) + $2)
      ON CONFLICT (project_id) DO UPDATE SET next_no = greatest(s.next_no, excluded.next_no - $2) + $2
      RETURNING next_no - $2 AS first`,
    values: [projectId, count],
  })
  return rows[0]?.first ?? 1
}

/** The counts that a text can mean in a center, by its current and former templates. */
export function countsIn({ format, former }: Numbering, no: string): readonly number[] {
  const counts = [format, ...former].flatMap((one) => countIn(one, no) ?? [])
  return [...new Set(counts)]
}

/**
 * The count of a number in one of the device's blocks. The block stays locked, so that two patients cannot get one
 * number at once.
 */
export async function leasedCount(
  transaction: Queryable,
  numbering: Numbering,
  deviceId: string,
  no: string,
): Promise<number | null> {
  const { rows } = await transaction.query<{ template: string; first: number; last: number }>({
    name: 'number_leased',
    text: 'SELECT template, first_no AS first, last_no AS last FROM number_lease WHERE center_id = $1 AND device_id = $2 ORDER BY id FOR NO KEY UPDATE',
    values: [numbering.centerId, deviceId],
  })
  for (const { template, first, last } of rows) {
    const count = countIn(numbering.formatOf(template), no)
    if (count !== null && count >= first && count <= last) return count
  }
  return null
}

/** Whether a patient has the number already. */
export async function isGiven(transaction: Queryable, projectId: string, no: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'number_given',
    text: 'SELECT 1 FROM patient WHERE project_id = $1 AND no = $2',
    values: [projectId, no],
  })
  return rowCount === 1
}

/**
 * How many numbers of a center a restore skips: more than are ever given out between two backups. Within them every
 * patient keeps the number that was shown, in whatever order the tablets come back.
 */
const FORGOTTEN_NUMBERS = 500

/**
 * After a restore: skips the numbers that may have been given out since the backup. Only a device that reports such a
 * number gets it (`claimForgotten`).
 */
export async function leaveOutForgotten(transaction: Queryable): Promise<void> {
  await transaction.query('UPDATE center SET forgotten_from = least(forgotten_from, next_no), next_no = next_no + $1', [
    FORGOTTEN_NUMBERS,
  ])
}

/**
 * Whether the server gave out a number and has forgotten it by a restore. The person who was shown the number then
 * keeps it. The center stays locked, so that the number goes to one patient and into no lease.
 *
 * @returns `unknown` for a number that was never given out; `leased` when another device holds it since
 */
export async function claimForgotten(
  transaction: Queryable,
  centerId: string,
  seq: number,
): Promise<'free' | 'leased' | 'unknown'> {
  // In a statement of its own: only the next statement sees what another transaction leased before it released the
  // lock.
  const { rows } = await transaction.query<{ forgotten: boolean }>({
    name: 'number_forgotten',
    text: `
      SELECT coalesce($2 >= forgotten_from AND $2 < next_no + ${FORGOTTEN_NUMBERS}, false) AS forgotten
      FROM center WHERE id = $1 FOR NO KEY UPDATE`,
    values: [centerId, seq],
  })
  if (rows[0]?.forgotten !== true) return 'unknown'
  const { rowCount } = await transaction.query({
    name: 'number_claim',
    text: `
      UPDATE center SET next_no = greatest(next_no, $2 + 1)
      WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM number_lease l WHERE l.center_id = $1 AND $2 BETWEEN l.first_no AND l.last_no)`,
    values: [centerId, seq],
  })
  return rowCount === 1 ? 'free' : 'leased'
}
