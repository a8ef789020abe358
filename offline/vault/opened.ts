import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { VaultRow, WrappedKeys } from '#offline/db/rows.ts'

import { joinScopes } from './storedKeys.ts'
import type { StoredKeys } from './storedKeys.ts'
import { openKeys, passwordKey } from './keys.ts'
import type { OpenKeys } from './keys.ts'
import { hasSalt, unwrapKeys, wrapKeys } from './wrapped.ts'
import type { Wrapping, VaultContent } from './wrapped.ts'

/** What a password opens of a user's row on the disk, and how that row changes. */

/**
 * A user whose keys are on this device. The account is a staff member's sign-in name; the real name is inside the
 * wrapped part.
 */
export interface VaultUser {
  readonly userId: string
  readonly account: string
}

export interface VaultOwner extends VaultUser {
  readonly realName: string
  readonly isAdmin: boolean
}

/** A user's keys, ready for use, and the password key under which they are wrapped on the disk. */
export interface Open extends Wrapping {
  readonly owner: VaultOwner
  readonly keys: OpenKeys
  readonly given: StoredKeys
}

/** What the password key of a row opens. `password_wrong` where the key does not fit. */
export async function openRow(device: CryptoKey, row: VaultRow, lock: Wrapping): Promise<Result<Open, ApiError>> {
  const opened = await unwrapKeys(device, lock.kek, row.userId, row)
  if (!opened.ok) return opened
  const { given, realName, isAdmin } = opened.value
  return ok({
    ...lock,
    owner: { userId: row.userId, account: row.account, realName, isAdmin },
    given,
    keys: await openKeys(given),
  })
}

/** The older wrapped keys that a password opens. */
export async function readOlder(
  device: CryptoKey,
  { userId, older = [] }: VaultRow,
  password: string,
): Promise<{
  readonly keys: StoredKeys['scopes']
  readonly read: readonly WrappedKeys[]
  readonly unread: readonly WrappedKeys[]
}> {
  const tried = await Promise.all(
    older.map(async (wrapped) => {
      const opened = await unwrapKeys(
        device,
        await passwordKey(password, wrapped.salt, wrapped.rounds),
        userId,
        wrapped,
      )
      return { wrapped, scopes: opened.ok ? opened.value.given.scopes : null }
    }),
  )
  return {
    keys: tried.flatMap(({ scopes }) => scopes ?? []),
    read: tried.flatMap(({ wrapped, scopes }) => (scopes === null ? [] : [wrapped])),
    unread: tried.flatMap(({ wrapped, scopes }) => (scopes === null ? [wrapped] : [])),
  }
}

/**
 * The wrapping that a password makes for a user, the keys that it opens, and what it does not open.
 *
 * @param open the keys that this user has open
 */
export async function lockFor(
  device: CryptoKey,
  row: VaultRow | undefined,
  {
    userId,
    password,
    rounds,
    open,
  }: { readonly userId: string; readonly password: string; readonly rounds: number; readonly open: Open | null },
): Promise<{ readonly lock: Wrapping; readonly held: StoredKeys['scopes']; readonly unread: readonly WrappedKeys[] }> {
  const fresh = async (): Promise<Wrapping> => {
    const salt = crypto.getRandomValues(new Uint8Array(16))
    return { kek: await passwordKey(password, salt, rounds), salt, rounds }
  }
  if (row === undefined) return { lock: await fresh(), held: open?.given.scopes ?? [], unread: [] }
  const known: Wrapping = { kek: await passwordKey(password, row.salt, row.rounds), salt: row.salt, rounds: row.rounds }
  const opened = await unwrapKeys(device, known.kek, userId, row)
  const older = await readOlder(device, row, password)
  const held = joinScopes(opened.ok ? opened.value.given.scopes : [], open?.given.scopes ?? [], older.keys)
  const isRead = opened.ok || (open !== null && hasSalt(row, open.salt))
  const { older: _older, userId: _userId, account: _account, closed: _closed, ...wrapped } = row
  // The password is the one of the row: its wrapping stays, so that other tabs can go on writing under it.
  const lock = opened.ok && row.rounds === rounds ? known : await fresh()
  return { lock, held, unread: isRead ? older.unread : [wrapped, ...older.unread] }
}

/**
 * A user's row with changed keys. Where the row is under another password by now, what this tab knows is kept beside
 * it.
 */
export async function changedRow(
  device: CryptoKey,
  open: Open,
  row: VaultRow,
  change: (known: StoredKeys) => StoredKeys,
  changeOlder: (older: readonly WrappedKeys[]) => readonly WrappedKeys[],
): Promise<VaultRow> {
  const { userId, account } = open.owner
  const { closed } = row
  const known = await unwrapKeys(device, open.kek, userId, row)
  const content: VaultContent = { ...open.owner, given: known.ok ? change(known.value.given) : open.given }
  const wrapped = await wrapKeys(device, open, userId, content)
  const older = changeOlder(row.older ?? [])
  if (known.ok)
    return {
      userId,
      account,
      ...wrapped,
      ...(older.length === 0 ? {} : { older }),
      ...(closed === undefined ? {} : { closed }),
    }
  return { ...row, older: [...older.filter((one) => !hasSalt(one, open.salt)), wrapped] }
}
