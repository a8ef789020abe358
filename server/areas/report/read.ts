import type { Report, ReportLine } from '#core/api/calls/data/report.ts'
import type { Figures, ReportKind } from '#core/report/kinds.ts'
import { centerParameter } from '#server/access.ts'
import { PATIENT_VISIBLE } from '#server/areas/patient/store.ts'

import { ALL_PARAMETERS, OF_CENTER, parametersOf, sumOf } from './counting.ts'
import type { Counting, Facts } from './counting.ts'
import { subjectDeviations } from './deviations.ts'
import { deviceFigures } from './devices.ts'
import { eventFacts, eventFormsSeen } from './events.ts'
import { FACTS, FIGURES } from './facts.ts'
import type { CountedKind } from './facts.ts'
import { reasonsOf, subjectFlows } from './flow.ts'
import { mediansOf } from './medians.ts'
import { peopleAtWork } from './people.ts'
import { visitFigures } from './visits.ts'
import type { SubjectFigures } from './visits.ts'

/** A report of what the member may see: figures by center, or by person, and of all together. */

type Counted = Omit<Report, 'kind' | 'at'>

/** A report without figures. */
const NOTHING: Counted = { lines: [], total: {}, months: [], reasons: [], sources: [], untold: null }

/** Reads a report. */
export async function readReport(counting: Counting, kind: ReportKind): Promise<Counted> {
  switch (kind) {
    case 'activity': {
      const lines = await peopleAtWork(counting.connection, parametersOf(counting))
      return { ...NOTHING, lines: [...lines], total: sumOf(lines.map(({ figures }) => figures)) }
    }
    case 'adverseEvents':
      return readEvents(counting)
    case 'deviations':
      return readDeviations(counting)
    case 'devices':
      return withOwn(await byCenter(counting, new Map()), await deviceFigures(counting))
    case 'flow':
      return readFlow(counting)
    case 'risk':
      return readRisk(counting)
    case 'visits':
      return byCenter(counting, await visitsByCenter(counting))
    case 'enrolment':
      return { ...(await readEnrolment(counting)), months: await enrolmentByMonth(counting) }
    case 'queries':
    case 'timeliness':
      return withOwn(
        await byCenter(counting, await countedByCenter(counting, kind)),
        await mediansOf(counting.connection, kind, parametersOf(counting)),
      )
    case 'completeness':
    case 'verification':
    case 'doubleEntry':
      return byCenter(counting, await countedByCenter(counting, kind))
  }
}

type ByCenter = ReadonlyMap<string, Figures>

async function countedByCenter(counting: Counting, kind: CountedKind): Promise<ByCenter> {
  return factsByCenter(counting, {
    text: FACTS[kind],
    names: FIGURES[kind],
    values: parametersOf(counting),
    name: `report_by_center_${kind}`,
  })
}

async function factsByCenter(counting: Counting, { text, names, values, name }: Facts): Promise<ByCenter> {
  const { rows } = await counting.connection.query<Record<string, number> & { readonly centerId: string }>({
    ...(name === undefined ? {} : { name }),
    text: `
      SELECT p.center_id AS "centerId", ${names.map((one) => `sum(f."${one}")::float8 AS "${one}"`).join(', ')}
      FROM (${text}) f JOIN patient p ON p.id = f.id
      WHERE ${OF_CENTER} AND ${ALL_PARAMETERS} GROUP BY p.center_id`,
    values: [...values],
  })
  return new Map(rows.map(({ centerId, ...figures }) => [centerId, figures as Figures]))
}

async function readFlow(counting: Counting): Promise<Counted> {
  const flows = await subjectFlows(counting)
  return { ...(await byCenter(counting, centersIn(flows))), reasons: [...reasonsOf(flows)] }
}

async function readEvents(counting: Counting): Promise<Counted> {
  const { forms, untold, sources } = await eventFormsSeen(counting)
  if (untold !== null) return { ...NOTHING, untold }
  return { ...(await byCenter(counting, await factsByCenter(counting, eventFacts(counting, forms)))), sources }
}

/** Without a form that tells of them the deviations of visits are told all the same. */
async function readDeviations(counting: Counting): Promise<Counted> {
  const { subjects, untold, sources } = await subjectDeviations(counting)
  return { ...(await byCenter(counting, centersIn(subjects))), untold, sources }
}

async function visitsByCenter({ pool, connection, member, query, today }: Counting): Promise<ByCenter> {
  return centersIn(await visitFigures(pool, connection, member, { centerId: query.centerId ?? null, today }))
}

function centersIn(subjects: readonly SubjectFigures[]): ByCenter {
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
  return { ...NOTHING, lines, total: sumOf(lines.map(({ figures }) => figures)) }
}

/** With figures that do not add up: those of all centers come beside those of each, under `all`. */
function withOwn(counted: Counted, own: ByCenter): Counted {
  return {
    ...counted,
    lines: counted.lines.map((line) => ({ ...line, figures: { ...line.figures, ...own.get(line.id) } })),
    total: { ...counted.total, ...own.get('all') },
  }
}

async function readEnrolment(counting: Counting): Promise<Counted> {
  const counted = await countedByCenter(counting, 'enrolment')
  const lines = (await centersOf(counting)).map(({ id, name, plan }): ReportLine => ({
    id,
    name,
    figures: { subjects: 0, numbered: 0, recent: 0, ...counted.get(id), plan },
  }))
  return { ...NOTHING, lines, total: sumOf(lines.map(({ figures }) => figures)) }
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
