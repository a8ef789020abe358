import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStore } from '#server/storage/disk.ts'
import type { FileStore } from '#server/storage/fileStore.ts'

/** A place for attachments of a test's own, made when something is kept in it. */
export function testFiles(): { readonly files: FileStore; readonly folder: string } {
  const folder = join(tmpdir(), `zl-files-${randomUUID()}`)
  return { files: diskStore(folder), folder }
}
