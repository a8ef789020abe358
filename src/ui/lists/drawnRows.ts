/**
 * Which rows of a long list are drawn, and how that follows a scroll: some at a time, so that no step of it keeps the
 * thread that draws.
 */

/** Rows from the first up to, not including, the last. */
export interface Span {
  readonly first: number
  readonly last: number
}

export interface Steps {
  /** Rows beyond those in view that are there before the thumb is. */
  readonly ahead: number
  /** Rows that come, or go, at once. */
  readonly step: number
}

/** The rows that lie at least partly in view. @param top px from the beginning of the rows to that of the view */
export function spanInView(
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
  count: number,
): Span {
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight)), Math.max(0, count - 1))
  return { first, last: Math.min(count, Math.max(first + 1, Math.ceil((top + height) / rowHeight))) }
}

/**
 * What is drawn next, on the way to all that is in view and what lies ahead of it on both sides. The same object once
 * it is there.
 */
export function nextSpan(drawn: Span, inView: Span, count: number, { ahead, step }: Steps): Span {
  const wanted = { first: Math.max(0, inView.first - ahead), last: Math.min(count, inView.last + ahead) }
  // A jump: nothing of what was drawn is near. What is in view comes first, from its top.
  if (drawn.last <= wanted.first || drawn.first >= wanted.last)
    return { first: inView.first, last: Math.min(inView.last, inView.first + 2 * step) }
  let room = step
  const grow = (missing: number): number => {
    const by = Math.min(room, Math.max(0, missing))
    room -= by
    return by
  }
  // What goes makes as much work as what comes.
  let first = Math.max(drawn.first, Math.min(wanted.first, drawn.first + step))
  let last = Math.min(drawn.last, Math.max(wanted.last, drawn.last - step), count)
  last += grow(inView.last - last)
  first -= grow(first - inView.first)
  last += grow(wanted.last - last)
  first -= grow(first - wanted.first)
  return first === drawn.first && last === drawn.last ? drawn : { first, last }
}

/** Under which key each row is drawn, by what it shows. */
export type RowKeys = ReadonlyMap<string, number>

/**
 * The keys of rows after a scroll: what came into view below is drawn in the elements of what has left above, for
 * elements that are thrown away by the hundred are collected in one piece in the middle of the scroll. Upwards each row
 * gets elements of its own: to bring the last to the front React moves all the others.
 *
 * @param ids what the rows show, in their order; each once
 * @returns the same object where nothing came and nothing went
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
