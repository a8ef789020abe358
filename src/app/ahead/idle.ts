/** For browsers without an idle callback: by then people have seen what they asked for. */
const LATER_MS = 1000
/** A browser that is never idle does it after this time. */
const LATEST_MS = 5000

/** Resolves when nobody waits for anything. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: LATEST_MS })
    else setTimeout(resolve, LATER_MS)
  })
}
