/**
 * Which rows of a long list are drawn, and how that follows a scroll: a few at a time, so that no step blocks the main
 * thread.
 */

/** Rows from the first up to, not including, the last. */
export interface Span {
  readonly first: number
  readonly last: number
}

export interface Steps {
  /** How many rows beyond those in view are drawn ahead of the scroll. */
  readonly ahead: number
  /** How many rows are added or removed at once. */
  readonly step: number
}

/**
 * The rows that are at least partly in view.
 *
 * @param top px from the beginning of the rows to that of the view
 */
export function spanInView(
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
  count: number,
): Span {
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight)), Math.max(0, count - 1))
  return { first, last: Math.min(count, Math.max(first + 1, Math.ceil((top + height) / rowHeight))) }
}

/**
 * The next rows to draw, on the way to all that is in view and the rows ahead on both sides. The same object once all
 * are drawn.
 */
export function nextSpan(drawn: Span, inView: Span, count: number, { ahead, step }: Steps): Span {
  const wanted = { first: Math.max(0, inView.first - ahead), last: Math.min(count, inView.last + ahead) }
  // After a jump, nothing that was drawn is near. The rows in view come first, from the top.
  if (drawn.last <= wanted.first || drawn.first >= wanted.last)
    return { first: inView.first, last: Math.min(inView.last, inView.first + 2 * step) }
  let room = step
  const grow = (missing: number): number => {
    const by = Math.min(room, Math.max(0, missing))
    room -= by
    return by
  }
  // Removing rows costs as much as adding them.
  let first = Math.max(drawn.first, Math.min(wanted.first, drawn.first + step))
  let last = Math.min(drawn.last, Math.max(wanted.last, drawn.last - step), count)
  last += grow(inView.last - last)
  first -= grow(first - inView.first)
  last += grow(wanted.last - last)
  first -= grow(first - wanted.first)
  return first === drawn.first && last === drawn.last ? drawn : { first, last }
}

/** The key under which each row is drawn, by what the row shows. */
export type RowKeys = ReadonlyMap<string, number>

/**
 * The keys of rows after a scroll. Rows that come into view below reuse the elements of rows that left above: elements
 * that are thrown away by the hundred are garbage-collected in one piece in the middle of the scroll. Upwards each row
 * gets elements of its own, because React would move all other rows to bring the last one to the front.
 *
 * @param ids what the rows show, in their order; each once
 * @returns the same object where no row came or went
 */
export function nextKeys(before: RowKeys, ids: readonly string[]): RowKeys {
  if (before.size === ids.length && ids.every((id) => before.has(id))) return before
  const wanted = new Set(ids)
  const left = [...before.keys()]
  const firstStaying = left.findIndex((id) => wanted.has(id))
  const free = (firstStaying === -1 ? left : left.slice(0, firstStaying)).map((id) => before.get(id))
  const lastStaying = ids.findLastIndex((id) => before.has(id))
  let fresh = Math.max(-1, ...before.values())
  return new Map(
    ids.map((id, at) => {
      const own = before.get(id) ?? (at > lastStaying ? free.shift() : undefined)
      return [id, own ?? (fresh += 1)]
    }),
  )
}
