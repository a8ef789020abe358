import type { TFunction } from 'i18next'

export type Words = TFunction<'selfcheck'>

/**
 * good: as it must be. warn: works, but needs attention. bad: data cannot be kept safely. info: good to know. skipped:
 * could not be tested.
 */
export type Verdict = 'good' | 'warn' | 'bad' | 'info' | 'skipped'

/** What a test found, in words of any language. */
export interface Finding {
  readonly mark: Verdict
  readonly said: (t: Words) => string
  /** What to do about it. */
  readonly help?: (t: Words) => string
}

/** The tests, in the order of the page. */
export const checkIds = [
  'browser',
  'secure',
  'worker',
  'storage',
  'crypto',
  'room',
  'network',
  'clock',
  'region',
  'screen',
] as const
export type CheckId = (typeof checkIds)[number]

export type Findings = Partial<Readonly<Record<CheckId, Finding>>>

/** The summary of all tests together; null while they run. */
export function summaryOf(
  findings: Findings,
): { readonly mark: 'good' | 'warn' | 'bad'; readonly count: number } | null {
  const marks = checkIds.map((id) => findings[id]?.mark)
  if (marks.includes(undefined)) return null
  for (const mark of ['bad', 'warn'] as const) {
    const { length: count } = marks.filter((one) => one === mark)
    if (count > 0) return { mark, count }
  }
  return { mark: 'good', count: 0 }
}
