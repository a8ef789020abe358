/** Operations on lists that return a new list. */

/** With items inserted before index `at`; an index beyond the end means the end. */
export function insertedAt<Item>(list: readonly Item[], at: number, items: readonly Item[]): readonly Item[] {
  return [...list.slice(0, Math.max(0, at)), ...items, ...list.slice(Math.max(0, at))]
}

/** With the item at `from` moved before the item that is at `at` now. */
export function movedTo<Item>(list: readonly Item[], from: number, at: number): readonly Item[] {
  const item = list[from]
  if (item === undefined) return list
  const without = list.filter((_, index) => index !== from)
  return insertedAt(without, at > from ? at - 1 : at, [item])
}
