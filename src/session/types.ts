import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'

import type { Api } from './api.ts'

/** Who is at this device, and whether the device's sealed data are open. */

export interface SessionUser {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly isAdmin: boolean
}

/** Somebody whose keys lie on this device: they can unlock it without a network. */
export interface KnownUser {
  readonly userId: string
  readonly account: string
}

/**
 * - `starting`: the device's memory is being opened.
 * - `signed_out`: nobody; a known user can still open the device's data offline with their password (`signIn` does both).
 * - `locked`: somebody was here; their password opens the device again, with or without a network.
 * - `password_change`: signed in, but the server wants another password before anything else.
 * - `open`: at work. `online` says whether a token is held; `vault` whether data can be kept and written on this device.
 */
export type SessionState =
  | { readonly state: 'starting' }
  | { readonly state: 'signed_out'; readonly knownUsers: readonly KnownUser[]; readonly error: ApiError | null }
  | { readonly state: 'locked'; readonly user: KnownUser; readonly knownUsers: readonly KnownUser[] }
  | { readonly state: 'password_change'; readonly user: SessionUser }
  | { readonly state: 'open'; readonly user: SessionUser; readonly online: boolean; readonly vault: boolean }

export interface SignInInput {
  readonly account: string
  readonly password: string
  readonly captcha: { readonly key: string; readonly code: string } | null
}

/** What came of a sign-in: at the server, or only at this device because the server could not be reached. */
export type SignedIn = 'online' | 'offline'

export type SignOut = { readonly done: true } | { readonly done: false; readonly unsent: number }

export interface SessionActions {
  /** Calls the server in this session's name: administrative screens read and write online only. */
  readonly call: Api['call']
  /** Signs in at the server; where it cannot be reached, opens this device's data with the same password. */
  signIn(input: SignInInput): Promise<Result<SignedIn, ApiError>>
  /** A picture to type off, for `signIn` after `captcha_wrong` or several failures. */
  captcha(): Promise<Result<{ readonly key: string; readonly image: string }, ApiError>>
  /** Opens the device's data for the user who is locked out, or for another known one. */
  unlock(password: string, account?: string): Promise<Result<true, ApiError>>
  /** Forgets the keys. Nothing is deleted. */
  lock(): Promise<void>
  /** Without `force`, only when nothing is unsent; unsent work stays sealed on the device in either case. */
  signOut(options?: { readonly force?: boolean }): Promise<SignOut>
  changePassword(oldPassword: string, newPassword: string): Promise<Result<true, ApiError>>
}

export interface Session extends SessionActions {
  readonly current: SessionState
  /** Whether the server answered last; null before it was ever asked. */
  readonly reachable: boolean | null
}
