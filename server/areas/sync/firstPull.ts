import { fail } from '#core/api/errors.ts'
import type { RowKind } from '#core/api/sync/rows.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The order of a first download. First come the patients of a center, so that people can soon work with them. Then
 * comes the rest, patient by patient, so that a device can store it together. The download ends at the change number
 * at which it began, however often it is resumed. A row that changes meanwhile moves behind that number, and comes
 * with the next pull.
 */

export interface DownloadPlace {
  /** Change number at which the download began. */
  readonly end: number
  /**
   * `p`: patients up to `after` have been sent. `e`: entries, visits and queries of patients up to `after` have been
   * sent. `c`: conflicts up to `after` have been sent.
   */
  readonly stage: 'p' | 'e' | 'c'
  readonly after: string
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const PLACE = /^(\d{1,15})\.([pec])\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * The place from which a device wants to go on; the beginning for an empty text.
 *
 * @throws ApiFailure invalid for a text that no device was ever given
 */
export function readPlace(text: string, now: number): DownloadPlace {
  if (text === '') return { end: now, stage: 'p', after: FIRST_ID }
  const [, end, stage, after] = PLACE.exec(text) ?? []
  if (end === undefined || after === undefined || (stage !== 'p' && stage !== 'e' && stage !== 'c'))
    throw fail('invalid', { fields: [{ path: 'from', code: 'place' }] })
  return { end: Math.min(Number(end), now), stage, after }
}

export function placeText({ end, stage, after }: DownloadPlace): string {
  return `${end}.${stage}.${after}`
}

/** A patient with rows that are to be sent, and how many. */
interface Share {
  readonly patientId: string
  readonly count: number
}

interface Change {
  readonly kind: RowKind
  readonly id: string
  readonly seq: number
}

/** Kinds of rows that belong to a patient, and come with them. */
type Belonging = 'entry' | 'visit' | 'query'

/**
 * Changes of what belongs to patients, with the patients. Each change is looked up by its key alone and filtered
 * afterwards. A table that was just filled or restored has no statistics, and a plan by estimates went through all
 * changes for each row.
 *
 * @param rows the rows of a kind, as `r`
 */
function belonging(inScope: string, rows: (kind: Belonging) => string): string {
  const of = (kind: Belonging): string => `
    SELECT c.kind, c.row_id AS id, c.seq, r.patient_id FROM ${rows(kind)}
    CROSS JOIN LATERAL (SELECT * FROM change WHERE project_id = $1 AND kind = '${kind}' AND row_id = r.id OFFSET 0) c
    WHERE r.project_id = $1 AND ${inScope}`
  return `${of('entry')} UNION ALL ${of('visit')} UNION ALL ${of('query')}`
}

/** What is still to be sent after a place. */
export class Remaining {
  readonly total: number
  private readonly shares: readonly Share[]
  private readonly inScope: string
  private readonly values: readonly unknown[]
  place: DownloadPlace

  private constructor(
    { total, shares }: Pick<Remaining, 'total'> & { readonly shares: readonly Share[] },
    place: DownloadPlace,
    inScope: string,
    values: readonly unknown[],
  ) {
    this.total = total
    this.shares = shares
    this.place = place
    this.inScope = inScope
    this.values = values
  }

  /**
   * @param inScope the condition, over `values`, under which a change `c` belongs to the scope and to the download
   */
  static async after(
    connection: Queryable,
    place: DownloadPlace,
    inScope: string,
    values: readonly unknown[],
  ): Promise<Remaining> {
    const { stage, after } = place
    const next = values.length + 1
    const { rows: shares } =
      stage === 'c'
        ? { rows: [] }
        : await connection.query<Share>({
            name: 'pull_shares',
            text: `SELECT b.patient_id AS "patientId", count(*)::integer AS count FROM (${belonging(inScope, (kind) => `(SELECT * FROM ${kind} WHERE patient_id > $${next}) r`)}) b
              GROUP BY b.patient_id ORDER BY b.patient_id`,
            values: [...values, stage === 'e' ? after : FIRST_ID],
          })
    const { rows: alone } = await connection.query<{ count: number }>({
      name: 'pull_alone',
      text: `SELECT count(*)::integer AS count FROM change c WHERE ${inScope} AND (c.kind = 'patient' AND c.row_id > $${next} OR c.kind = 'conflict' AND c.row_id > $${next + 1})`,
      values: [...values, stage === 'p' ? after : LAST_ID, stage === 'c' ? after : FIRST_ID],
    })
    const total = (alone[0]?.count ?? 0) + shares.reduce((sum, { count }) => sum + count, 0)
    return new Remaining({ total, shares }, place, inScope, values)
  }

  /** The next changes, at most about `most`; afterwards `place` is behind them. Null at the end. */
  async next(connection: Queryable, most: number): Promise<readonly Change[] | null> {
    const { end, stage, after } = this.place
    if (stage !== 'e') {
      const rows = await this.ofKind(connection, stage === 'p' ? 'patient' : 'conflict', most)
      const last = rows.at(-1)
      if (rows.length === most && last !== undefined) this.place = { end, stage, after: last.id }
      else if (stage === 'p') this.place = { end, stage: 'e', after: FIRST_ID }
      else if (last === undefined) return null
      else this.place = { end, stage, after: last.id }
      return rows
    }
    const of: string[] = []
    let count = 0
    for (const share of this.shares) {
      if (share.patientId <= after) continue
      if (count > 0 && count + share.count > most) break
      of.push(share.patientId)
      count += share.count
    }
    const last = of.at(-1)
    this.place = last === undefined ? { end, stage: 'c', after: FIRST_ID } : { end, stage, after: last }
    return last === undefined ? [] : this.belongingTo(connection, of)
  }

  private async ofKind(connection: Queryable, kind: RowKind, most: number): Promise<readonly Change[]> {
    const next = this.values.length + 1
    const { rows } = await connection.query<Change>({
      name: 'pull_of_kind',
      text: `SELECT c.kind, c.row_id AS id, c.seq FROM change c WHERE ${this.inScope} AND c.kind = $${next} AND c.row_id > $${next + 1} ORDER BY c.row_id LIMIT ${most}`,
      values: [...this.values, kind, this.place.after],
    })
    return rows
  }

  private async belongingTo(connection: Queryable, patientIds: readonly string[]): Promise<readonly Change[]> {
    const patient = `unnest($${this.values.length + 1}::uuid[]) AS p (id)`
    const { rows } = await connection.query<Change>({
      name: 'pull_belonging',
      text: `SELECT b.kind, b.id, b.seq FROM (${belonging(this.inScope, (kind) => `${patient} CROSS JOIN LATERAL (SELECT * FROM ${kind} WHERE patient_id = p.id OFFSET 0) r`)}) b ORDER BY b.patient_id, b.kind, b.id`,
      values: [...this.values, patientIds],
    })
    return rows
  }
}
