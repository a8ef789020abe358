import type { MissingCode } from '#core/form/definition/value.ts'
import type { QueryAct, QueryState } from '#core/review/query.ts'
import type { VisitOutcome } from '#core/study/visits/schedule.ts'
import type { EntryStatus } from '#core/sync/entryMark.ts'

/** Words of what is printed around the texts of a study. */
export interface PaperWords {
  readonly casebook: string
  readonly blankForm: string
  readonly annotatedForm: string
  readonly study: string
  readonly subject: string
  readonly center: string
  readonly version: string
  readonly versionOf: (no: number) => string
  readonly versions: string
  readonly asOf: string
  readonly position: string
  readonly madeBy: string
  readonly madeAt: string
  readonly run: string
  readonly purpose: string
  readonly identified: string
  readonly leftOut: string
  readonly made: (at: string, by: string) => string
  readonly contents: string
  readonly volume: (no: number, of: number) => string
  readonly repeat: (name: string, no: number) => string
  readonly second: (name: string) => string
  readonly attached: string
  readonly deletedPage: string
  readonly status: string
  readonly statuses: Readonly<Record<EntryStatus, string>>
  readonly savedBy: string
  readonly system: string
  readonly visitDate: string
  readonly outcome: string
  readonly outcomes: Readonly<Record<VisitOutcome, string>>
  readonly outcomeReason: string
  readonly removedVisit: string
  readonly field: string
  readonly value: string
  readonly row: (no: number) => string
  readonly deletedRow: string
  readonly noRows: string
  readonly empty: string
  readonly missing: Readonly<Record<MissingCode, string>>
  readonly unlisted: string
  readonly yes: string
  readonly no: string
  readonly between: (from: string, to: string) => string
  readonly week: (year: number, no: number, from: string, to: string) => string
  readonly unknown: Readonly<Record<'day' | 'month', (date: string) => string>>
  readonly comma: string
  readonly colon: string
  readonly unplaced: string
  readonly retired: string
  readonly noDefinition: string
  readonly pictures: string
  readonly pictureNot: Readonly<Record<'type' | 'large' | 'absent', string>>
  readonly queries: string
  readonly otherQueries: string
  readonly noOtherQueries: string
  readonly query: (no: number) => string
  readonly queryHead: readonly [about: string, said: string]
  readonly queryStates: Readonly<Record<QueryState, string>>
  readonly acts: Readonly<Record<QueryAct | 'raise' | 'passes' | 'gone', string>>
  readonly answers: Readonly<Record<string, string>>
  readonly wholePage: string
  readonly trail: string
  readonly trailHead: readonly [when: string, who: string, what: string, change: string, why: string]
  readonly onDevice: (at: string) => string
  readonly redacted: string
  readonly reasons: Readonly<Record<string, string>>
  readonly actions: Readonly<Record<string, string>>
  readonly visits: string
  readonly fillIn: string
  readonly pageCode: string
  readonly notInVersion: string
}
