import { fail } from '#core/api/errors.ts'
import { arrayText } from '#server/database/arrays.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The authors of each pass of a patient (docs/adr/0023-authors-apart.md). A person who has entered anything in one
 * pass of a patient never enters the other. The first write decides this for good, and a unique key in the database
 * enforces it.
 */

/** The pass that each author has entered for a patient, by user id. */
export type PassAuthors = Readonly<Partial<Record<string, 1 | 2>>>

/** A write of an author to a pass of a patient. */
export interface Authorship {
  readonly patientId: string
  readonly userId: string
  readonly pass: 1 | 2
}

/** SQL over `patient` for its `PassAuthors`. */
export const PASS_AUTHORS = `coalesce((SELECT jsonb_object_agg(a.user_id, a.pass) FROM pass_author a WHERE a.patient_id = patient.id), '{}')`

/** Whether the author has entered the other pass of the patient. */
export function enteredOther(authors: PassAuthors, userId: string, pass: 1 | 2): boolean {
  const entered = authors[userId]
  return entered !== undefined && entered !== pass
}

/**
 * Books each author as one of the pass. The first time, two writes of the same author and patient wait for each
 * other.
 *
 * @returns whether none of the authors has entered the other pass, also meanwhile
 */
export async function claimPasses(transaction: Queryable, claims: readonly Authorship[]): Promise<boolean> {
  if (claims.length === 0) return true
  // They are taken in one order, so that two writers that claim several of the same do not wait for each other.
  const sorted = claims.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const values = [
    arrayText(sorted.map(({ patientId }) => patientId)),
    arrayText(sorted.map(({ userId }) => userId)),
    arrayText(sorted.map(({ pass }) => pass)),
  ]
  const { rowCount } = await transaction.query({
    name: 'pass_author_claim',
    text: `
      INSERT INTO pass_author (patient_id, user_id, pass) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::smallint[]) ON CONFLICT DO NOTHING`,
    values,
  })
  if (rowCount === claims.length) return true
  const others = await transaction.query({
    name: 'pass_author_other',
    text: `
      SELECT 1 FROM pass_author a JOIN unnest($1::uuid[], $2::uuid[], $3::smallint[]) AS c (patient_id, user_id, pass)
        ON a.patient_id = c.patient_id AND a.user_id = c.user_id AND a.pass <> c.pass LIMIT 1`,
    values,
  })
  return others.rowCount === 0
}

function keyOf({ patientId, userId }: Authorship): string {
  return `${patientId} ${userId}`
}

/** The passes that authors have entered for a patient. */
export async function passAuthors(transaction: Queryable, patientId: string): Promise<PassAuthors> {
  const { rows } = await transaction.query<{ authors: PassAuthors }>({
    name: 'pass_authors',
    text: `SELECT ${PASS_AUTHORS} AS authors FROM patient WHERE id = $1`,
    values: [patientId],
  })
  return rows[0]?.authors ?? {}
}

/**
 * Requires that the person who compares and decides has entered neither pass.
 *
 * @throws ApiFailure own_entry
 */
export async function refuseAuthors(transaction: Queryable, userId: string, patientId: string): Promise<void> {
  if ((await passAuthors(transaction, patientId))[userId] !== undefined) throw fail('own_entry')
}
