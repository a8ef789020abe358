import type { JsonValue } from '../json.ts'
import type { ConflictResolution } from '../sync/conflict.ts'
import type { EntryChange } from '../sync/entryChange.ts'
import { referencesWithin } from './reference.ts'

/**
 * Ids of the files that an operation wants in a field: by its values, or by the one that a decision gives. What its
 * journal says was typed may have been taken out again before anything was sent.
 *
 * @param body of any call; those that write no field name none
 */
export function filesNamedBy(body: JsonValue): readonly string[] {
  const { items = [], to } = (body ?? {}) as unknown as Partial<
    Pick<EntryChange, 'items'> & Pick<ConflictResolution, 'to'>
  >
  const values = [...items.map((item) => item.to.value), to?.value ?? null]
  return [...new Set(values.flatMap(referencesWithin).map(({ id }) => id))]
}
