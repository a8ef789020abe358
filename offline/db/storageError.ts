import { ApiFailure } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

/** Failures of the browser's storage as typed errors. The names of the errors decide, never their texts. */

const FULL: ReadonlySet<string> = new Set(['QuotaExceededError'])
const CLOSED: ReadonlySet<string> = new Set([
  'DatabaseClosedError',
  'InvalidStateError',
  'TransactionInactiveError',
  'PrematureCommitError',
])
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
 * Runs work on a database. When the database was closed, it is opened again and the work is repeated once: browsers
 * close databases by themselves on waking from sleep, and only a new connection helps.
 *
 * @param reopen opens the databases anew
 */
export async function guardStorage<Value>(
  work: () => Promise<Value>,
  reopen: () => Promise<void>,
): Promise<Result<Value, ApiError>> {
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

/**
 * Names of an error and of its causes. Dexie wraps the browser's errors, sometimes twice, and puts those of a bulk
 * write into a list.
 */
function namesOf(thrown: unknown, depth = 0): string[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 3) return []
  const name = 'name' in thrown && typeof thrown.name === 'string' ? [thrown.name] : []
  const causes: readonly unknown[] = [
    'inner' in thrown ? thrown.inner : undefined,
    'cause' in thrown ? thrown.cause : undefined,
    ...('failures' in thrown && Array.isArray(thrown.failures) ? (thrown.failures as unknown[]) : []),
  ]
  return [...name, ...causes.flatMap((cause) => namesOf(cause, depth + 1))]
}
