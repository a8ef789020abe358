import type { ApiError } from '#core/api/errors.ts'
import { fail } from '#core/api/errors.ts'
import type { DeviceKeys } from '#core/sync/deviceKeys.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { fromBase64Url, toBase64Url } from '#offline/bytes.ts'
import type { WorkDb } from '#offline/db/databases.ts'
import type { VaultRow, WrappedKeys } from '#offline/db/rows.ts'

import { joinScopes, withScopes } from './held.ts'
import type { HeldKeys } from './held.ts'
import { PASSWORD_ROUNDS, keyOfBits, newDeviceKey, openKeys, passwordKey } from './keys.ts'
import type { OpenKeys } from './keys.ts'
import { hasSalt, isSameRow, isSameWrapped, stillNeeded, unwrapKeys, wrapKeys } from './wrapped.ts'
import type { Lock, VaultContent } from './wrapped.ts'

/** A user whose keys lie on this device. The account is a staff member's sign-in name; the real name is inside the wrapped part. */
export interface VaultUser {
  readonly userId: string
  readonly account: string
}

export interface VaultOwner extends VaultUser {
  readonly realName: string
  readonly isAdmin: boolean
}

export type VaultState =
  | { readonly state: 'locked' }
  | { readonly state: 'open'; readonly owner: VaultOwner; readonly keys: OpenKeys }

/** What opens a user's vault without their password: the bits of its key. Only ever to be locked away (offline/vault/lockBox.ts). */
export interface VaultSecret {
  readonly userId: string
  readonly bits: string
}

interface Open extends Lock {
  readonly owner: VaultOwner
  readonly keys: OpenKeys
  readonly given: HeldKeys
}

/** Scopes in which something lies on this device that only a user's keys of before may open. */
export interface NeedingKeys {
  /** With unsent work: without the keys nobody could send it, so an older password is asked for where only that one opens them. */
  readonly unsent: ReadonlySet<string>
  /** With work that the server took in for a decision: its author can still read it, where the keys are at hand. */
  readonly undecided: ReadonlySet<string>
}

const NOTHING: NeedingKeys = { unsent: new Set(), undecided: new Set() }
const DEVICE_KEY = 'deviceKey'
/** How often a write starts over because a tab beside has written meanwhile. */
const ATTEMPTS = 5

/**
 * The keys of this device's sealed data (docs/adr/0005-keys-and-vault.md). On the disk they lie wrapped twice, once per user; in the
 * clear they are in memory only, from `enrol` or `unlock` until `lock`. Tabs share the disk: each write builds on what is there.
 */
export class Vault {
  readonly #db: WorkDb
  readonly #rounds: number
  #open: Open | null = null

  constructor(db: WorkDb, rounds = PASSWORD_ROUNDS) {
    this.#db = db
    this.#rounds = rounds
  }

  get state(): VaultState {
    return this.#open === null ? { state: 'locked' } : { state: 'open', owner: this.#open.owner, keys: this.#open.keys }
  }

  /** What opens the vault again without the password; null while it is locked. */
  get secret(): VaultSecret | null {
    return this.#open === null ? null : { userId: this.#open.owner.userId, bits: toBase64Url(this.#open.kek.bits) }
  }

  /** Users who can unlock this device. */
  async users(): Promise<readonly VaultUser[]> {
    const rows = await this.#db.vault.toArray()
    return rows.map(({ userId, account }) => ({ userId, account }))
  }

