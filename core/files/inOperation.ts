import type { ItemChange, ItemContent } from '../sync/entryChange.ts'
import { referencesWithin } from './reference.ts'
import type { FileReference } from './reference.ts'

/**
 * What an operation says, whichever call it is: under the first two names, if at all, it gives fields their values;
 * under the third it brings files to what is said in a query.
 */
interface Body {
  readonly items?: readonly Pick<ItemChange, 'to'>[]
  readonly to?: ItemContent
  readonly files?: readonly FileReference[]
  readonly [other: string]: unknown
}

/**
 * Ids of the files that an operation wants in a field, by its values or by the one that a decision gives, or that
 * somebody says something with in a query. What its journal says was typed may have been taken out again before
 * anything was sent; what somebody saw in a field is not said by them.
 *
 * @param body of any call; those that write no field and say nothing in a query name none
 */
export function filesNamedBy({ items = [], to, files = [] }: Body): readonly string[] {
  const values = [...items.map((item) => item.to.value), to?.value ?? null]
  return [...new Set([...values.flatMap(referencesWithin), ...files].map(({ id }) => id))]
}
