import { ApiFailure } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

/** What the browser's storage does to us, as typed errors. Names of errors decide, never their texts. */

const FULL: ReadonlySet<string> = new Set(['QuotaExceededError'])
const CLOSED: ReadonlySet<string> = new Set(['DatabaseClosedError', 'InvalidStateError', 'TransactionInactiveError', 'PrematureCommitError'])
const LOST: ReadonlySet<string> = new Set([
  'UnknownError',
  'OpenFailedError',
  'MissingAPIError',
  'VersionError',
  'NotFoundError',
  'NotReadableError',
  'DataError',
  'SecurityError',
  'TimeoutError',
  'AbortError',
  'UpgradeError',
  'BlockedError',
])

/** A storage failure as an `ApiError`, or null for anything that is a defect of ours. */
export function storageError(thrown: unknown): ApiError | null {
  if (thrown instanceof ApiFailure) return thrown.error
  const names = namesOf(thrown)
  if (names.some((name) => FULL.has(name))) return { code: 'storage_full' }
  if (names.some((name) => CLOSED.has(name))) return { code: 'storage_closed' }
  if (names.some((name) => LOST.has(name))) return { code: 'storage_lost' }
  return null
}

/**
 * Runs work on a database. A closed one is opened again and the work done once more: on waking from sleep browsers close databases
 * without being asked, and only a new connection helps.
 *
 * @param reopen opens the databases anew
 */
export async function guarded<Value>(work: () => Promise<Value>, reopen: () => Promise<void>): Promise<Result<Value, ApiError>> {
  const first = await attempt(work)
  if (first.ok || first.error.code !== 'storage_closed') return first
  const opened = await attempt(reopen)
  return opened.ok ? attempt(work) : opened
}

/** Runs work on a database and gives its failures as values. Defects are thrown on. */
export async function attempt<Value>(work: () => Promise<Value>): Promise<Result<Value, ApiError>> {
  try {
    return ok(await work())
  } catch (thrown) {
    const error = storageError(thrown)
    if (error === null) throw thrown
    return err(error)
  }
}

/** Names of an error and of what caused it: Dexie wraps the browser's errors, sometimes twice. */
function namesOf(thrown: unknown): string[] {
  const names: string[] = []
  let at: unknown = thrown
  for (let depth = 0; depth < 4 && typeof at === 'object' && at !== null; depth += 1) {
    if ('name' in at && typeof at.name === 'string') names.push(at.name)
    at = 'inner' in at && at.inner !== undefined ? at.inner : 'cause' in at ? at.cause : undefined
  }
  return names
}
