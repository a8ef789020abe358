import type { Queryable } from '#server/database/transaction.ts'

/** Subject numbers: `{SiteCode}-{Seq:000}`, unique in the project, never reused (DOMAIN §12). */

/** A subject number in words and in figures. */
export interface SubjectNumber {
  readonly no: string
  readonly seq: number
}

export function subjectNumber(centerCode: string, seq: number): SubjectNumber {
  return { no: `${centerCode}-${String(seq).padStart(3, '0')}`, seq }
}

/** The largest number in figures: there is room for more, and none of a PostgreSQL integer's is ever exceeded. */
const LARGEST = 1_000_000_000

/** Reads a number that a device gave out. Null for text that is no number of the center. */
export function readSubjectNumber(centerCode: string, no: string): SubjectNumber | null {
  const seq = Number(no.slice(centerCode.length + 1))
  if (!Number.isSafeInteger(seq) || seq < 1 || seq > LARGEST) return null
  const read = subjectNumber(centerCode, seq)
  return read.no === no ? read : null
}

/** Takes the center's next free number for good. Others who want one wait until the transaction ends. */
export async function nextNumber(transaction: Queryable, center: { readonly id: string; readonly code: string }): Promise<SubjectNumber> {
  return subjectNumber(center.code, await takeNumbers(transaction, center.id, 1))
}

/** Takes so many numbers in a row for good. Gives the first. */
export async function takeNumbers(transaction: Queryable, centerId: string, count: number): Promise<number> {
  const { rows } = await transaction.query<{ first: number }>({
    name: 'center_numbers',
    text: 'UPDATE center SET next_no = next_no + $2 WHERE id = $1 RETURNING next_no - $2 AS first',
    values: [centerId, count],
  })
  const first = rows[0]?.first
  if (first === undefined) throw new RangeError('the center of a subject number is gone')
  return first
}

/** Whether the device holds the number in one of its blocks, which stays locked: two patients cannot get one number at once. */
export async function isLeased(transaction: Queryable, centerId: string, deviceId: string, seq: number): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'number_leased',
    text: 'SELECT 1 FROM number_lease WHERE center_id = $1 AND device_id = $2 AND $3 BETWEEN first_no AND last_no FOR NO KEY UPDATE',
    values: [centerId, deviceId, seq],
  })
  return rowCount === 1
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
 * How many numbers of a center a restore leaves out: more than are ever given out between two backups. Within them every patient keeps the
 * number that was shown, in whatever order the tablets come back.
 */
const FORGOTTEN_NUMBERS = 500

/**
 * After a restore: leaves out the numbers that may have been given out since the backup. Only those who say that they have one get it
 * (`claimForgotten`).
 */
export async function leaveOutForgotten(transaction: Queryable): Promise<void> {
  await transaction.query(
    'UPDATE center SET forgotten_from = least(forgotten_from, next_no), next_no = next_no + $1',
    [FORGOTTEN_NUMBERS],
  )
}

/**
 * Whether a number is one that the server gave out and has forgotten by a restore, so that whoever was shown it keeps it. The center stays
 * locked: it goes to one patient, and to no lease.
 *
 * @returns `unknown` for a number that was never given out; `leased` when another device holds it since
 */
export async function claimForgotten(transaction: Queryable, centerId: string, seq: number): Promise<'free' | 'leased' | 'unknown'> {
  // By itself: what another transaction leased before it gave the lock away must be seen by the next statement.
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
