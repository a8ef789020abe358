/** What somebody wants to know of a table, as it stands in the address of the screen: names only. */

export const analysisKinds = ['describe', 'compare', 'relate', 'change', 'survival', 'tableOne'] as const
export type AnalysisKind = (typeof analysisKinds)[number]

export interface AnalysisRequest {
  readonly kind: AnalysisKind
  /** What is described, compared, related (two), followed (one); of a survival the time, or the date of its end. */
  readonly variables: readonly string[]
  /** What is compared or told apart by; null for everybody together. */
  readonly group: string | null
  /** Only rows of this visit; null for all. */
  readonly visit: string | null
  /** Of a survival: which variable says whether the event came. */
  readonly event: string | null
  /** Which of its codes says that it did. */
  readonly eventCode: string | null
  /** From which date on time is counted; null where the time is a number. */
  readonly start: string | null
}

/** How many variables one analysis takes at most. */
export const MOST_VARIABLES: Readonly<Record<AnalysisKind, number>> = {
  describe: 8,
  compare: 1,
  relate: 2,
  change: 1,
  survival: 1,
  tableOne: 18,
}

/** Whether enough is chosen for something to be computed. */
export function isComplete({ kind, variables, group, event, eventCode }: AnalysisRequest): boolean {
  if (variables.length === 0) return false
  switch (kind) {
    case 'describe':
    case 'change':
    case 'tableOne':
      return true
    case 'compare':
      return group !== null
    case 'relate':
      return variables.length === 2
    case 'survival':
      return event !== null && eventCode !== null
  }
}

/** The names of the columns that have to be read, each once, besides those that tell rows apart. */
export function columnsNeeded({ variables, group, event, start }: AnalysisRequest): readonly string[] {
  return [...new Set([...variables, group, event, start].filter((name) => name !== null))]
}
