import type { ApiError } from '#core/api/errors.ts'
import { fail } from '#core/api/errors.ts'
import type { DeviceKeys } from '#core/sync/protocol/deviceKeys.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { fromBase64Url, toBase64Url } from '#offline/bytes.ts'
import type { WorkDb } from '#offline/db/databases.ts'
import type { VaultRow, WrappedKeys } from '#offline/db/rows.ts'

import { deviceKey, knownDeviceKey } from './deviceKey.ts'
import { withScopes } from './storedKeys.ts'
import type { StoredKeys } from './storedKeys.ts'
import { PASSWORD_ROUNDS, keyOfBits, openKeys, passwordKey } from './keys.ts'
import type { OpenKeys } from './keys.ts'
import { changedRow, lockFor, openRow, readOlder } from './opened.ts'
import type { Open, VaultOwner, VaultUser } from './opened.ts'
import { isSameRow, isSameWrapped, stillNeeded, wrapKeys } from './wrapped.ts'

export type VaultState =
  | { readonly state: 'locked' }
  | { readonly state: 'open'; readonly owner: VaultOwner; readonly keys: OpenKeys }

/**
 * What opens a user's vault without their password: the bits of its key. It may only be kept locked away
 * (offline/vault/lockBox.ts).
 */
export interface VaultSecret {
  readonly userId: string
  readonly bits: string
}

/**
 * The time from the opening of the vault to its closing. Work on a session that was closed meanwhile has no visible
 * effect.
 */
interface Session {
  open: Open
}

/** What a successful try of a password gives. */
export interface Tried {
  readonly owner: VaultOwner
  /** Opens the vault with these keys. A vault of the same user that is open already stays as it is. */
  readonly open: () => void
}

/** Scopes with something on this device that perhaps only a user's former keys open. */
export interface NeedingKeys {
  /**
   * Scopes with unsent work: without the keys nobody could send it. So an older password is asked for where only that
   * password opens them.
   */
  readonly unsent: ReadonlySet<string>
  /**
   * Scopes with work that the server holds for a decision: its author can still read it, where the keys are at hand.
   */
  readonly undecided: ReadonlySet<string>
}

const NOTHING: NeedingKeys = { unsent: new Set(), undecided: new Set() }
/** How often a write starts over because another tab has written meanwhile. */
const ATTEMPTS = 5

/**
 * The keys of this device's sealed data (docs/adr/0005-keys-and-vault.md). On the disk the keys are wrapped twice, for
 * each user. In the clear they are in memory only, from `enrol` or `unlock` until `lock`. Tabs share the disk, so each
 * write builds on what is there.
 *
 * Changes of the keys run one after the other, so that each builds on what the one before has opened. Locking does not
 * wait for its turn: changes that were asked for before it reach the disk, but no longer open anything.
 */
export class Vault {
  readonly #db: WorkDb
  readonly #rounds: number
  #session: Session | null = null
  #closings = 0
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(db: WorkDb, rounds = PASSWORD_ROUNDS) {
    this.#db = db
    this.#rounds = rounds
  }