  /**
   * Takes the keys that the server handed out to a user who signed in, and opens the vault with them. A changed or forgotten password
   * is answered the same way: what was wrapped under the old one is wrapped anew; what only the old one opens is kept beside, while
   * something unsent needs it.
   *
   * @param unsent scopes with unsent or undecided work: their keys stay also when the server hands them out no more, or nobody could send or read it
   * @throws ApiFailure `busy` where other tabs never stop writing
   */
  async enrol(owner: VaultOwner, password: string, handedOut: DeviceKeys, { unsent, undecided }: NeedingKeys = NOTHING): Promise<void> {
    const device = await this.#deviceKey(true)
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      const before = await this.#db.vault.get(owner.userId)
      const { lock, held, unread } = await this.#lockFor(device, before, owner.userId, password)
      const given = withScopes(handedOut, held.filter(({ scope }) => unsent.has(scope) || undecided.has(scope)))
      const open: Open = { ...lock, owner, given, keys: await openKeys(given) }
      const older = stillNeeded(unread, unsent, given)
      const row = { userId: owner.userId, account: owner.account, ...(await wrapKeys(device, lock, owner.userId, { ...owner, given })) }
      if (await this.#put(older.length === 0 ? row : { ...row, older }, before)) {
        this.#open = open
        return
      }
    }
    throw fail('busy')
  }

  /** Opens the vault of an account with its password, without a network. */
  async unlock(account: string, password: string): Promise<Result<VaultOwner, ApiError>> {
    const row = await this.#db.vault.where('account').equals(account).first()
    const device = await this.#deviceKey(false)
    // Nobody of that name here: said as the same error as a wrong password.
    if (row === undefined || device === null) return err({ code: 'password_wrong' })
    if (row.closed !== undefined) return err({ code: row.closed })
    const kek = await passwordKey(password, row.salt, row.rounds)
    const opened = await this.#opened(device, row, { kek, salt: row.salt, rounds: row.rounds })
    if (!opened.ok) return opened
    // The same password under another salt: a tab beside wrote it while this one signed in.
    const { keys } = await this.#readOlder(device, row, password)
    const given = withScopes(opened.value.given, keys)
    this.#open = { ...opened.value, given, keys: await openKeys(given) }
    return ok(opened.value.owner)
  }

  /** Opens the vault as it was when `secret` was taken from it. Null when it is not that vault any more: the password is asked for then. */
  async reopen({ userId, bits }: VaultSecret): Promise<VaultOwner | null> {
    const row = await this.#db.vault.get(userId)
    const device = await this.#deviceKey(false)
    if (row === undefined || row.closed !== undefined || device === null) return null
    const opened = await this.#opened(device, row, { kek: await keyOfBits(fromBase64Url(bits)), salt: row.salt, rounds: row.rounds })
    if (!opened.ok) return null
    this.#open = opened.value
    return opened.value.owner
  }

  /** The server takes a user's password no more: it opens this device no more either, until they sign in anew. What is open stays so. */
  async close(userId: string, why: NonNullable<VaultRow['closed']>): Promise<void> {
    await this.#db.vault.update(userId, { closed: why })
  }

  /** Forgets the keys in memory. */
  lock(): void {
    this.#open = null
  }

  /** Takes newer keys (a scope more, a right more) into the open vault. */
  addKeys(given: DeviceKeys): Promise<void> {
    return this.#replace((known) => withScopes(given, known.scopes))
  }

  /** Drops the wrapped keys of scopes that the user has no right to any more. */
  dropScopes(scopes: ReadonlySet<string>): Promise<void> {
    return this.#replace((known) => ({ ...known, scopes: known.scopes.filter(({ scope }) => !scopes.has(scope)) }))
  }

  /** Whether the user of the open vault has keys here that only a password from before opens. */
  async hasOlder(): Promise<boolean> {
    const row = this.#open === null ? undefined : await this.#db.vault.get(this.#open.owner.userId)
    return (row?.older ?? []).length > 0
  }

  /** Takes keys that a password from before opens into the open vault. `password_wrong` when it opens none. */
  async recover(oldPassword: string): Promise<Result<true, ApiError>> {
    const open = this.#open
    const device = await this.#deviceKey(false)
    const row = open === null ? undefined : await this.#db.vault.get(open.owner.userId)
    if (row === undefined || device === null) return err({ code: 'vault_locked' })
    const { keys, read } = await this.#readOlder(device, row, oldPassword)
    if (read.length === 0) return err({ code: 'password_wrong' })
    await this.#replace(
      (known) => withScopes(known, keys),
      (older) => older.filter((one) => !read.some((other) => isSameWrapped(one, other))),
    )
    return ok(true)
  }

  /** The lock that a password makes for a user, the keys that it opens, and what it does not open. */
  async #lockFor(
    device: CryptoKey,
    row: VaultRow | undefined,
    userId: string,
    password: string,
  ): Promise<{ readonly lock: Lock; readonly held: HeldKeys['scopes']; readonly unread: readonly WrappedKeys[] }> {
    const fresh = async (): Promise<Lock> => {
      const salt = crypto.getRandomValues(new Uint8Array(16))
      return { kek: await passwordKey(password, salt, this.#rounds), salt, rounds: this.#rounds }
    }
    const open = this.#open?.owner.userId === userId ? this.#open : null
    if (row === undefined) return { lock: await fresh(), held: open?.given.scopes ?? [], unread: [] }
    const { salt, rounds } = row
    const known: Lock = { kek: await passwordKey(password, salt, rounds), salt, rounds }
    const opened = await unwrapKeys(device, known.kek, userId, row)
    const older = await this.#readOlder(device, row, password)
    const held = joinScopes(opened.ok ? opened.value.given.scopes : [], open?.given.scopes ?? [], older.keys)
    const isRead = opened.ok || (open !== null && hasSalt(row, open.salt))
    const { older: _older, userId: _userId, account: _account, closed: _closed, ...wrapped } = row
    // The password is the one that the row has: its lock stays, so that tabs beside can go on writing under it.
    const lock = opened.ok && rounds === this.#rounds ? known : await fresh()
    return { lock, held, unread: isRead ? older.unread : [wrapped, ...older.unread] }
  }

  /** Older wrapped keys as far as a password opens them. */
  async #readOlder(
    device: CryptoKey,
    { userId, older = [] }: VaultRow,
    password: string,
  ): Promise<{ readonly keys: HeldKeys['scopes']; readonly read: readonly WrappedKeys[]; readonly unread: readonly WrappedKeys[] }> {
    const tried = await Promise.all(
      older.map(async (wrapped) => {
        const opened = await unwrapKeys(device, await passwordKey(password, wrapped.salt, wrapped.rounds), userId, wrapped)
        return { wrapped, scopes: opened.ok ? opened.value.given.scopes : null }
      }),
    )
    return {
      keys: tried.flatMap(({ scopes }) => scopes ?? []),
      read: tried.flatMap(({ wrapped, scopes }) => (scopes === null ? [] : [wrapped])),
      unread: tried.flatMap(({ wrapped, scopes }) => (scopes === null ? [wrapped] : [])),
    }
  }

  async #opened(device: CryptoKey, row: VaultRow, lock: Lock): Promise<Result<Open, ApiError>> {
    const opened = await unwrapKeys(device, lock.kek, row.userId, row)
    if (!opened.ok) return opened
    const { given, realName, isAdmin } = opened.value
    return ok({ ...lock, owner: { userId: row.userId, account: row.account, realName, isAdmin }, given, keys: await openKeys(given) })
  }

  /**
   * Changes the keys, on the disk as it is now and in memory.
   *
   * @throws ApiFailure `busy` where other tabs never stop writing
   */
  async #replace(
    change: (known: HeldKeys) => HeldKeys,
    changeOlder: (older: readonly WrappedKeys[]) => readonly WrappedKeys[] = (older) => older,
  ): Promise<void> {
    const open = this.#open
    if (open === null) return
    const device = await this.#deviceKey(true)
    const given = change(open.given)
    // Each contact with the server brings the keys: of the same ones what was opened with them stays open.
    const next: Open = { ...open, given, keys: JSON.stringify(given) === JSON.stringify(open.given) ? open.keys : await openKeys(given) }
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      const before = await this.#db.vault.get(open.owner.userId)
      // Cleared from this device meanwhile: what was cleared is not made anew.
      if (before !== undefined && !(await this.#put(await changed(device, next, before, change, changeOlder), before))) continue
      // The user may have locked meanwhile: then the new keys stay on the disk only.
      if (this.#open === open) this.#open = next
      return
    }
    throw fail('busy')
  }

  /** Puts a row where nobody has written since `before` was read. */
  #put(row: VaultRow, before: VaultRow | undefined): Promise<boolean> {
    return this.#db.transaction('rw', this.#db.vault, async () => {
      if (!isSameRow(await this.#db.vault.get(row.userId), before)) return false
      await this.#db.vault.put(row)
      return true
    })
  }

  async #deviceKey(make: true): Promise<CryptoKey>
  async #deviceKey(make: false): Promise<CryptoKey | null>
  async #deviceKey(make: boolean): Promise<CryptoKey | null> {
    const row = await this.#db.meta.get(DEVICE_KEY)
    if (row?.value instanceof CryptoKey) return row.value
    if (!make) return null
    const key = await newDeviceKey()
    // Another tab may have been faster: there is one device key, the first.
    return this.#db.transaction('rw', this.#db.meta, async () => {
      const known = await this.#db.meta.get(DEVICE_KEY)
      if (known?.value instanceof CryptoKey) return known.value
      await this.#db.meta.put({ key: DEVICE_KEY, value: key })
      return key
    })
  }
}

/** A user's row with changed keys. Where it lies under another password by now, what this tab knows is kept beside it. */
async function changed(
  device: CryptoKey,
  open: Open,
  row: VaultRow,
  change: (known: HeldKeys) => HeldKeys,
  changeOlder: (older: readonly WrappedKeys[]) => readonly WrappedKeys[],
): Promise<VaultRow> {
  const { userId, account } = open.owner
  const { closed } = row
  const known = await unwrapKeys(device, open.kek, userId, row)
  const content: VaultContent = { ...open.owner, given: known.ok ? change(known.value.given) : open.given }
  const wrapped = await wrapKeys(device, open, userId, content)
  const older = changeOlder(row.older ?? [])
  if (known.ok) return { userId, account, ...wrapped, ...(older.length === 0 ? {} : { older }), ...(closed === undefined ? {} : { closed }) }
  return { ...row, older: [...older.filter((one) => !hasSalt(one, open.salt)), wrapped] }
}
