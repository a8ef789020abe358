import type { FieldExtension } from './column.ts'
import type { Raw } from './option.ts'
import { readBound, list, record, text } from './option.ts'

/** The ends of a range; null where there is none. */
export interface Limits {
  readonly min: number | string | null
  readonly max: number | string | null
}

export interface Reference extends Limits {
  /** The condition (CEL) for whom the range holds; null for everybody. */
  readonly when: string | null
}

/** The three ranges of a field (docs/adr/0037-warnings-and-their-answers.md). */
export interface Levels extends Limits {
  readonly plausible: Limits
  readonly references: readonly Reference[]
}

const NO_LIMITS: Limits = { min: null, max: null }

/** Which values of a field are possible, which are plausible, and which are those of healthy people. */
export function readLimits(raw: Raw, zl: Partial<Record<keyof FieldExtension, unknown>>, path: string): Levels {
  const references = list(zl.reference, `${path}.reference`).map((item, at) =>
    readReference(item, `${path}.reference[${at}]`),
  )
  const plausible = zl.plausible === undefined ? NO_LIMITS : limits(record(zl.plausible, `${path}.plausible`))
  return { min: readBound(zl.min ?? raw.min), max: readBound(zl.max ?? raw.max), plausible, references }
}

function limits(raw: Raw): Limits {
  return { min: readBound(raw.min), max: readBound(raw.max) }
}

function readReference(item: unknown, path: string): Reference {
  const raw = record(item, path)
  return { ...limits(raw), when: text(raw.when) }
}
