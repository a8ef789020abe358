import { referencesIn } from '#core/files/reference.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { contentAt } from '#core/sync/merge.ts'
import { findNamed } from '#server/areas/entry/reading/namedFiles.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Files that a change keeps in their field although the entry does not hold them. A colleague has removed them, or
 * the operation that named them never came: it was refused as unusable and set aside while its author went on with
 * the page.
 */

/** The ids of such files in one item. */
function missingOf(entry: EntryData, item: ItemChange): readonly string[] {
  const kept = referencesIn(item.base.value).filter(({ id }) => referencesIn(item.to.value).some((to) => to.id === id))
  if (kept.length === 0) return []
  const there = new Set(referencesIn(contentAt(entry, item)?.value ?? null).map(({ id }) => id))
  return kept.flatMap(({ id }) => (there.has(id) ? [] : [id]))
}

/** Whether the change keeps any file that the entry does not hold. */
export function keepsMissing(entry: EntryData, items: readonly ItemChange[]): boolean {
  return items.some((item) => missingOf(entry, item).length > 0)
}

/**
 * The items, with the files added that no operation on the entry has ever named. These files were on the author's
 * screen at the save, and nobody has removed them.
 */
export async function withNeverNamed(
  transaction: Queryable,
  of: { readonly projectId: string; readonly entityId: string; readonly key: string },
  entry: EntryData,
  items: readonly ItemChange[],
): Promise<readonly ItemChange[]> {
  if (!keepsMissing(entry, items)) return items
  return Promise.all(items.map((item) => addNeverNamed(transaction, of, entry, item)))
}

async function addNeverNamed(
  transaction: Queryable,
  { projectId, entityId, key }: { readonly projectId: string; readonly entityId: string; readonly key: string },
  entry: EntryData,
  item: ItemChange,
): Promise<ItemChange> {
  const added = new Set<string>()
  for (const id of missingOf(entry, item))
    if ((await findNamed(transaction, projectId, entityId, id, key)) === null) added.add(id)
  if (added.size === 0) return item
  const base = referencesIn(item.base.value).filter(({ id }) => !added.has(id))
  return { ...item, base: { ...item.base, value: base.length === 0 ? null : base.map((one) => ({ ...one })) } }
}
