import { errorKind } from '#core/api/errors.ts'
import type { ErrorCode } from '#core/api/errors.ts'

import type { LogType } from './line.ts'

/**
 * Catches unexpected errors and notes them in this device's log. The code that notes them is loaded with the first
 * error: most devices have none.
 */

/** Browsers report this for a layout that took two rounds. It is harmless. */
const HARMLESS = /^ResizeObserver loop/

/** Notes uncaught errors, from now on. */
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
  // A worker has no address to name.
  const path = (globalThis as Partial<typeof globalThis>).location?.pathname ?? ''
  void import('./note.ts').then(
    ({ keepThrown }) => keepThrown({ type, path, at }, thrown, componentStack),
    // If the noting code cannot be loaded, this error is not noted; thrown on, it would come back here for ever.
    () => undefined,
  )
}

/**
 * Notes an unexpected answer: the server failed, or did not know the call. It leaves out everyday answers: no network,
 * a refusal that the user is told, a session that is over.
 *
 * @param what the call's id, which contains no entered data
 */
export function noteFailure(type: Extract<LogType, 'api' | 'sync'>, what: string, code: ErrorCode): void {
  const kind = errorKind(code)
  // A full disk of the server is shown in the top bar and noted in the server's own log.
  if (code === 'unauthenticated' || code === 'server_full' || (kind !== 'server' && kind !== 'protocol')) return
  const at = new Date()
  // A worker has no address to name.
  const path = (globalThis as Partial<typeof globalThis>).location?.pathname ?? ''
  void import('./note.ts').then(
    ({ keepFailure }) => keepFailure({ type, path, at }, what, code),
    () => undefined,
  )
}
