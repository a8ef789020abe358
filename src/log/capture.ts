import { errorKind } from '#core/api/errors.ts'
import type { ErrorCode } from '#core/api/errors.ts'

import { frames, framesOf, messageOf, placeOf } from './line.ts'
import type { LogType } from './line.ts'
import { addLine } from './store.ts'

/** Where errors that nobody expected are caught and noted in this device's log. */

/** Browsers say this of a layout that took two rounds. Nothing is wrong then. */
const HARMLESS = /^ResizeObserver loop/

/** Notes what nobody catches, from now on. */
export function watchErrors(): void {
  window.addEventListener('error', (event) => {
    if (HARMLESS.test(event.message)) return
    note('error', event.error)
  })
  window.addEventListener('unhandledrejection', (event) => note('unhandledrejection', event.reason))
}

/** Notes that drawing a screen failed, and where on it. */
export function noteBrokenScreen(thrown: unknown, componentStack: string | null | undefined): void {
  note('screen', thrown, frames(componentStack ?? '', window.location.origin).slice(0, 2000))
}

/**
 * Notes an answer that should not have come: the server failed, or took the call for none of its own. Not those that belong to the day: no
 * network, a refusal that the user is told, a session that is over.
 *
 * @param what the call by its id, which holds nothing of what it carried
 */
export function noteFailure(type: Extract<LogType, 'api' | 'sync'>, what: string, code: ErrorCode): void {
  const kind = errorKind(code)
  if (code === 'unauthenticated' || (kind !== 'server' && kind !== 'protocol')) return
  add(type, code, '', what)
}

function note(type: LogType, thrown: unknown, info = ''): void {
  add(type, messageOf(thrown), framesOf(thrown, window.location.origin), info)
}

function add(type: LogType, message: string, stack: string, info: string): void {
  addLine({ url: placeOf(window.location.pathname), time: new Date().toISOString(), type, message, stack, info })
}
