import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { EndedWhy } from '#offline/db/rows.ts'
import type { Wiped } from '#offline/db/wipe.ts'

import type { Api } from './api.ts'

/** Who is at this device, and whether the device's sealed data are open. */

export interface SessionUser {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly isAdmin: boolean
}

/** A user whose keys are on this device: they can unlock it without a network. */
export interface KnownUser {
  readonly userId: string
  readonly account: string
}

/**
 * - `starting`: the device's memory is being opened.
 * - `signed_out`: nobody; a known user can still open the device's data offline with their password (`signIn` does
 *   both).
 * - `locked`: somebody was here; their password opens the device again, with or without a network. `triesLeft`: how
 *   often the lock password may still be tried; null where only the sign-in password opens.
 * - `password_change`: signed in, but the server wants another password before anything else.
 * - `open`: at work. `online` says whether a token is held, or is being brought; `vault` whether data can be kept and
 *   written on this device; `lockPassword` whether one was chosen; `olderKeys` whether unsent work lies here that only
 *   a password from before opens; `blocked` whether the server gives this device nothing any more.
 */
export type SessionState =
  | { readonly state: 'starting' }
  | { readonly state: 'signed_out'; readonly knownUsers: readonly KnownUser[]; readonly error: ApiError | null }
  | {
      readonly state: 'locked'
      readonly user: KnownUser
      readonly knownUsers: readonly KnownUser[]
      readonly triesLeft: number | null
    }
  | { readonly state: 'password_change'; readonly user: SessionUser }
  | {
      readonly state: 'open'
      readonly user: SessionUser
      readonly online: boolean
      readonly vault: boolean
      readonly lockPassword: boolean
      readonly olderKeys: boolean
      readonly blocked: boolean
      /** Why somebody ended the session; null while it goes on, or has only expired. */
      readonly ended: EndedWhy | null
    }

export interface SignInInput {
  readonly account: string
  readonly password: string
  readonly captcha: { readonly key: string; readonly code: string } | null
}

/** The result of a sign-in: at the server, or only at this device because the server could not be reached. */
export type SignedIn = 'online' | 'offline'

/** `error`: what was typed could not be written to the disk, so the session stays. */
export type SignOut =
  | { readonly done: true }
  | { readonly done: false; readonly unsent: number }
  | { readonly done: false; readonly error: ApiError }

export interface SessionActions {
  /** Calls the server in this session's name: administrative screens read and write online only. */
  readonly call: Api['call']
  /** Signs in at the server; where it cannot be reached, opens this device's data with the same password. */
  signIn(input: SignInInput): Promise<Result<SignedIn, ApiError>>
  /**
   * A picture to type off, for `signIn` after `captcha_wrong` or several failures; or a calculation for this device
   * instead.
   */
  captcha(
    way?: 'picture' | 'work',
  ): Promise<Result<{ readonly key: string; readonly image: string; readonly workBits?: number | undefined }, ApiError>>
  /** Opens the device's data with the sign-in password, for the locked-out user or for another known one. */
  unlock(password: string, account?: string): Promise<Result<true, ApiError>>
  /**
   * Opens what `lock` locked, with the lock password. `password_wrong` also when that password opens nothing any more.
   */
  openLock(password: string): Promise<Result<true, ApiError>>
  /** Chooses the lock password of this session. It is stored nowhere. */
  setLockPassword(password: string): Promise<void>
  /** Locks all tabs. Nothing is deleted; refused while what was typed cannot be written to the disk. */
  lock(): Promise<Result<true, ApiError>>
  /** Without `force`, only when nothing is unsent; unsent work stays sealed on the device in either case. */
  signOut(options?: { readonly force?: boolean }): Promise<SignOut>
  changePassword(oldPassword: string, newPassword: string): Promise<Result<true, ApiError>>
  /** Brings back keys that only an earlier password opens. `password_wrong` when this password does not. */
  recoverKeys(oldPassword: string): Promise<Result<true, ApiError>>
  /**
   * Clears this user's copies and keys from the device, or everybody's, and signs out; refused while something is
   * unsent.
   */
  wipe(whose: 'mine' | 'everybody'): Promise<Result<Wiped, ApiError>>
  /** A person has read that the device's data were cleared. */
  acknowledgeLoss(): Promise<void>
}

/**
 * The browser has cleared this device's data. `underApp`: while the app was open; the app stores nothing until it is
 * reloaded. `told`: the server was told, and `lostUnsent` is what it last knew to be unsent here; null where it knows
 * nothing.
 */
export interface StorageLoss {
  readonly underApp: boolean
  readonly told: boolean
  readonly lostUnsent: number | null
}

export interface Session extends SessionActions {
  readonly current: SessionState
  /** Whether the server answered last; null before it was ever asked. */
  readonly reachable: boolean | null
  readonly storageLoss: StorageLoss | null
  /** A newer app in another tab has taken over the device's databases: this one goes on, and should be reloaded. */
  readonly outdated: boolean
}
