import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { diskStore } from '#server/storage/disk.ts'
import type { FileStore } from '#server/storage/fileStore.ts'
import { s3Store } from '#server/storage/s3.ts'

/** The store in which this server keeps the contents of attachments. */
export function openFileStore({ dataDir, attachments }: Pick<Config, 'dataDir' | 'attachments'>): FileStore {
  return attachments.s3 === null ? diskStore(join(dataDir, 'attachments')) : s3Store(attachments.s3)
}
