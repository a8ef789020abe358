import { shapeOf } from '#core/dataset/conditions.ts'
import type { AnswerField, AnswerShape } from '#core/dataset/conditions.ts'
import { isRelated } from '#core/dataset/sdtm/knownVariables.ts'
import type { SdtmValue } from '#core/dataset/sdtm/mapping.ts'
import { readPage, recogniseRows } from '#core/dataset/sdtm/recognise.ts'
import type { ReadPage } from '#core/dataset/sdtm/recognise.ts'
import type { StudyPages } from '#core/dataset/source.ts'
import { isRange, isTable } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'

/**
 * Where a study writes adverse events down, recognised as proposals of SDTM recognise it (domain AE). Each row, or each
 * page, in which the term is filled in is an event.
 */

/** A field, as its answers are compared. */
export interface EventField extends AnswerField {
  readonly shape: AnswerShape
}

/** One of several answers to a field, as they are stored. */
export interface EventAnswers {
  readonly field: EventField
  readonly answers: readonly string[]
}

/** What is told of an event by answers; what no field of the form can tell is not in it. */
export const eventTraits = ['serious', 'mild', 'moderate', 'severe', 'related'] as const
export type EventTrait = (typeof eventTraits)[number]

export interface EventForm {
  readonly pageId: string
  readonly name: string
  readonly nameEn: string | null
  readonly term: EventField
  /** The day on which it ended. */
  readonly end: EventField | null
  /** An event has a trait with any of these answers. */
  readonly traits: Readonly<Partial<Record<EventTrait, readonly EventAnswers[]>>>
}

/** The forms of adverse events of a study, in the order of the casebook; none where it has no such form. */
export function recogniseEventForms({ pages }: Pick<StudyPages, 'pages'>): readonly EventForm[] {
  return pages.map(readPage).flatMap(formsOf)
}

type Values = Readonly<Record<string, SdtmValue>>

function formsOf(read: ReadPage): readonly EventForm[] {
  const { pageId, name, nameEn } = read.page
  return recogniseRows('AE', read).flatMap(({ table = null, values = {} }): EventForm[] => {
    const fieldOf = (variable: string): EventField | null => findField(read, table, values[variable]?.field)
    const term = fieldOf('AETERM')
    return term === null
      ? []
      : [{ pageId, name, nameEn, term, end: fieldOf('AEENDTC'), traits: traitsOf(values, fieldOf) }]
  })
}

function findField({ page, fields }: ReadPage, table: string | null, code: string | undefined): EventField | null {
  const within = table === null ? fields : (fields.find((one) => isTable(one) && one.code === table)?.children ?? [])
  const field = within.find((one: Field) => !isTable(one) && one.code === code)
  const shape = field === undefined ? null : shapeOf(field)
  if (field === undefined || shape === null) return null
  return { pageId: page.pageId, table, code: field.code, part: isRange(field) ? 'end' : null, shape }
}

/** Of grades by CTCAE the third and above are severe. */
const GRADES = { mild: ['1'], moderate: ['2'], severe: ['3', '4', '5'] } as const
const SEVERITIES = { mild: ['MILD'], moderate: ['MODERATE'], severe: ['SEVERE'] } as const
const CRITERIA = ['AESDTH', 'AESLIFE', 'AESHOSP', 'AESDISAB', 'AESCONG', 'AESMIE'] as const

function traitsOf(values: Values, fieldOf: (variable: string) => EventField | null): EventForm['traits'] {
  const told = (variable: string, is: (term: string) => boolean): readonly EventAnswers[] => {
    const field = fieldOf(variable)
    const answers = Object.entries(values[variable]?.terms ?? {}).flatMap(([code, term]) => (is(term) ? [code] : []))
    return field === null || answers.length === 0 ? [] : [{ field, answers }]
  }
  const criteria = CRITERIA.flatMap((variable) => {
    const field = fieldOf(variable)
    const choice = values[variable]?.choice
    return field === null || choice === undefined ? [] : [{ field, answers: [choice] }]
  })
  const saidSerious = told('AESER', (term) => term === 'Y')
  const findGrade = (trait: keyof typeof GRADES): readonly EventAnswers[] => {
    const bySeverity = told('AESEV', (term) => SEVERITIES[trait].some((one) => one === term))
    return bySeverity.length > 0 ? bySeverity : told('AETOXGR', (term) => GRADES[trait].some((one) => one === term))
  }
  const all: Readonly<Record<EventTrait, readonly EventAnswers[]>> = {
    // The question itself decides; its criteria only where it is not asked.
    serious: saidSerious.length > 0 ? saidSerious : criteria,
    mild: findGrade('mild'),
    moderate: findGrade('moderate'),
    severe: findGrade('severe'),
    related: told('AEREL', isRelated),
  }
  return Object.fromEntries(Object.entries(all).filter(([, answers]) => answers.length > 0))
}
