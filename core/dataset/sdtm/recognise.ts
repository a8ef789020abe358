import { allPaths, answerOf } from '#core/form/definition/choices.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isList, valueText } from '#core/form/definition/value.ts'

import { fieldsOfPage } from '../pageColumns.ts'
import type { StudyPage } from '../source.ts'
import { SERIOUS, recogniseVariable, submissionTerm } from './knownVariables.ts'
import type { SdtmSource, SdtmValue } from './mapping.ts'

/** Which pages and fields of a study are what SDTM has variables for: of proposed mappings, and of reports. */

export type Values = Record<string, SdtmValue>

export interface ReadPage {
  readonly page: StudyPage
  readonly fields: readonly Field[]
}

/** A page with its fields over all its versions. */
export function readPage(page: StudyPage): ReadPage {
  return { page, fields: fieldsOfPage(page).filter((field) => isTable(field) || holdsData(field)) }
}

/** What a row of a table of events or interventions is about. */
const TOPIC = { AE: 'AETERM', CM: 'CMTRT', DV: 'DVTERM' } as const
const TOPICS: ReadonlySet<string> = new Set(Object.values(TOPIC))

/** A page, or a table of one, in which the topic of a table of events or interventions is recognised. */
export function recogniseRows(domain: keyof typeof TOPIC, { page, fields }: ReadPage): readonly SdtmSource[] {
  const topic = TOPIC[domain]
  const within = [
    { table: null, own: fields.filter((field) => !isTable(field)) },
    ...fields.filter(isTable).map((field) => ({ table: field.code, own: field.children.filter(holdsData) })),
  ]
  return within.flatMap(({ table, own }) => {
    const values = recogniseValues(domain, own)
    if (values[topic] === undefined) return []
    return [{ page: page.code, ...(table === null ? {} : { table }), values }]
  })
}

export function recogniseValues(domain: string, fields: readonly Field[]): Values {
  const values: Values = {}
  for (const field of fields.filter((one) => !isTable(one))) {
    const variable = recogniseVariable(domain, field)
    // What happened, or what was taken, is written down: a question whether anything did is another field.
    if (TOPICS.has(variable ?? '') && field.choices.length > 0) continue
    if (variable !== null) values[variable] ??= { field: field.code, ...termsFor(variable, field) }
    if (domain !== 'AE' || !isSeveral(field)) continue
    for (const [criterion, pattern] of Object.entries(SERIOUS)) {
      const choice = choicesOf(field).find(({ code, label }) => pattern.test(code) || pattern.test(label))
      if (choice !== undefined) values[criterion] ??= { field: field.code, choice: choice.code }
    }
  }
  return values
}

function isSeveral({ type, multiple }: Field): boolean {
  return type === 'checkbox' || multiple
}

/** Submission values of a field with a closed list. */
export function termsFor(variable: string, field: Field): Pick<SdtmValue, 'terms'> {
  const choices = choicesOf(field)
  if (choices.length === 0 || choices.length > 500) return {}
  return { terms: Object.fromEntries(choices.map((choice) => [choice.code, submissionTerm(variable, choice)])) }
}

interface OfferedChoice {
  readonly code: string
  readonly label: string
  readonly labelEn: string | null
}

export function choicesOf(field: Field): readonly OfferedChoice[] {
  return [...allPaths(field.choices)].flatMap((path) => {
    const answer = answerOf(field, path)
    const last = path.at(-1)
    if (last === undefined) return []
    const code = isList(answer) ? answer.map(valueText).join('/') : valueText(answer)
    return code.length > 200 || code === '' ? [] : [{ code, label: last.label, labelEn: last.labelEn ?? null }]
  })
}
