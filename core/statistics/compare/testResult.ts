import type { Alternative } from '../problem.ts'
import { twice } from '../special/distributions.ts'
import type { Assumption } from './assumptions.ts'

/** What every test says. Its words are the caller's. */
export interface TestResult<Method extends string = string> {
  readonly method: Method
  /** The statistic as textbooks and R name it: t, F, W, V, H, χ², r, z. */
  readonly statistic: number
  /** Degrees of freedom: none, one, or two for F. */
  readonly df: readonly number[]
  /** 0 stands for less than the smallest number that a double holds. */
  readonly p: number
  readonly alternative: Alternative
  /** What the test takes for granted, and how the data look in this respect. */
  readonly assumptions: readonly Assumption[]
}

export interface TestOptions {
  readonly alternative?: Alternative
  /** Of the interval. */
  readonly level?: number
}

/** The p value of a statistic with a symmetric distribution about 0. */
export function symmetricP(statistic: number, alternative: Alternative, tail: (value: number) => number): number {
  switch (alternative) {
    case 'two-sided':
      return twice(tail(Math.abs(statistic)))
    case 'greater':
      return tail(statistic)
    case 'less':
      return tail(-statistic)
  }
}
