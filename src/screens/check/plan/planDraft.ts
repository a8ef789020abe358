import { reviewPlan } from '#core/review/reviewPlan.ts'
import type { PlannedField, ReviewPlan } from '#core/review/reviewPlan.ts'
import { newId } from '#core/ids.ts'

/** A plan while it is being made. Numbers are what was typed. */

type Typed = number | string

export interface SampleDraft {
  readonly sharePercent: Typed
  readonly firstOfCenter: Typed
}

export interface PlanDraft extends SampleDraft {
  readonly critical: readonly PlannedField[]
  /** Null for all visits. */
  readonly folders: readonly string[] | null
  readonly centers: readonly (SampleDraft & { readonly centerId: string })[]
  readonly seed: string
  readonly note: string
}

/** What a first plan begins with: a fifth of the subjects, and the first of each center while it learns. */
const FIRST = { sharePercent: 20, firstOfCenter: 1 }

export function newDraft(): PlanDraft {
  return { critical: [], ...FIRST, folders: null, centers: [], seed: newSeed(), note: '' }
}

/** The draft of a next version, which begins with what holds now. */
export function draftOf(plan: ReviewPlan): PlanDraft {
  return { ...plan, note: '' }
}

/** What a draw begins with: short enough to be read out to an auditor. */
export function newSeed(): string {
  return newId().replaceAll('-', '').slice(-10).toUpperCase()
}

/** The plan that a draft says; null while something in it is no plan yet. */
export function planOf({ note: _note, ...draft }: PlanDraft): ReviewPlan | null {
  const read = reviewPlan.safeParse(draft)
  return read.success ? read.data : null
}

/** What is wrong with a sample, by its parts. */
export function faultsOf({ sharePercent, firstOfCenter }: SampleDraft): {
  readonly share: boolean
  readonly first: boolean
} {
  return {
    share: typeof sharePercent !== 'number' || sharePercent < 0 || sharePercent > 100,
    first: typeof firstOfCenter !== 'number' || firstOfCenter < 0 || !Number.isInteger(firstOfCenter),
  }
}

/** Whether a plan asks for nothing of anybody. */
export function isNothing({ critical, sharePercent, firstOfCenter, folders, centers }: ReviewPlan): boolean {
  const draws = [{ sharePercent, firstOfCenter }, ...centers].some(
    (sample) => sample.sharePercent > 0 || sample.firstOfCenter > 0,
  )
  return critical.length === 0 && (!draws || folders?.length === 0)
}
