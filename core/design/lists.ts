/** Lists that are never changed in place. */

/** With some put in before index `at`; beyond the end they come last. */
export function insertedAt<Item>(list: readonly Item[], at: number, items: readonly Item[]): readonly Item[] {
  return [...list.slice(0, Math.max(0, at)), ...items, ...list.slice(Math.max(0, at))]
}

/** With the one at `from` before the one that is at `at` now. */
export function movedTo<Item>(list: readonly Item[], from: number, at: number): readonly Item[] {
  const item = list[from]
  if (item === undefined) return list
  const without = list.filter((_, index) => index !== from)
  return insertedAt(without, at > from ? at - 1 : at, [item])
}
