import { holdsMask } from '#core/form/definition/mask.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import type { FormState } from './engine.ts'

/**
 * What a person who submits a page has seen of its data, for the hash that the server compares. Null where no
 * comparison would be just: something is masked, or a shown or calculated value follows the clock, which has gone on
 * when the server computes it again.
 */
export function seenData(form: FormState): EntryData | null {
  const followsClock = form.compiled.ordered.some(
    ({ show, calculate }) => show?.readsClock === true || calculate?.readsClock === true,
  )
  if (followsClock) return null
  const data = form.data()
  return form.masked && holdsMask(data) ? null : data
}
