/**
 * Loads a part of the app that the first screen does not need.
 *
 * @param load the dynamic import
 * @returns null where the part is not kept on this device yet and the server cannot be reached
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part | null> {
  const failures = stylesheets.failures
  try {
    await stylesheets.askAgain()
    return await load()
  } catch (error) {
    // What browsers throw for a module that could not be fetched. For a stylesheet the bundler throws a plain error.
    if (error instanceof TypeError || stylesheets.failures > failures) return null
    throw error
  }
}

const stylesheets = watchStylesheets()

/**
 * The bundler asks for the stylesheet of a part only once. One that could not be fetched is asked for again here, or
 * the part would be drawn without it later.
 */
function watchStylesheets() {
  const failed = new Set<HTMLLinkElement>()
  const state = { failures: 0, askAgain: () => Promise.all([...failed].map(ask)) }
  const note = (link: HTMLLinkElement) => {
    failed.add(link)
    state.failures += 1
  }
  const ask = (link: HTMLLinkElement) => {
    const next = document.createElement('link')
    next.rel = 'stylesheet'
    next.href = link.href
    const settled = new Promise<void>((resolve, reject) => {
      next.addEventListener('load', () => resolve())
      // The listener below has noted it by then.
      next.addEventListener('error', () => reject(new TypeError('stylesheet')))
    })
    failed.delete(link)
    link.replaceWith(next)
    return settled
  }
  // An error of a link does not bubble.
  globalThis.addEventListener?.(
    'error',
    ({ target }) => {
      if (typeof HTMLLinkElement === 'undefined') return
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') note(target)
    },
    true,
  )
  return state
}
