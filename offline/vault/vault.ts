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
 * What opens a user's vault without their password: the bits of its key. Only ever to be locked away
 * (offline/vault/lockBox.ts).
 */
export interface VaultSecret {
  readonly userId: string
  readonly bits: string
}

/**
 * From the opening of the vault to its closing. Who works on one that was closed meanwhile changes nothing that can be
 * seen.
 */
interface Session {
  open: Open
}

/** What a password opens. */
export interface Tried {
  readonly owner: VaultOwner
  /** Opens the vault with it; where the same user's is open, that stays so. */
  readonly open: () => void
}

/** Scopes in which something lies on this device that only a user's keys of before may open. */
export interface NeedingKeys {
  /**
   * With unsent work: without the keys nobody could send it, so an older password is asked for where only that one
   * opens them.
   */
  readonly unsent: ReadonlySet<string>
  /** With work that the server took in for a decision: its author can still read it, where the keys are at hand. */
  readonly undecided: ReadonlySet<string>
}

const NOTHING: NeedingKeys = { unsent: new Set(), undecided: new Set() }
/** How often a write starts over because a tab beside has written meanwhile. */
const ATTEMPTS = 5

/**
 * The keys of this device's sealed data (docs/adr/0005-keys-and-vault.md). On the disk they lie wrapped twice, once per
 * user; in the clear they are in memory only, from `enrol` or `unlock` until `lock`. Tabs share the disk: each write
 * builds on what is there.
 *
 * What changes the keys takes turns, so that each builds on what the one before it has opened. Locking does not wait
 * for its turn: what was asked for before it goes to the disk, and opens nothing any more.
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

  /** How often it was closed: what was asked for before may open nothing after. */
  get closings(): number {
    return this.#closings
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
   * Takes the keys that the server handed out to a user who signed in, and opens the vault with them. A changed or
   * forgotten password is answered the same way: what was wrapped under the old one is wrapped anew; what only the old
   * one opens is kept beside, while something unsent needs it.
   *
   * Where the vault was closed meanwhile, they are on the disk only.
   *
   * @param closings how often it had been closed when the keys were asked for
   * @param unsent scopes with unsent or undecided work: their keys stay also when the server hands them out no more,
   *   or nobody could send or read it
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
      // Perhaps it was closed because this device was cleared: what was cleared is not made anew.
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
   * Opens the vault of an account with its password, without a network. `vault_locked` where it was closed meanwhile.
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

  /** Tries the password of an account on what lies here, and opens nothing yet: whoever is at work here goes on. */
  async try(account: string, password: string): Promise<Result<Tried, ApiError>> {
    const row = await this.#db.vault.where('account').equals(account).first()
    const device = await knownDeviceKey(this.#db)
    // Nobody of that name here: said as the same error as a wrong password.
    if (row === undefined || device === null) return err({ code: 'password_wrong' })
    if (row.closed !== undefined) return err({ code: row.closed })
    const kek = await passwordKey(password, row.salt, row.rounds)
    const opened = await openRow(device, row, { kek, salt: row.salt, rounds: row.rounds })
    if (!opened.ok) return opened
    // The same password under another salt: a tab beside wrote it while this one signed in.
    const { keys } = await readOlder(device, row, password)
    const given = withScopes(opened.value.given, keys)
    const open: Open = { ...opened.value, given, keys: await openKeys(given) }
    const { owner } = open
    return ok({
      owner,
      open: () => {
        // What is open holds the keys that were taken in since the row was read.
        if (this.#open?.owner.userId !== owner.userId) this.#begin(open)
      },
    })
  }

  /**
   * Opens the vault as it was when `secret` was taken from it. Null when it is not that vault any more: the password is
   * asked for then.
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
   * The server takes a user's password no more: it opens this device no more either, until they sign in anew. What is
   * open stays so.
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
   * Takes newer keys (a scope more, a right more) into the open vault of the user whom they were handed out to.
   *
   * @throws ApiFailure `vault_locked` where it is open no more: a colleague's is not the place for them
   */
  async addKeys(userId: string, given: DeviceKeys): Promise<void> {
    const session = this.#sessionOf(userId)
    if (session === null) throw fail('vault_locked')
    await this.#replace(session, (known) => withScopes(given, known.scopes))
  }

  /** Drops the wrapped keys of scopes that the user has no right to any more, where their vault is open. */
  async dropScopes(userId: string, scopes: ReadonlySet<string>): Promise<void> {
    const session = this.#sessionOf(userId)
    if (session === null) return
    await this.#replace(session, (known) => ({
      ...known,
      scopes: known.scopes.filter(({ scope }) => !scopes.has(scope)),
    }))
  }

  /** Whether the user of the open vault has keys here that only a password from before opens. */
  async hasOlder(): Promise<boolean> {
    const row = this.#open === null ? undefined : await this.#db.vault.get(this.#open.owner.userId)
    return (row?.older ?? []).length > 0
  }

  /** Takes keys that a password from before opens into the open vault. `password_wrong` when it opens none. */
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

  /** The session of a user while their vault is open. */
  #sessionOf(userId: string): Session | null {
    return this.#open?.owner.userId === userId ? this.#session : null
  }

  /** Opens the vault, or goes on in what is open: whoever waits for their turn in it builds on this. */
  #begin(open: Open): void {
    const session = this.#sessionOf(open.owner.userId)
    if (session === null) this.#session = { open }
    else session.open = open
  }

  /** One after the other, whatever becomes of the one before. */
  #inTurn<Value>(run: () => Promise<Value>): Promise<Value> {
    const turn = this.#lastTurn.then(run, run)
    this.#lastTurn = turn
    return turn
  }

  /**
   * Changes the keys, on the disk as it is now and in memory. Where the vault was closed meanwhile, nobody sees the
   * memory any more.
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
      // Each contact with the server brings the keys: of the same ones what was opened with them stays open.
      const next: Open = {
        ...open,
        given,
        keys: JSON.stringify(given) === JSON.stringify(open.given) ? open.keys : await openKeys(given),
      }
      for (let tried = 0; tried < ATTEMPTS; tried += 1) {
        const before = await this.#db.vault.get(open.owner.userId)
        // Cleared from this device meanwhile: what was cleared is not made anew.
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

  /** Puts a row where nobody has written since `before` was read. */
  #put(row: VaultRow, before: VaultRow | undefined): Promise<boolean> {
    return this.#db.transaction('rw', this.#db.vault, async () => {
      if (!isSameRow(await this.#db.vault.get(row.userId), before)) return false
      await this.#db.vault.put(row)
      return true
    })
  }
}
