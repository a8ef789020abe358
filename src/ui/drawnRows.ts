/** Which rows of a long list are drawn, and how that follows a scroll: some at a time, so that no step of it keeps the thread that draws. */

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
export function spanInView({ top, height }: { readonly top: number; readonly height: number }, rowHeight: number, count: number): Span {
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight)), Math.max(0, count - 1))
  return { first, last: Math.min(count, Math.max(first + 1, Math.ceil((top + height) / rowHeight))) }
}

/** What is drawn next, on the way to all that is in view and what lies ahead of it on both sides. The same object once it is there. */
export function nextSpan(drawn: Span, inView: Span, count: number, { ahead, step }: Steps): Span {
  const wanted = { first: Math.max(0, inView.first - ahead), last: Math.min(count, inView.last + ahead) }
  // A jump: nothing of what was drawn is near. What is in view comes first, from its top.
  if (drawn.last <= wanted.first || drawn.first >= wanted.last) return { first: inView.first, last: Math.min(inView.last, inView.first + 2 * step) }
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
