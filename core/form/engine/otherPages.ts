import type { CompiledCell, CompiledPage } from '#core/form/compiled/compile.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import { readValue } from '#core/form/definition/value.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import type { Slot } from './slot.ts'
import { sameValue } from './slot.ts'

/**
 * What was saved on the other pages that rules of a page read (`CompiledPage.elsewhere`), by `placeKey`. A page without
 * data is left out.
 */
export type OtherPages = ReadonlyMap<string, EntryData>

/** For a page whose rules read no other. */
export const NO_OTHER_PAGES: OtherPages = new Map()

/** Takes the value of a field of another page, as it is saved there. Gives whether it is another than before. */
export function takeOtherPage(slot: Slot, data: OtherPages): boolean {
  const { place, field } = slot.cell
  const saved = place === null ? undefined : data.get(placeKey(place))
  const value = saved === undefined ? null : readValue(field, saved)
  const changed = !sameValue(value, slot.value)
  slot.value = value
  return changed
}

/**
 * The fields of the page itself whose calculated values, or those in their rows, may change with what is saved on other
 * pages.
 */
export function calculatedFromOtherPages({ ordered }: CompiledPage): ReadonlySet<string> {
  const reached = new Set(ordered.flatMap(({ key, place }) => (place === null ? [] : [key])))
  // A cell comes after what it reads: one pass reaches all.
  for (const { key, feeds } of ordered) if (reached.has(key)) for (const fed of feeds) reached.add(fed)
  return new Set(
    ordered.flatMap((cell) => (cell.place === null && calculates(cell) && reached.has(cell.key) ? [cell.key] : [])),
  )
}

function calculates({ calculate, table }: CompiledCell): boolean {
  return calculate !== null || table?.ordered.some(calculates) === true
}
