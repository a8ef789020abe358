import type { ErrorCode } from '#core/api/errors.ts'

import { frames, framesOf, messageOf, pathPattern } from './line.ts'
import type { LogType } from './line.ts'
import { addLine } from './store.ts'

/** What is noted of an error besides the error itself. */
interface Circumstances {
  readonly type: LogType
  /** The page's path; only its pattern is kept. */
  readonly path: string
  readonly at: Date
}

/** Keeps what was thrown. */
export function keepThrown(circumstances: Circumstances, thrown: unknown, componentStack: string): void {
  const { origin } = window.location
  keep(circumstances, messageOf(thrown), framesOf(thrown, origin), frames(componentStack, origin).slice(0, 2000))
}

/** Keeps that a call failed at the server. */
export function keepFailure(circumstances: Circumstances, what: string, code: ErrorCode): void {
  keep(circumstances, code, '', what)
}

function keep({ type, path, at }: Circumstances, message: string, stack: string, info: string): void {
  addLine({ url: pathPattern(path), time: at.toISOString(), type, message, stack, info })
}
