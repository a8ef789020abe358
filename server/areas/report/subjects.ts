import type { ReportSubject } from '#core/api/calls/data/report.ts'
import { fail } from '#core/api/errors.ts'
import { opensSubjects } from '#core/report/kinds.ts'
import type { MeasureCode, ReportKind } from '#core/report/kinds.ts'
import type { Paging } from '#core/wire/shapes.ts'
import { visibleTo } from '#server/areas/patient/store.ts'
import { prepare } from '#server/database/prepare.ts'
import type { Statement } from '#server/database/prepare.ts'

import { ALL_PARAMETERS, OF_CENTER, parametersOf } from './counting.ts'
import type { Counting } from './counting.ts'
import { subjectDeviations } from './deviations.ts'
import { eventFacts, eventFormsSeen } from './events.ts'
import { FACTS, FIGURES } from './facts.ts'
import { subjectFlows } from './flow.ts'
import type { CountedKind } from './facts.ts'
import { visitFigures } from './visits.ts'
import type { SubjectFigures } from './visits.ts'

/** The subjects behind a figure: those of whom anything is counted, most of it first. */

interface Behind {
  readonly kind: ReportKind
  readonly measure: MeasureCode
}

/** Which report has the statement behind a figure: those of the risks are figures of other reports. */
const OF_RISK: Readonly<Partial<Record<MeasureCode, CountedKind | 'visits'>>> = {
  overdue: 'visits',
  missing: 'completeness',
  asked: 'queries',
  month: 'queries',
  late: 'timeliness',
  sdvChanged: 'verification',
}

const LINE = `
  p.id AS "patientId", p.no AS "patientNo", p.mark AS "patientMark", p.initials, p.center_id AS "centerId", c.name AS "centerName"`

interface Subjects {
  readonly lines: readonly ReportSubject[]
  readonly total: number
}

/** @throws ApiFailure `invalid` for a figure behind which no subjects stand */
export async function listSubjects(
  counting: Counting,
  { kind, measure }: Behind,
  { current, size }: Paging,
): Promise<Subjects> {
  if (!opensSubjects(kind, measure)) throw fail('invalid', { fields: [{ path: 'query.measure', code: 'unknown' }] })
  const source = kind === 'risk' ? (OF_RISK[measure] ?? 'visits') : kind
  if (source === 'activity' || source === 'devices') throw fail('invalid')
  const page = [size, (current - 1) * size] as const
  if (source === 'adverseEvents') return subjectsByEvents(counting, measure, page)
  if (source === 'deviations')
    return subjectsByFigures(counting, (await subjectDeviations(counting)).subjects, measure, page)
  if (source === 'flow') return subjectsByFigures(counting, await subjectFlows(counting), measure, page)
  return source === 'visits'
    ? subjectsByVisits(counting, measure, page)
    : countedSubjects(counting, source, measure, page)
}

interface Wanted {
  readonly counting: Counting
  readonly size: number
  readonly skipped: number
}

/** The statement of a figure, made when it is first asked for: a closed list. */
const statements = new Map<string, (wanted: Wanted) => Statement>()

function statementFor(kind: CountedKind, name: string): (wanted: Wanted) => Statement {
  const key = `report_subjects_${kind}_${name}`
  const known = statements.get(key) ?? writeStatement(key, kind, name)
  statements.set(key, known)
  return known
}

function writeStatement(key: string, kind: CountedKind, name: string): (wanted: Wanted) => Statement {
  return prepare<Wanted>(
    key,
    (parameter) =>
      subjectsText(FACTS[kind], name, [parameter(({ size }) => size), parameter(({ skipped }) => skipped)]),
    { count: 8, read: ({ counting }) => parametersOf(counting) },
  )
}

/** SQL: the subjects of whom a figure counts anything. The figure is of a closed list, never a text from outside. */
function subjectsText(facts: string, name: string, [limit, offset]: readonly [limit: string, offset: string]): string {
  return `
    SELECT ${LINE}, f."${name}"::float8 AS value, count(*) OVER ()::integer AS total
    FROM (${facts}) f JOIN patient p ON p.id = f.id JOIN center c ON c.id = p.center_id
    WHERE f."${name}" > 0 AND ${OF_CENTER} AND ${ALL_PARAMETERS}
    ORDER BY f."${name}" DESC, c.name, p.no NULLS FIRST, p.id LIMIT ${limit} OFFSET ${offset}`
}

async function subjectsByEvents(
  counting: Counting,
  measure: string,
  page: readonly [limit: number, offset: number],
): Promise<Subjects> {
  const { forms, untold } = await eventFormsSeen(counting)
  if (untold !== null) return { lines: [], total: 0 }
  const { text, names, values } = eventFacts(counting, forms)
  const places = [`$${values.length + 1}::bigint`, `$${values.length + 2}::bigint`] as const
  const { rows } = await counting.connection.query<CountedSubject>(subjectsText(text, nameOf(names, measure), places), [
    ...values,
    ...page,
  ])
  return subjectsIn(rows)
}

type CountedSubject = ReportSubject & { readonly total: number }

function subjectsIn(rows: readonly CountedSubject[]): Subjects {
  return { lines: rows.map(({ total: _total, ...line }) => line), total: rows[0]?.total ?? 0 }
}

/** @throws ApiFailure `invalid` for a figure that the report does not count */
function nameOf(names: readonly string[], measure: string): string {
  const name = names.find((known) => known === measure)
  if (name === undefined) throw fail('invalid', { fields: [{ path: 'query.measure', code: 'unknown' }] })
  return name
}

async function countedSubjects(
  counting: Counting,
  kind: CountedKind,
  measure: string,
  [size, skipped]: readonly [limit: number, offset: number],
): Promise<Subjects> {
  const name = nameOf(FIGURES[kind], measure)
  const { rows } = await counting.connection.query<CountedSubject>(
    statementFor(kind, name)({ counting, size, skipped }),
  )
  return subjectsIn(rows)
}

async function subjectsByVisits(
  counting: Counting,
  measure: string,
  page: readonly [limit: number, offset: number],
): Promise<Subjects> {
  const { pool, connection, member, query, today } = counting
  const all = await visitFigures(pool, connection, member, { centerId: query.centerId ?? null, today })
  return subjectsByFigures(counting, all, measure, page)
}

/** Those of subjects whose figures are known already. */
async function subjectsByFigures(
  { connection, member }: Counting,
  all: readonly SubjectFigures[],
  measure: string,
  [limit, offset]: readonly [limit: number, offset: number],
): Promise<Subjects> {
  const behind = all
    .map(({ patientId, figures }) => ({ patientId, value: figures[measure] ?? 0 }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value || (a.patientId < b.patientId ? -1 : 1))
  const page = behind.slice(offset, offset + limit)
  const { rows } = await connection.query<Omit<ReportSubject, 'value'>>({
    name: 'report_visit_subjects',
    text: `
      SELECT ${LINE} FROM patient p JOIN center c ON c.id = p.center_id
      WHERE p.project_id = $1 AND ($2::uuid[] IS NULL OR p.center_id = ANY ($2)) AND ($3::text[] IS NULL OR true) AND p.id = ANY ($4)`,
    values: [...visibleTo(member), page.map(({ patientId }) => patientId)],
  })
  const known = new Map(rows.map((row) => [row.patientId, row]))
  return {
    lines: page.flatMap(({ patientId, value }) => {
      const row = known.get(patientId)
      return row === undefined ? [] : [{ ...row, value }]
    }),
    total: behind.length,
  }
}
