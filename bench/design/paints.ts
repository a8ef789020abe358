/** Runs in the page: from an event to the frame that shows its result. */

declare global {
  interface Window {
    eventPaints?: Record<string, number[]>
  }
}

/** In the page: from now on notes for each input event how long it took until the result was painted, ms. */
export function eventsToPaint(): void {
  const paints: Record<string, number[]> = {}
  window.eventPaints = paints
  for (const type of ['keydown', 'click', 'dragover', 'drop']) {
    window.addEventListener(
      type,
      (event) => {
        requestAnimationFrame(() => {
          // After the frame: the message arrives when the frame has been handed over.
          const channel = new MessageChannel()
          channel.port1.onmessage = () => (paints[type] ??= []).push(performance.now() - event.timeStamp)
          channel.port2.postMessage(null)
        })
      },
      true,
    )
  }
}

/** In the page: the times noted of such events since the last call. */
export function takeEvents(type: string): readonly number[] {
  const paints = window.eventPaints ?? {}
  const taken = paints[type] ?? []
  paints[type] = []
  return taken
}
