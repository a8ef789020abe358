import type { Pool } from 'pg'
import type { QueryOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import type { Figures } from '#core/report/kinds.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Where, when and for whom a report is counted. */

export type ReportQuery = Pick<QueryOf<CallOf<'report.read'>>, 'centerId' | 'from' | 'to'>

/** Where and when a report is counted. */
export interface Counting {
  readonly pool: Pool
  readonly connection: Queryable
  readonly member: Membership
  readonly query: ReportQuery
  /** On the study's clock, yyyy-MM-dd. */
  readonly today: string
}

/** What is counted of each subject: a statement that selects `id` of the subject and its figures. */
export interface Facts {
  readonly text: string
  /** Its figures, in its own order. */
  readonly names: readonly string[]
  /** The first of them are `parametersOf`. */
  readonly values: readonly unknown[]
  /** Of the statement that adds it up; without one it is written for this reader. */
  readonly name?: string
}

/** The parameters of every statement of this area; the last is the center that was asked for. */
export function parametersOf({ member, query, today }: Counting): readonly unknown[] {
  return [
    ...visibleTo(member),
    passParameter(member),
    query.from ?? null,
    query.to ?? null,
    today,
    query.centerId ?? null,
  ]
}

/** SQL: whether a patient `p` is of the center that was asked for. */
export const OF_CENTER = '($8::uuid IS NULL OR p.center_id = $8)'

/** Names every parameter, as the database has to know the type of each. */
export const ALL_PARAMETERS =
  '($4::smallint IS NULL OR $4 > 0) AND ($5::date IS NULL OR $5 IS NOT NULL) AND ($6::date IS NULL OR $6 IS NOT NULL) AND $7::date IS NOT NULL'

/** Figures added up; null only where none of them has anything to add. */
export function sumOf(all: readonly Figures[]): Figures {
  const sum: Record<string, number | null> = {}
  for (const figures of all)
    for (const [code, figure] of Object.entries(figures))
      sum[code] = figure === null ? (sum[code] ?? null) : (sum[code] ?? 0) + figure
  return sum
}
