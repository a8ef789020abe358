import type { Report } from '#core/api/calls/data/report.ts'
import { deviationTraits, recogniseDeviationForms } from '#core/report/deviationForms.ts'
import type { DeviationForm, DeviationTrait } from '#core/report/deviationForms.ts'
import { Binder } from '#server/areas/search/answerSql.ts'

import { ALL_PARAMETERS, OF_CENTER, parametersOf } from './counting.ts'
import type { Counting } from './counting.ts'
import { WHO } from './facts.ts'
import { formsReader, hasTraitSql, recordsSql, traitsSeen } from './recorded.ts'
import { visitFigures } from './visits.ts'
import type { SubjectFigures } from './visits.ts'

/** Protocol deviations by subject: those that sites write down, and those of visits, which nobody has to. */

const formsSeen = formsReader<DeviationForm>(recogniseDeviationForms, (form, isSeen) => ({
  ...form,
  traits: traitsSeen(form.traits, isSeen),
}))

interface Deviations extends Pick<Report, 'untold' | 'sources'> {
  readonly subjects: readonly SubjectFigures[]
}

/** Every subject who is counted. What no form tells is no figure of theirs; their visits are told in any case. */
export async function subjectDeviations(counting: Counting): Promise<Deviations> {
  const { pool, connection, member, query, today } = counting
  const { forms, untold, sources } = await formsSeen(counting)
  const recorded = await readRecorded(counting, forms)
  const seen = await visitFigures(pool, connection, member, { centerId: query.centerId ?? null, today })
  const visits = new Map(seen.map(({ patientId, figures }) => [patientId, figures]))
  const told = deviationTraits.filter((trait) => forms.some(({ traits }) => traits[trait] !== undefined))
  const subjects = recorded.map((subject): SubjectFigures => {
    const { id, centerId, numbered } = subject
    const { outside = 0, missed = 0 } = visits.get(id) ?? {}
    const isWith = subject.recorded + outside + missed > 0
    const ofForms = forms.length === 0 ? [] : (['recorded', ...told] as const)
    return {
      patientId: id,
      centerId,
      figures: {
        numbered: numbered ? 1 : 0,
        withDeviation: isWith ? 1 : 0,
        numberedWith: numbered && isWith ? 1 : 0,
        outside,
        missed,
        ...Object.fromEntries(ofForms.map((what) => [what, subject[what]])),
      },
    }
  })
  return { untold, sources, subjects }
}

type Recorded = Readonly<Record<DeviationTrait | 'recorded', number>> & {
  readonly id: string
  readonly centerId: string
  readonly numbered: boolean
}

async function readRecorded(counting: Counting, forms: readonly DeviationForm[]): Promise<readonly Recorded[]> {
  const binder = new Binder(parametersOf(counting))
  const columnsOf = ({ traits }: DeviationForm) => deviationTraits.map((trait) => hasTraitSql(traits[trait], binder))
  const names = ['recorded', ...deviationTraits]
  const records =
    forms.length === 0
      ? `SELECT NULL::uuid AS patient_id, ${names.map((name) => `0 AS ${name}`).join(', ')}`
      : recordsSql(forms, deviationTraits, columnsOf, binder)
  const { rows } = await counting.connection.query<Recorded>(
    `
    SELECT
      p.id, p.center_id AS "centerId", p.no IS NOT NULL AS numbered,
      ${names.map((name) => `coalesce(s.${name}, 0) AS ${name}`).join(', ')}
    FROM patient p LEFT JOIN (${records}) s ON s.patient_id = p.id
    WHERE ${WHO} AND ${OF_CENTER} AND ${ALL_PARAMETERS}`,
    binder.values,
  )
  return rows
}
