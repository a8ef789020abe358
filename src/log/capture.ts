import { errorKind } from '#core/api/errors.ts'
import type { ErrorCode } from '#core/api/errors.ts'

import type { LogType } from './line.ts'

/**
 * Where errors that nobody expected are caught and noted in this device's log. How they are noted is loaded with the
 * first of them: most devices have none.
 */

/** Browsers say this of a layout that took two rounds. Nothing is wrong then. */
const HARMLESS = /^ResizeObserver loop/

/** Notes what nobody catches, from now on. */
export function watchErrors(): void {
  window.addEventListener('error', (event) => {
    if (!HARMLESS.test(event.message)) noteThrown('error', event.error)
  })
  window.addEventListener('unhandledrejection', (event) => noteThrown('unhandledrejection', event.reason))
}

/**
 * Notes what was thrown.
 *
 * @param componentStack where on the screen drawing failed, as React tells it
 */
export function noteThrown(type: LogType, thrown: unknown, componentStack = ''): void {
  const at = new Date()
  // In no page there is no place to name.
  const path = (globalThis as Partial<typeof globalThis>).location?.pathname ?? ''
  void import('./note.ts').then(
    ({ keepThrown }) => keepThrown({ type, path, at }, thrown, componentStack),
    // Without its way of noting, this one is not noted; thrown on, it would come back here for ever.
    () => undefined,
  )
}

/**
 * Notes an answer that should not have come: the server failed, or took the call for none of its own. Not those that
 * belong to the day: no network, a refusal that the user is told, a session that is over.
 *
 * @param what the call by its id, which holds nothing of what it carried
 */
export function noteFailure(type: Extract<LogType, 'api' | 'sync'>, what: string, code: ErrorCode): void {
  const kind = errorKind(code)
  // A full disk of the server is told on the top bar and in its own log.
  if (code === 'unauthenticated' || code === 'server_full' || (kind !== 'server' && kind !== 'protocol')) return
  const at = new Date()
  // In no page there is no place to name.
  const path = (globalThis as Partial<typeof globalThis>).location?.pathname ?? ''
  void import('./note.ts').then(
    ({ keepFailure }) => keepFailure({ type, path, at }, what, code),
    () => undefined,
  )
}
