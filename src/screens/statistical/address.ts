import { analysisKinds, MOST_VARIABLES } from '#core/analysis/request.ts'
import type { AnalysisRequest } from '#core/analysis/request.ts'

/** What the address of the screen says: names of what was chosen, never a value of somebody. */

export interface Chosen extends Omit<AnalysisRequest, 'visit'> {
  /** A saved data set; null for all that was submitted. */
  readonly set: string | null
  /** Null for the first table that can be analyzed. */
  readonly table: string | null
  /** Null for the first visit. */
  readonly visit: string | null
}

/** Stands for all visits, which no code of a visit is: it may not begin with an asterisk. */
export const ALL_VISITS = '*'

/** Between names of variables, which have letters, digits, underscores and one point. */
const BETWEEN = '~'

const TEXTS = {
  set: 'set',
  table: 'table',
  group: 'group',
  visit: 'visit',
  event: 'event',
  eventCode: 'code',
  start: 'start',
} as const

export function chosenIn(search: URLSearchParams): Chosen {
  const kind = analysisKinds.find((one) => one === search.get('analysis')) ?? 'describe'
  const names = (search.get('variables') ?? '').split(BETWEEN).filter((name) => name !== '')
  return {
    set: search.get(TEXTS.set),
    table: search.get(TEXTS.table),
    kind,
    variables: [...new Set(names)].slice(0, MOST_VARIABLES[kind]),
    group: search.get(TEXTS.group),
    visit: search.get(TEXTS.visit),
    event: search.get(TEXTS.event),
    eventCode: search.get(TEXTS.eventCode),
    start: search.get(TEXTS.start),
  }
}

/** The same address with another choice. What belongs to another data set or table goes with it. */
export function withChosen(search: URLSearchParams, change: Partial<Chosen>): URLSearchParams {
  const cleared = 'set' in change || 'table' in change ? NOTHING : {}
  const chosen = { ...chosenIn(search), ...cleared, ...change }
  const next = new URLSearchParams(search)
  next.set('analysis', chosen.kind)
  if (chosen.variables.length > 0) next.set('variables', chosen.variables.join(BETWEEN))
  else next.delete('variables')
  for (const key of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    const value = chosen[key]
    if (value === null) next.delete(TEXTS[key])
    else next.set(TEXTS[key], value)
  }
  return next
}

const NOTHING = {
  table: null,
  variables: [],
  group: null,
  visit: null,
  event: null,
  eventCode: null,
  start: null,
} as const satisfies Partial<Chosen>
