import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { VaultRow, WrappedKeys } from '#offline/db/rows.ts'

import { storedKeys, sensitiveOf } from './storedKeys.ts'
import type { StoredKeys } from './storedKeys.ts'
import { unwrap, wrap } from './keys.ts'
import type { PasswordKey } from './keys.ts'

/** A user's keys as they are stored on the disk. */

const content = z.object({ realName: z.string(), isAdmin: z.boolean(), keys: storedKeys })

/** What is wrapped: the keys, and the user's name. */
export interface VaultContent {
  readonly realName: string
  readonly isAdmin: boolean
  readonly given: StoredKeys
}

/** The key of a password, with the salt and rounds from which it was derived. */
export interface Wrapping {
  readonly kek: PasswordKey
  readonly salt: WrappedKeys['salt']
  readonly rounds: number
}

/** Wraps a user's keys. */
export async function wrapKeys(
  device: CryptoKey,
  { kek, salt, rounds }: Wrapping,
  userId: string,
  made: VaultContent,
): Promise<WrappedKeys> {
  const { realName, isAdmin, given } = made
  const wrapped = await wrap(JSON.stringify({ realName, isAdmin, keys: given }), device, kek.key, userId)
  const scopes = given.scopes.map(({ scope }) => scope)
  return {
    salt,
    rounds,
    ...wrapped,
    scopes,
    sensitive: given.scopes.filter((keys) => sensitiveOf(keys) !== null).map(({ scope }) => scope),
  }
}

/**
 * Unwraps the keys. `password_wrong` where the password's key does not fit, `storage_lost` where no password would fit.
 */
export async function unwrapKeys(
  device: CryptoKey,
  kek: PasswordKey,
  userId: string,
  wrapped: WrappedKeys,
): Promise<Result<VaultContent, ApiError>> {
  const unwrapped = await unwrap(wrapped, device, kek.key, userId)
  if ('wrong' in unwrapped) return err({ code: unwrapped.wrong === 'password' ? 'password_wrong' : 'storage_lost' })
  const parsed = content.safeParse(JSON.parse(unwrapped.text))
  if (!parsed.success) return err({ code: 'storage_lost' })
  const { keys: given, realName, isAdmin } = parsed.data
  return ok({ given, realName, isAdmin })
}

/** The older wrapped keys that this user needs to open something unsent. */
export function stillNeeded(
  older: readonly WrappedKeys[],
  unsent: ReadonlySet<string>,
  given: StoredKeys,
): readonly WrappedKeys[] {
  const held = new Map(given.scopes.map((keys) => [keys.scope, keys]))
  const missing = [...unsent].filter((scope) => !held.has(scope))
  const masked = [...unsent].filter((scope) => {
    const keys = held.get(scope)
    return keys !== undefined && sensitiveOf(keys) === null
  })
  // Rows of older apps do not say which scopes they hold, so they may hold the needed keys.
  return older.filter(
    ({ scopes = missing, sensitive = masked }) =>
      scopes.some((scope) => missing.includes(scope)) || sensitive.some((scope) => masked.includes(scope)),
  )
}

/** Whether two wrapped keys are the same bytes. */
export function isSameWrapped(a: WrappedKeys, b: WrappedKeys): boolean {
  return sameBytes(a.iv, b.iv)
}

/** Whether a user's row is unchanged since it was read. */
export function isSameRow(a: VaultRow | undefined, b: VaultRow | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.closed !== b.closed) return false
  const [of, other] = [
    [a, ...(a.older ?? [])],
    [b, ...(b.older ?? [])],
  ]
  return of.length === other.length && of.every((one, at) => other[at] !== undefined && isSameWrapped(one, other[at]))
}

/** Whether keys were wrapped under a password with this salt. */
export function hasSalt({ salt }: Pick<WrappedKeys, 'salt'>, other: WrappedKeys['salt']): boolean {
  return sameBytes(salt, other)
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
