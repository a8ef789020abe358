import type { CompiledCell, CompiledPage } from '#core/form/compiled/compile.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import { readValue } from '#core/form/definition/value.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import type { Slot } from './slot.ts'
import { sameValue } from './slot.ts'

/**
 * What is saved on the other pages that the page's rules read (`CompiledPage.elsewhere`), by `placeKey`. A page without
 * data is left out.
 */
export type OtherPages = ReadonlyMap<string, EntryData>

/** For a page whose rules read no other page. */
export const NO_OTHER_PAGES: OtherPages = new Map()

/** Takes over the saved value of another page's field. Gives whether it differs from before. */
export function takeOtherPage(slot: Slot, data: OtherPages): boolean {
  const { place, field } = slot.cell
  const saved = place === null ? undefined : data.get(placeKey(place))
  const value = saved === undefined ? null : readValue(field, saved)
  const changed = !sameValue(value, slot.value)
  slot.value = value
  return changed
}

/**
 * The page's own fields whose calculated values may change with what is saved on other pages; also tables with such
 * fields in their rows.
 */
export function calculatedFromOtherPages({ ordered }: CompiledPage): ReadonlySet<string> {
  const reached = new Set(ordered.flatMap(({ key, place }) => (place === null ? [] : [key])))
  // A cell comes after the cells that it reads, so one pass reaches all.
  for (const { key, feeds } of ordered) if (reached.has(key)) for (const fed of feeds) reached.add(fed)
  return new Set(
    ordered.flatMap((cell) => (cell.place === null && calculates(cell) && reached.has(cell.key) ? [cell.key] : [])),
  )
}

function calculates({ calculate, table }: CompiledCell): boolean {
  return calculate !== null || table?.ordered.some(calculates) === true
}
