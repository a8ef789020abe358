import type { Field } from '#core/form/definition/page.ts'

/**
 * What was chosen lately in a field, on any patient, for as long as the app is open. Kept with the field of the
 * definition and in memory only: nothing of it is stored.
 */

const MOST = 5
const chosen = new WeakMap<Field, readonly string[]>()

/** Stored values, the latest first. */
export function recentChoices(field: Field): readonly string[] {
  return chosen.get(field) ?? []
}

export function noteChoice(field: Field, value: string): void {
  chosen.set(field, [value, ...recentChoices(field).filter((other) => other !== value)].slice(0, MOST))
}
