import type { MeasureCode, ReportKind, ShareCode } from './kinds.ts'

/**
 * What reports and their figures are called, for whoever words them: the screen, which loads one language
 * (`words.zh.ts` or `words.en.ts`), and the reports by e-mail.
 */
export interface ReportWords {
  readonly kinds: Readonly<Record<ReportKind, string>>
  readonly measures: Readonly<Record<MeasureCode, string>>
  readonly shares: Readonly<Record<ShareCode, string>>
}
