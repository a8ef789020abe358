import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

/** Why a statistic is not there. Callers have the words. */
export type StatisticsProblem =
  /** Fewer values (of one group, where there are groups) than the method needs. */
  | { readonly kind: 'too-few'; readonly needed: number; readonly given: number }
  | { readonly kind: 'too-few-groups'; readonly needed: number; readonly given: number }
  /** Values, or their differences, do not differ (as far as a double can tell). */
  | { readonly kind: 'constant' }
  /** The values lie on a line, so that nothing is left to judge chance by. */
  | { readonly kind: 'perfect-fit' }
  /** A value is infinite or not a number. */
  | { readonly kind: 'not-finite' }
  /** Two lists that belong together have different lengths. */
  | { readonly kind: 'unequal-lengths' }
  /** A table of counts that is no rectangle, or not of the size that the method needs. */
  | { readonly kind: 'wrong-shape' }
  /** A count that is negative or no whole number. */
  | { readonly kind: 'not-a-count' }
  /** A row or column of counts holds nothing. */
  | { readonly kind: 'empty-margin' }
  /** A ratio has nothing to divide by: a cell of the table is zero. */
  | { readonly kind: 'zero-cell' }
  /** A confidence level that is not between 0 and 1. */
  | { readonly kind: 'wrong-level' }
  | { readonly kind: 'negative-time' }
  /** No event was observed, so that curves cannot be compared. */
  | { readonly kind: 'no-event' }
  /** More than the method can do in its time: `limit` is what it can. */
  | { readonly kind: 'too-large'; readonly limit: number }
  /** A number on the way exceeds what a double holds. */
  | { readonly kind: 'out-of-reach' }

export type Statistic<Value> = Result<Value, StatisticsProblem>

/** The alternative hypothesis: `greater` says that the first group has the greater values. */
export type Alternative = 'two-sided' | 'less' | 'greater'

/** A confidence interval. An end that is null is open: any value beyond is possible. */
export interface Interval {
  readonly low: number | null
  readonly high: number | null
  /** Between 0 and 1, such as 0.95. */
  readonly level: number
}

/** An interval of which both ends are numbers. */
export interface BoundedInterval extends Interval {
  readonly low: number
  readonly high: number
}

export const USUAL_LEVEL = 0.95

/** A failure because there are fewer values than `needed`. */
export function failTooFew(needed: number, given: number): Statistic<never> {
  return err({ kind: 'too-few', needed, given })
}

/** A failure because there are fewer groups than `needed`. */
export function failTooFewGroups(needed: number, given: number): Statistic<never> {
  return err({ kind: 'too-few-groups', needed, given })
}

/** What is wrong with lists of values of which each needs so many; undefined where nothing is. */
export function findValueProblem(
  lists: readonly (readonly number[])[],
  needed: number,
): { readonly ok: false; readonly error: StatisticsProblem } | undefined {
  for (const list of lists) {
    if (list.some((value) => !Number.isFinite(value))) return err({ kind: 'not-finite' })
    if (list.length < needed) return err({ kind: 'too-few', needed, given: list.length })
  }
  return undefined
}

/** Whether a level is one. */
export function isLevel(level: number): boolean {
  return level > 0 && level < 1
}

/**
 * The result, unless a number in it is not finite: sums of extreme values overflow, and what follows from them must
 * reach nobody.
 */
export function settle<Value>(value: Value): Statistic<Value> {
  return isFinite(value) ? ok(value) : err({ kind: 'out-of-reach' })
}

function isFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isFinite)
}
