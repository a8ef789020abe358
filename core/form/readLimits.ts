import type { FieldExtension } from './column.ts'
import type { Raw } from './option.ts'
import { bound, list, record, text } from './option.ts'
import type { Field, Limits, Reference } from './page.ts'

const NO_LIMITS: Limits = { min: null, max: null }

/** What values of a field can be, are expected to be, and are in healthy people. */
export function readLimits(raw: Raw, zl: Partial<Record<keyof FieldExtension, unknown>>, path: string): Pick<Field, 'min' | 'max' | 'plausible' | 'references'> {
  const references = list(zl.reference, `${path}.reference`).map((item, at) => readReference(item, `${path}.reference[${at}]`))
  const plausible = zl.plausible === undefined ? NO_LIMITS : limits(record(zl.plausible, `${path}.plausible`))
  return { min: bound(zl.min ?? raw.min), max: bound(zl.max ?? raw.max), plausible, references }
}

function limits(raw: Raw): Limits {
  return { min: bound(raw.min), max: bound(raw.max) }
}

function readReference(item: unknown, path: string): Reference {
  const raw = record(item, path)
  return { ...limits(raw), when: text(raw.when) }
}
