import type { StudyPages } from '#core/dataset/source.ts'

import { recogniseRecords, toldTraits } from './recordedForms.ts'
import type { RecognisedRows, RecordedAnswers, RecordedForm } from './recordedForms.ts'

/** Where a study writes protocol deviations down (domain DV of SDTM). */

/** What is told of a deviation by answers. */
export const deviationTraits = ['major', 'minor'] as const
export type DeviationTrait = (typeof deviationTraits)[number]

export type DeviationForm = RecordedForm<DeviationTrait>

/** The forms of deviations of a study, in the order of the casebook; none where it has no such form. */
export function recogniseDeviationForms(study: Pick<StudyPages, 'pages'>): readonly DeviationForm[] {
  return recogniseRecords('DV', study).map((rows) => ({ ...rows.form, traits: traitsOf(rows) }))
}

function traitsOf({ told }: RecognisedRows): DeviationForm['traits'] {
  // Where nobody asks how severe it is, its category may say so.
  const findGrade = (grade: string): readonly RecordedAnswers[] => {
    const asked = told('DVSCAT', (term) => term === grade)
    return asked.length > 0 ? asked : told('DVCAT', (term) => term === grade)
  }
  return toldTraits<DeviationTrait>({ major: findGrade('MAJOR'), minor: findGrade('MINOR') })
}
