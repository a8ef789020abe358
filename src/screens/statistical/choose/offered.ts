import { newDefinition } from '#core/dataset/definition.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { scaleOf } from '#core/analysis/column.ts'
import type { Scale } from '#core/analysis/column.ts'
import type { DataSet } from '#core/api/calls/data/dataset.ts'
import type { StatisticsTable, StatisticsTables, StatisticsVariable } from '#core/api/calls/data/statistics.ts'
import { analysisKinds, MOST_VARIABLES } from '#core/analysis/request.ts'
import type { AnalysisKind, AnalysisRequest } from '#core/analysis/request.ts'

import { ALL_VISITS } from '../address.ts'
import type { Chosen } from '../address.ts'

/** What can be chosen of tables and variables, and what stands for a choice that was not made. */

const SUBJECTS = 'subjects'

/** The data sets that may be analyzed: what is on this screen is never data as they are. */
export function analyzableSets(sets: readonly DataSet[]): readonly DataSet[] {
  return sets.filter(({ definition }) => definition.deidentify.on)
}

/** A data set as statistics read it: a row for each page, with codes, and nothing about the entries. */
export function definitionFor(set: DataSet | null, language: 'zh' | 'en'): DataSetDefinition {
  const definition = set?.definition ?? newDefinition(language)
  return { ...definition, shape: 'long', values: 'codes', reasons: false, about: [], passes: 'first', language }
}

export interface OfferedVariable extends StatisticsVariable {
  readonly scale: Scale
}

/** The variables of a table that can be analyzed, and those of the subjects that it can be grouped by. */
export function offeredVariables({ tables }: StatisticsTables, table: StatisticsTable): readonly OfferedVariable[] {
  const own = table.variables.flatMap((variable) => {
    const isOffered = variable.role === 'item' || table.name === SUBJECTS || ['center', 'visit'].includes(variable.name)
    const scale = scaleOf(variable)
    return isOffered && scale !== null ? [{ ...variable, scale }] : []
  })
  if (table.name === SUBJECTS) return own
  const subjects = tables.find(({ name }) => name === SUBJECTS)?.variables ?? []
  const ofSubject = subjects.flatMap((variable) => {
    const scale = scaleOf(variable)
    return scale === null || variable.role === 'key'
      ? []
      : [{ ...variable, name: `${SUBJECTS}.${variable.name}`, scale }]
  })
  return [...ofSubject, ...own]
}

/** The table of the address, or the first of a page with something to analyze. */
export function tableOf(told: StatisticsTables, chosen: Chosen): StatisticsTable | null {
  const hasItem = ({ variables }: StatisticsTable) =>
    variables.some((variable) => variable.role === 'item' && scaleOf(variable) !== null)
  return told.tables.find(({ name }) => name === chosen.table) ?? told.tables.find(hasItem) ?? told.tables[0] ?? null
}

/** The visits that rows of a table are of; none where it does not say. */
export function visitsOf({ variables }: StatisticsTable): StatisticsVariable['codes'] {
  return variables.find(({ name }) => name === 'visit')?.codes ?? []
}

/** The visit whose rows are analyzed; null for all of them. */
export function visitOf(table: StatisticsTable, chosen: Chosen): string | null {
  const visits = visitsOf(table)
  if (chosen.visit === ALL_VISITS) return null
  return visits.find(({ code }) => code === chosen.visit)?.code ?? visits[0]?.code ?? null
}

/** Which scales the variables of an analysis may have. */
export function scalesOf(kind: AnalysisKind): readonly Scale[] {
  switch (kind) {
    case 'change':
      return ['number']
    case 'survival':
      return ['number', 'date']
    case 'describe':
    case 'compare':
    case 'relate':
    case 'tableOne':
      return ['number', 'category']
  }
}

/** The analyses that a table allows: only one with visits shows a course. */
export function kindsFor(table: StatisticsTable): readonly AnalysisKind[] {
  const hasVisits = visitsOf(table).length > 1
  return analysisKinds.filter((kind) => hasVisits || kind !== 'change')
}

/** What is asked of a table by a choice: only what the table has, and what fits the analysis. */
export function requestFor(
  table: StatisticsTable,
  variables: readonly OfferedVariable[],
  chosen: Chosen,
): AnalysisRequest {
  const kind = kindsFor(table).find((one) => one === chosen.kind) ?? 'describe'
  const findKnown = (name: string | null, scales: readonly Scale[]) =>
    variables.find((variable) => variable.name === name && scales.includes(variable.scale)) ?? null
  const names = chosen.variables
    .filter((name) => findKnown(name, scalesOf(kind)) !== null)
    .slice(0, MOST_VARIABLES[kind])
  const isGrouped = kind !== 'relate' && !(kind === 'change' && chosen.group === 'visit')
  const event = kind === 'survival' ? findKnown(chosen.event, ['category']) : null
  const isDate = kind === 'survival' && findKnown(names[0] ?? null, ['date']) !== null
  return {
    kind,
    variables: names,
    group: isGrouped ? (findKnown(chosen.group, ['category'])?.name ?? null) : null,
    visit: visitOf(table, chosen),
    event: event?.name ?? null,
    eventCode: event === null ? null : eventCodeOf(event, chosen.eventCode),
    start: isDate ? startOf(variables, names[0] ?? '', chosen.start) : null,
  }
}

/** The choice that means the event: of a no and a yes the yes. */
function eventCodeOf({ codes }: OfferedVariable, chosen: string | null): string | null {
  const known = codes.find(({ code }) => code === chosen) ?? codes.find(({ code }) => code === '1')
  return known?.code ?? codes[0]?.code ?? null
}

/** The date that time is counted from: otherwise the enrolment. */
function startOf(variables: readonly OfferedVariable[], end: string, chosen: string | null): string | null {
  const dates = variables.filter(({ scale, name }) => scale === 'date' && name !== end)
  const known =
    dates.find(({ name }) => name === chosen) ?? dates.find(({ name }) => name.endsWith('enrolled_on')) ?? dates[0]
  return known?.name ?? null
}

/** Whether a time that is a date has one to be counted from. */
export function lacksStart(request: AnalysisRequest, variables: readonly OfferedVariable[]): boolean {
  const [time] = request.variables
  return (
    request.kind === 'survival' &&
    request.start === null &&
    variables.some(({ name, scale }) => name === time && scale === 'date')
  )
}
