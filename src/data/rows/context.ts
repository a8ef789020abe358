import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { VaultState } from '#offline/vault/vault.ts'
import type { Journal } from '#offline/draft/journal.ts'
import type { Storage } from '#offline/db/open.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import type { Api } from '#src/session/api.ts'
import type { SessionUser } from '#src/session/types.ts'

import type { Remote } from './remote.ts'

/** Sends and fetches now. Resolves when this cycle is over. */
export type SyncNow = () => Promise<Result<true, ApiError>>

/** What the data of an open session are made from. */
export interface DataContext {
  readonly storage: Storage
  readonly api: Api
  readonly remote: Remote
  readonly user: SessionUser
  readonly deviceId: string
  readonly appVersion: string
  readonly vault: () => VaultState
  readonly ring: () => KeyRing
  /** Null while the vault is locked. */
  readonly author: () => Author | null
  readonly journal: Journal
  readonly reachable: () => boolean | null
  /** Whether a token is held. */
  readonly signedIn: () => boolean
  /**
   * Whether it makes sense to ask the server: a token is held or being brought, and the server did not fail to answer
   * last.
   */
  readonly online: () => boolean
  /** Steps recovered at the start of this session, by entry. */
  readonly recovered: ReadonlyMap<string, number>
  readonly kickSync: () => void
}
