import type { Pool } from 'pg'
import type { CallId } from '#core/api/table.ts'
import type { BackupSchedule } from '#server/backup/schedule.ts'
import type { Config } from '#server/config.ts'
import type { Health } from '#server/health/health.ts'
import type { Log } from '#server/log.ts'
import type { FileStore } from '#server/storage/fileStore.ts'

/** The things that every service may use. They are made once in `app.ts`; nothing else is global. */
export interface Services {
  readonly config: Config
  /** Pool of the app role. */
  readonly pool: Pool
  readonly log: Log
  readonly secrets: ServerSecrets
  /** The store for sealed contents of attachments. */
  readonly files: FileStore
  /** Backups that the server makes by itself, where the operator wants them. */
  readonly backups?: Pick<BackupSchedule, 'metrics'>
  /** The threads that serve calls on definitions; absent where these are served together with all others. */
  readonly threads?: { run(id: CallId, context: { readonly body: unknown; readonly text?: string }): Promise<unknown> }
  /** The room on the disk, and whether the database takes writes. Without it every write is tried. */
  readonly health?: Health
  /** Now, as ISO instant; tests move it. */
  readonly now: () => string
}

/** Secrets that live in the database (docs/adr/0005-keys-and-vault.md). */
export interface ServerSecrets {
  /** 256-bit key from which refresh tokens and proof keys are derived. */
  readonly root: Uint8Array
  /** RSA-OAEP key pair of rescue exports: SPKI and PKCS8, base64. */
  readonly rescuePublicKey: string
  readonly rescuePrivateKey: string
  /** Changes when the server is restored from a backup. */
  readonly epoch: string
}
