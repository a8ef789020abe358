import type { ApiError } from '#core/api/errors.ts'
import { deviceKeys } from '#core/sync/deviceKeys.ts'
import type { DeviceKeys } from '#core/sync/deviceKeys.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { WorkDb } from '#offline/db/databases.ts'
import type { VaultRow } from '#offline/db/rows.ts'

import { PASSWORD_ROUNDS, newDeviceKey, openKeys, passwordKey, unwrap, wrap } from './keys.ts'
import type { OpenKeys } from './keys.ts'

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

const content = z.object({ realName: z.string(), isAdmin: z.boolean(), keys: deviceKeys })

interface Open {
  readonly owner: VaultOwner
  readonly keys: OpenKeys
  readonly given: DeviceKeys
  readonly kek: CryptoKey
  readonly salt: VaultRow['salt']
  readonly rounds: number
}

const DEVICE_KEY = 'deviceKey'

/**
 * The keys of this device's sealed data (docs/adr/0005-keys-and-vault.md). On the disk they lie wrapped twice, once per user; in the
 * clear they are in memory only, from `enrol` or `unlock` until `lock`.
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

  /** Users who can unlock this device. */
  async users(): Promise<readonly VaultUser[]> {
    const rows = await this.#db.vault.toArray()
    return rows.map(({ userId, account }) => ({ userId, account }))
  }

  /**
   * Takes the keys that the server handed out to a user who signed in, and opens the vault with them. A changed or forgotten password
   * is answered the same way: what was wrapped under the old one is wrapped anew.
   *
   * @param unsent scopes with unsent work: their keys stay also when the server hands them out no more, or nobody could send it
   */
  async enrol(owner: VaultOwner, password: string, handedOut: DeviceKeys, unsent: ReadonlySet<string> = new Set()): Promise<void> {
    const held = unsent.size === 0 ? [] : await this.#heldBy(owner, password)
    const granted = new Set(handedOut.scopes.map(({ scope }) => scope))
    const kept = held.filter(({ scope }) => unsent.has(scope) && !granted.has(scope))
    const given: DeviceKeys = { ...handedOut, scopes: [...handedOut.scopes, ...kept] }
    const salt = crypto.getRandomValues(new Uint8Array(16))
    const kek = await passwordKey(password, salt, this.#rounds)
    const open: Open = { owner, keys: await openKeys(given), given, kek, salt, rounds: this.#rounds }
    await this.#write(open)
    this.#open = open
  }

  /** Opens the vault of an account with its password, without a network. */
  async unlock(account: string, password: string): Promise<Result<VaultOwner, ApiError>> {
    const row = await this.#db.vault.where('account').equals(account).first()
    // Nobody of that name here: said as the same error as a wrong password.
    if (row === undefined) return err({ code: 'password_wrong' })
    const opened = await this.#unwrapped(row, password)
    if (!opened.ok) return opened
    const { kek, given, realName, isAdmin } = opened.value
    const owner = { userId: row.userId, account: row.account, realName, isAdmin }
    this.#open = { owner, keys: await openKeys(given), given, kek, salt: row.salt, rounds: row.rounds }
    return ok(owner)
  }

  /** Forgets the keys in memory. */
  lock(): void {
    this.#open = null
  }

  /** Takes newer keys (a scope more, a right more) into the open vault. */
  async addKeys(given: DeviceKeys): Promise<void> {
    const open = this.#open
    if (open === null) return
    const scopes = new Map([...open.given.scopes, ...given.scopes].map((keys) => [keys.scope, keys]))
    await this.#replace(open, { ...given, scopes: [...scopes.values()] })
  }

  /** Drops the wrapped keys of scopes that the user has no right to any more. */
  async dropScopes(scopes: ReadonlySet<string>): Promise<void> {
    const open = this.#open
    if (open === null) return
    await this.#replace(open, { ...open.given, scopes: open.given.scopes.filter(({ scope }) => !scopes.has(scope)) })
  }

  async #unwrapped(
    row: VaultRow,
    password: string,
  ): Promise<Result<{ readonly kek: CryptoKey; readonly given: DeviceKeys; readonly realName: string; readonly isAdmin: boolean }, ApiError>> {
    const device = await this.#deviceKey()
    if (device === null) return err({ code: 'password_wrong' })
    const kek = await passwordKey(password, row.salt, row.rounds)
    const unwrapped = await unwrap(row, device, kek, row.userId)
    if ('wrong' in unwrapped) return err({ code: unwrapped.wrong === 'password' ? 'password_wrong' : 'storage_lost' })
    const parsed = content.safeParse(JSON.parse(unwrapped.text))
    if (!parsed.success) return err({ code: 'storage_lost' })
    const { keys: given, realName, isAdmin } = parsed.data
    return ok({ kek, given, realName, isAdmin })
  }

  /** Keys that a user holds here, as far as they are open or their password opens them. */
  async #heldBy({ userId }: VaultOwner, password: string): Promise<DeviceKeys['scopes']> {
    if (this.#open?.owner.userId === userId) return this.#open.given.scopes
    const row = await this.#db.vault.get(userId)
    const opened = row === undefined ? null : await this.#unwrapped(row, password)
    return opened?.ok === true ? opened.value.given.scopes : []
  }

  async #replace(open: Open, given: DeviceKeys): Promise<void> {
    const next: Open = { ...open, given, keys: await openKeys(given) }
    await this.#write(next)
    // The user may have locked meanwhile: then the new keys stay on the disk only.
    if (this.#open === open) this.#open = next
  }

  async #write({ owner, given, kek, salt, rounds }: Open): Promise<void> {
    const device = (await this.#deviceKey()) ?? (await this.#makeDeviceKey())
    const text = JSON.stringify({ realName: owner.realName, isAdmin: owner.isAdmin, keys: given })
    const wrapped = await wrap(text, device, kek, owner.userId)
    await this.#db.vault.put({ userId: owner.userId, account: owner.account, salt, rounds, ...wrapped })
  }

  async #deviceKey(): Promise<CryptoKey | null> {
    const row = await this.#db.meta.get(DEVICE_KEY)
    return row?.value instanceof CryptoKey ? row.value : null
  }

  async #makeDeviceKey(): Promise<CryptoKey> {
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
