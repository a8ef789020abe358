import { holdsMask } from '#core/form/definition/mask.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import type { FormState } from './engine.ts'

/**
 * What a person who submits a page has seen of its data, for the hash that the server compares. Null where a comparison
 * would be unfair: something is masked, or a shown or calculated value depends on the clock, which has moved on when
 * the server computes the value again.
 */
export function seenData(form: FormState): EntryData | null {
  const followsClock = form.compiled.ordered.some(
    ({ show, calculate }) => show?.readsClock === true || calculate?.readsClock === true,
  )
  if (followsClock) return null
  const data = form.data()
  return form.masked && holdsMask(data) ? null : data
}
