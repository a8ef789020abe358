import { isRelated } from '#core/dataset/sdtm/knownVariables.ts'
import type { StudyPages } from '#core/dataset/source.ts'

import { recogniseRecords, toldTraits } from './recordedForms.ts'
import type { RecognisedRows, RecordedAnswers, RecordedField, RecordedForm } from './recordedForms.ts'

/** Where a study writes adverse events down (domain AE of SDTM). */

/** What is told of an event by answers. */
export const eventTraits = ['serious', 'mild', 'moderate', 'severe', 'related'] as const
export type EventTrait = (typeof eventTraits)[number]

export interface EventForm extends RecordedForm<EventTrait> {
  /** The day on which it ended. */
  readonly end: RecordedField | null
}

/** The forms of adverse events of a study, in the order of the casebook; none where it has no such form. */
export function recogniseEventForms(study: Pick<StudyPages, 'pages'>): readonly EventForm[] {
  return recogniseRecords('AE', study).map((rows) => ({
    ...rows.form,
    end: rows.fieldOf('AEENDTC'),
    traits: traitsOf(rows),
  }))
}

/** Of grades by CTCAE the third and above are severe. */
const GRADES = { mild: ['1'], moderate: ['2'], severe: ['3', '4', '5'] } as const
const SEVERITIES = { mild: ['MILD'], moderate: ['MODERATE'], severe: ['SEVERE'] } as const
const CRITERIA = ['AESDTH', 'AESLIFE', 'AESHOSP', 'AESDISAB', 'AESCONG', 'AESMIE'] as const

function traitsOf({ told, chosen }: RecognisedRows): EventForm['traits'] {
  const saidSerious = told('AESER', (term) => term === 'Y')
  const findGrade = (trait: keyof typeof GRADES): readonly RecordedAnswers[] => {
    const bySeverity = told('AESEV', (term) => SEVERITIES[trait].some((one) => one === term))
    return bySeverity.length > 0 ? bySeverity : told('AETOXGR', (term) => GRADES[trait].some((one) => one === term))
  }
  return toldTraits<EventTrait>({
    // The question itself decides; its criteria only where it is not asked.
    serious: saidSerious.length > 0 ? saidSerious : CRITERIA.flatMap(chosen),
    mild: findGrade('mild'),
    moderate: findGrade('moderate'),
    severe: findGrade('severe'),
    related: told('AEREL', isRelated),
  })
}