  get #open(): Open | null {
    return this.#session?.open ?? null
  }

  /** How often the vault was closed: what was asked for before a closing must open nothing after it. */
  get closings(): number {
    return this.#closings
  }

  get state(): VaultState {
    return this.#open === null ? { state: 'locked' } : { state: 'open', owner: this.#open.owner, keys: this.#open.keys }
  }

  /** What opens the vault again without the password; null while the vault is locked. */
  get secret(): VaultSecret | null {
    return this.#open === null ? null : { userId: this.#open.owner.userId, bits: toBase64Url(this.#open.kek.bits) }
  }

  /** Users who can unlock this device. */
  async users(): Promise<readonly VaultUser[]> {
    const rows = await this.#db.vault.toArray()
    return rows.map(({ userId, account }) => ({ userId, account }))
  }

  /**
   * Takes the keys that the server handed out to a user who signed in, and opens the vault with them. A changed and a
   * forgotten password are handled in the same way: what was wrapped under the old password is wrapped anew. What only
   * the old password opens is kept beside it, while something unsent needs it.
   *
   * Where the vault was closed meanwhile, the keys are written to the disk only.
   *
   * @param closings how often the vault had been closed when the keys were asked for
   * @param unsent scopes with unsent or undecided work: their keys stay even when the server no longer hands them out,
   *   because without them nobody could send or read the work
   * @throws ApiFailure `busy` where other tabs never stop writing
   */
  enrol(
    owner: VaultOwner,
    password: string,
    handedOut: DeviceKeys,
    needing: NeedingKeys = NOTHING,
    closings = this.#closings,
  ): Promise<void> {
    return this.#inTurn(() => this.#enrol(owner, password, handedOut, needing, closings))
  }

  async #enrol(
    owner: VaultOwner,
    password: string,
    handedOut: DeviceKeys,
    { unsent, undecided }: NeedingKeys,
    closings: number,
  ): Promise<void> {
    const device = await deviceKey(this.#db)
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      const before = await this.#db.vault.get(owner.userId)
      // Perhaps the vault was closed because this device was cleared: a cleared row must not be made anew.
      if (before === undefined && this.#closings !== closings) return
      const { lock, held, unread } = await lockFor(device, before, {
        userId: owner.userId,
        password,
        rounds: this.#rounds,
        open: this.#sessionOf(owner.userId)?.open ?? null,
      })
      const given = withScopes(
        handedOut,
        held.filter(({ scope }) => unsent.has(scope) || undecided.has(scope)),
      )
      const open: Open = { ...lock, owner, given, keys: await openKeys(given) }
      const older = stillNeeded(unread, unsent, given)
      const row = {
        userId: owner.userId,
        account: owner.account,
        ...(await wrapKeys(device, lock, owner.userId, { ...owner, given })),
      }
      if (await this.#put(older.length === 0 ? row : { ...row, older }, before)) {
        if (this.#closings === closings) this.#begin(open)
        return
      }
    }
    throw fail('busy')
  }

  /**
   * Opens the vault of an account with its password, without a network. `vault_locked` where the vault was closed
   * meanwhile.
   */
  unlock(account: string, password: string): Promise<Result<VaultOwner, ApiError>> {
    const closings = this.#closings
    return this.#inTurn(async () => {
      const tried = await this.try(account, password)
      if (!tried.ok) return tried
      if (this.#closings !== closings) return err({ code: 'vault_locked' })
      tried.value.open()
      return ok(tried.value.owner)
    })
  }

  /**
   * Tries the password of an account on the stored keys. It opens nothing yet: the person who is at work here goes on.
   */
  async try(account: string, password: string): Promise<Result<Tried, ApiError>> {
    const row = await this.#db.vault.where('account').equals(account).first()
    const device = await knownDeviceKey(this.#db)
    // No user of that name is here. The error is the same as for a wrong password.
    if (row === undefined || device === null) return err({ code: 'password_wrong' })
    if (row.closed !== undefined) return err({ code: row.closed })
    const kek = await passwordKey(password, row.salt, row.rounds)
    const opened = await openRow(device, row, { kek, salt: row.salt, rounds: row.rounds })
    if (!opened.ok) return opened
    // The same password under another salt: another tab wrote it while this one signed in.
    const { keys } = await readOlder(device, row, password)
    const given = withScopes(opened.value.given, keys)
    const open: Open = { ...opened.value, given, keys: await openKeys(given) }
    const { owner } = open
    return ok({
      owner,
      open: () => {
        // The open vault also holds the keys that were taken in since the row was read.
        if (this.#open?.owner.userId !== owner.userId) this.#begin(open)
      },
    })
  }

  /**
   * Opens the vault in the state in which `secret` was taken from it. Null when the vault has changed since: then the
   * password is asked for.
   */
  reopen({ userId, bits }: VaultSecret): Promise<VaultOwner | null> {
    const closings = this.#closings
    return this.#inTurn(async () => {
      const row = await this.#db.vault.get(userId)
      const device = await knownDeviceKey(this.#db)
      if (row === undefined || row.closed !== undefined || device === null) return null
      const opened = await openRow(device, row, {
        kek: await keyOfBits(fromBase64Url(bits)),
        salt: row.salt,
        rounds: row.rounds,
      })
      if (!opened.ok || this.#closings !== closings) return null
      this.#begin(opened.value)
      return opened.value.owner
    })
  }

  /**
   * The server no longer accepts a user's password. So it no longer opens this device either, until the user signs in
   * anew. An open vault stays open.
   */
  async close(userId: string, why: NonNullable<VaultRow['closed']>): Promise<void> {
    await this.#db.vault.update(userId, { closed: why })
  }

  /** Forgets the keys in memory. */
  lock(): void {
    this.#closings += 1
    this.#session = null
  }

  /**
   * Takes newer keys (a further scope, a further right) into the open vault of the user to whom they were handed out.
   *
   * @throws ApiFailure `vault_locked` where that vault is no longer open: the keys must not go into a colleague's vault
   */
  async addKeys(userId: string, given: DeviceKeys): Promise<void> {
    const session = this.#sessionOf(userId)
    if (session === null) throw fail('vault_locked')
    await this.#replace(session, (known) => withScopes(given, known.scopes))
  }

  /** Drops the wrapped keys of scopes to which the user no longer has a right, where their vault is open. */
  async dropScopes(userId: string, scopes: ReadonlySet<string>): Promise<void> {
    const session = this.#sessionOf(userId)
    if (session === null) return
    await this.#replace(session, (known) => ({
      ...known,
      scopes: known.scopes.filter(({ scope }) => !scopes.has(scope)),
    }))
  }

  /** Whether the user of the open vault has keys here that only a former password opens. */
  async hasOlder(): Promise<boolean> {
    const row = this.#open === null ? undefined : await this.#db.vault.get(this.#open.owner.userId)
    return (row?.older ?? []).length > 0
  }

  /** Takes keys that a former password opens into the open vault. `password_wrong` when it opens none. */
  async recover(oldPassword: string): Promise<Result<true, ApiError>> {
    const session = this.#session
    const device = await knownDeviceKey(this.#db)
    const row = session === null ? undefined : await this.#db.vault.get(session.open.owner.userId)
    if (session === null || row === undefined || device === null) return err({ code: 'vault_locked' })
    const { keys, read } = await readOlder(device, row, oldPassword)
    if (read.length === 0) return err({ code: 'password_wrong' })
    await this.#replace(
      session,
      (known) => withScopes(known, keys),
      (older) => older.filter((one) => !read.some((other) => isSameWrapped(one, other))),
    )
    return ok(true)
  }

  /** The session of a user, as long as their vault is open. */
  #sessionOf(userId: string): Session | null {
    return this.#open?.owner.userId === userId ? this.#session : null
  }

  /** Opens the vault, or goes on in the open one, so that changes waiting for their turn build on these keys. */
  #begin(open: Open): void {
    const session = this.#sessionOf(open.owner.userId)
    if (session === null) this.#session = { open }
    else session.open = open
  }

  /** Runs tasks one after the other, also when the one before failed. */
  #inTurn<Value>(run: () => Promise<Value>): Promise<Value> {
    const turn = this.#lastTurn.then(run, run)
    this.#lastTurn = turn
    return turn
  }

  /**
   * Changes the keys, both on the disk as it is now and in memory. Where the vault was closed meanwhile, nobody sees
   * that memory any more.
   *
   * @throws ApiFailure `busy` where other tabs never stop writing
   */
  #replace(
    session: Session,
    change: (known: StoredKeys) => StoredKeys,
    changeOlder: (older: readonly WrappedKeys[]) => readonly WrappedKeys[] = (older) => older,
  ): Promise<void> {
    return this.#inTurn(async () => {
      const { open } = session
      const device = await deviceKey(this.#db)
      const given = change(open.given)
      // Each contact with the server brings the keys. What was opened with the same keys stays open.
      const next: Open = {
        ...open,
        given,
        keys: JSON.stringify(given) === JSON.stringify(open.given) ? open.keys : await openKeys(given),
      }
      for (let tried = 0; tried < ATTEMPTS; tried += 1) {
        const before = await this.#db.vault.get(open.owner.userId)
        // The row was cleared from this device meanwhile: a cleared row must not be made anew.
        if (
          before !== undefined &&
          !(await this.#put(await changedRow(device, next, before, change, changeOlder), before))
        )
          continue
        session.open = next
        return
      }
      throw fail('busy')
    })
  }

  /** Writes a row, unless somebody has written since `before` was read. */
  #put(row: VaultRow, before: VaultRow | undefined): Promise<boolean> {
    return this.#db.transaction('rw', this.#db.vault, async () => {
      if (!isSameRow(await this.#db.vault.get(row.userId), before)) return false
      await this.#db.vault.put(row)
      return true
    })
  }
}
