/**
 * Remembers who asks before the window closes, from now on. Gives what takes all of them away: otherwise a part of the
 * app that a test leaves open lets the window ask in the next file too.
 */
export function watchClosing(): () => void {
  const asking = new Set<EventListenerOrEventListenerObject>()
  const add = window.addEventListener.bind(window)
  window.addEventListener = (type: string, listener: EventListenerOrEventListenerObject | null, options?: unknown) => {
    if (type === 'beforeunload' && listener !== null) asking.add(listener)
    if (listener !== null) add(type, listener, options as AddEventListenerOptions)
  }
  return () => {
    window.addEventListener = add
    for (const listener of asking) window.removeEventListener('beforeunload', listener)
  }
}
