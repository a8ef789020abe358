import type { ReviewTrack } from '#core/review/verification.ts'

/**
 * The current field of a page that is checked: the one in whose line the focus is. Its stops are the marks of a track,
 * in the order in which they stand on the page; a row of a table is one stop.
 */

/** Where a key belongs: the page, or the row that is open over it; null where it is for neither. */
export function areaOf(target: EventTarget | null): HTMLElement | null {
  const over = target instanceof Element ? target.closest('[role=dialog], [role=menu]') : null
  return (over ?? document.getElementById('main'))?.querySelector<HTMLElement>('[data-checked]') ?? null
}

export function stopsIn(area: HTMLElement, track: ReviewTrack): readonly HTMLElement[] {
  return [...area.querySelectorAll<HTMLElement>(`[data-check][data-track="${track}"]`)].filter(
    (stop) => stop.closest('[hidden]') === null,
  )
}

/** The stop of the line in which the focus is, or of the field that was current before the focus left the page. */
export function currentStop(area: HTMLElement, track: ReviewTrack, before: string | null): HTMLElement | null {
  const { activeElement } = document
  const line = activeElement?.closest<HTMLElement>('[data-line], [data-row]') ?? null
  const key = line !== null && area.contains(line) ? (line.dataset['line'] ?? line.dataset['row']) : before
  return stopsIn(area, track).find((stop) => stop.dataset['check'] === key) ?? null
}

/** The stop before or after the current one; at an end the same, and without a current one the first. */
export function stopBeside(
  area: HTMLElement,
  track: ReviewTrack,
  before: string | null,
  step: 1 | -1,
): HTMLElement | null {
  const stops = stopsIn(area, track)
  const current = currentStop(area, track, before)
  if (current !== null) return stops[stops.indexOf(current) + step] ?? current
  const { activeElement } = document
  if (activeElement === null || !area.contains(activeElement)) return stops[0] ?? null
  const isAfter = (stop: HTMLElement) =>
    (activeElement.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return (step === 1 ? stops.find(isAfter) : stops.findLast((stop) => !isAfter(stop))) ?? null
}

/** The next stop that is wanted, from the start again after the last; null where none is. */
export function nextStop(
  area: HTMLElement,
  track: ReviewTrack,
  from: HTMLElement | null,
  isWanted: (key: string) => boolean,
): HTMLElement | null {
  const stops = stopsIn(area, track)
  const at = from === null ? -1 : stops.indexOf(from)
  const ahead = [...stops.slice(at + 1), ...stops.slice(0, Math.max(at, 0))]
  return ahead.find((stop) => isWanted(stop.dataset['check'] ?? '')) ?? null
}

export function goToStop(stop: HTMLElement | null): void {
  stop?.focus({ preventScroll: true })
  stop?.closest('[data-line], [data-row]')?.scrollIntoView({ block: 'nearest' })
}
