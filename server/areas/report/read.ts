import type { Pool } from 'pg'
import type { QueryOf } from '#core/api/call.ts'
import type { Report, ReportLine } from '#core/api/calls/data/report.ts'
import type { CallOf } from '#core/api/table.ts'
import type { Figures, ReportKind } from '#core/report/kinds.ts'
import { centerParameter, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { FACTS, FIGURES } from './facts.ts'
import type { CountedKind } from './facts.ts'
import { mediansOf } from './medians.ts'
import { peopleAtWork } from './people.ts'
import { visitFigures } from './visits.ts'

/** A report of what the member may see: figures by center, or by person, and of all together. */

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

type Counted = Omit<Report, 'kind' | 'at'>

/** Reads a report. */
export async function readReport(counting: Counting, kind: ReportKind): Promise<Counted> {
  switch (kind) {
    case 'activity': {
      const lines = await peopleAtWork(counting.connection, parametersOf(counting))
      return { lines: [...lines], total: sumOf(lines.map(({ figures }) => figures)), months: [] }
    }
    case 'risk':
      return readRisk(counting)
    case 'visits':
      return byCenter(counting, await visitsByCenter(counting))
    case 'enrolment':
      return { ...(await readEnrolment(counting)), months: await enrolmentByMonth(counting) }
    case 'queries':
    case 'timeliness':
      return withMedians(counting, kind, await byCenter(counting, await countedByCenter(counting, kind)))
    case 'completeness':
    case 'verification':
    case 'doubleEntry':
      return byCenter(counting, await countedByCenter(counting, kind))
  }
}

type ByCenter = ReadonlyMap<string, Figures>

async function countedByCenter(counting: Counting, kind: CountedKind): Promise<ByCenter> {
  const names = FIGURES[kind]
  const { rows } = await counting.connection.query<Record<string, number> & { readonly centerId: string }>({
    name: `report_by_center_${kind}`,
    text: `
      SELECT p.center_id AS "centerId", ${names.map((name) => `sum(f."${name}")::float8 AS "${name}"`).join(', ')}
      FROM (${FACTS[kind]}) f JOIN patient p ON p.id = f.id
      WHERE ${OF_CENTER} AND ${ALL_PARAMETERS} GROUP BY p.center_id`,
    values: [...parametersOf(counting)],
  })
  return new Map(rows.map(({ centerId, ...figures }) => [centerId, figures as Figures]))
}

/** SQL: whether a patient `p` is of the center that was asked for. */
export const OF_CENTER = '($8::uuid IS NULL OR p.center_id = $8)'

/** Names every parameter, as the database has to know the type of each. */
export const ALL_PARAMETERS =
  '($4::smallint IS NULL OR $4 > 0) AND ($5::date IS NULL OR $5 IS NOT NULL) AND ($6::date IS NULL OR $6 IS NOT NULL) AND $7::date IS NOT NULL'

async function visitsByCenter({ pool, connection, member, query, today }: Counting): Promise<ByCenter> {
  const subjects = await visitFigures(pool, connection, member, { centerId: query.centerId ?? null, today })
  return new Map(
    [...Map.groupBy(subjects, ({ centerId }) => centerId)].map(([centerId, own]) => [
      centerId,
      sumOf(own.map(({ figures }) => figures)),
    ]),
  )
}

/** A line for each center that the member sees, also where nothing is counted yet. */
async function byCenter(counting: Counting, counted: ByCenter): Promise<Counted> {
  const lines = (await centersOf(counting)).map(({ id, name }): ReportLine => ({
    id,
    name,
    figures: { ...counted.get(id) },
  }))
  return { lines, total: sumOf(lines.map(({ figures }) => figures)), months: [] }
}

async function withMedians(
  counting: Counting,
  kind: 'queries' | 'timeliness',
  { lines, total, months }: Counted,
): Promise<Counted> {
  const medians = await mediansOf(counting.connection, kind, parametersOf(counting))
  return {
    lines: lines.map((line) => ({ ...line, figures: { ...line.figures, ...medians.get(line.id) } })),
    total: { ...total, ...medians.get('all') },
    months,
  }
}

async function readEnrolment(counting: Counting): Promise<Counted> {
  const counted = await countedByCenter(counting, 'enrolment')
  const lines = (await centersOf(counting)).map(({ id, name, plan }): ReportLine => ({
    id,
    name,
    figures: { subjects: 0, numbered: 0, recent: 0, ...counted.get(id), plan },
  }))
  return { lines, total: sumOf(lines.map(({ figures }) => figures)), months: [] }
}

async function enrolmentByMonth(counting: Counting): Promise<Counted['months']> {
  const { rows } = await counting.connection.query<{ month: string; numbered: number }>({
    name: 'report_enrolment_months',
    text: `
      SELECT to_char(p.enrolled_on, 'YYYY-MM') AS month, count(*)::integer AS numbered FROM patient p
      WHERE ${PATIENT_VISIBLE} AND NOT p.deleted AND p.no IS NOT NULL AND p.enrolled_on IS NOT NULL
        AND ${OF_CENTER} AND ${ALL_PARAMETERS}
      GROUP BY 1 ORDER BY 1`,
    values: [...parametersOf(counting)],
  })
  return rows.map(({ month, numbered }) => ({ month, figures: { numbered } }))
}

/** Of each kind of risk how often it came true, and how often it could have. */
async function readRisk(counting: Counting): Promise<Counted> {
  const parts = [
    await visitsByCenter(counting),
    await countedByCenter(counting, 'completeness'),
    await countedByCenter(counting, 'queries'),
    await countedByCenter(counting, 'verification'),
    await countedByCenter(counting, 'timeliness'),
  ]
  const centers = await centersOf(counting)
  return byCenter(
    counting,
    new Map(
      centers.map(({ id }) => {
        const all: Figures = parts.reduce<Figures>((known, part) => ({ ...known, ...part.get(id) }), {})
        return [
          id,
          {
            ...all,
            waitingAnswer: (all['open'] ?? 0) + (all['answeredOpen'] ?? 0),
            verifiedOnce: (all['sdvDone'] ?? 0) + (all['sdvChanged'] ?? 0),
          },
        ]
      }),
    ),
  )
}

interface Center {
  readonly id: string
  readonly name: string
  /** How many subjects it is to enrol; null where nothing is planned. */
  readonly plan: number | null
}

async function centersOf({ connection, member, query }: Counting): Promise<readonly Center[]> {
  const { rows } = await connection.query<Center>({
    name: 'report_centers',
    text: `
      SELECT id, name, plan_enrolls AS plan FROM center
      WHERE project_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2)) AND ($3::uuid IS NULL OR id = $3) ORDER BY name, id`,
    values: [member.projectId, centerParameter(member), query.centerId ?? null],
  })
  return rows
}

/** Figures added up; null only where none of them has anything to add. */
function sumOf(all: readonly Figures[]): Figures {
  const sum: Record<string, number | null> = {}
  for (const figures of all)
    for (const [code, figure] of Object.entries(figures))
      sum[code] = figure === null ? (sum[code] ?? null) : (sum[code] ?? 0) + figure
  return sum
}
