import type { ItemChange, ItemContent } from '../sync/entryChange.ts'
import { referencesWithin } from './reference.ts'

/** What an operation says, whichever call it is: under these two names, if at all, it gives fields their values. */
interface Body {
  readonly items?: readonly Pick<ItemChange, 'to'>[]
  readonly to?: ItemContent
  readonly [other: string]: unknown
}

/**
 * Ids of the files that an operation wants in a field: by its values, or by the one that a decision gives. What its
 * journal says was typed may have been taken out again before anything was sent.
 *
 * @param body of any call; those that write no field name none
 */
export function filesNamedBy({ items = [], to }: Body): readonly string[] {
  const values = [...items.map((item) => item.to.value), to?.value ?? null]
  return [...new Set(values.flatMap(referencesWithin).map(({ id }) => id))]
}
