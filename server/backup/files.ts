import { join } from 'node:path'
import type { Pool } from 'pg'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { diskStore } from '#server/storage/disk.ts'
import type { FileStore } from '#server/storage/fileStore.ts'
import { ContentDamaged, openContent, storedName } from '#server/storage/sealedFiles.ts'
import type { ContentName } from '#server/storage/sealedFiles.ts'

/**
 * Contents of attachments beside a backup (docs/adr/0020-attachments.md). They are sealed as the server keeps them,
 * each once for all backups of a folder. The backup itself names them by their hashes and holds the secret that opens
 * them.
 */

/** Of the contents that a database names: how many were copied, and how many could not be found. */
export interface CopiedFiles {
  readonly copied: number
  readonly missing: number
}

/** The folder of contents beside the backups. */
export function filesBeside(folder: string): FileStore {
  return diskStore(join(folder, 'attachments'))
}

/**
 * Copies the contents that the folder does not have yet. It runs after the backup is written, because every content
 * that the backup names is then in the store.
 */
export async function copyFiles(
  owner: Pool,
  from: FileStore,
  folder: string,
  signal?: AbortSignal,
): Promise<CopiedFiles> {
  const to = filesBeside(folder)
  let [copied, missing] = [0, 0]
  for (const name of await withConnection(owner, namedContents)) {
    signal?.throwIfAborted()
    if ((await to.size(storedName(name))) !== null) continue
    const content = await from.get(storedName(name))
    if (content === null) missing += 1
    else {
      await to.put(storedName(name), content)
      copied += 1
    }
  }
  return { copied, missing }
}

/**
 * Brings contents back for a restored database, and reads each of them through. A missing or damaged one counts as
 * not yet arrived: a tablet that has it still brings it again.
 */
export async function bringFiles(owner: Pool, folder: string, to: FileStore): Promise<CopiedFiles> {
  const from = filesBeside(folder)
  return withConnection(owner, async (connection) => {
    const root = await rootSecret(connection)
    let [copied, missing] = [0, 0]
    for (const name of root === null ? [] : await namedContents(connection)) {
      if (root === null) break
      if (await isSound(to, root, name)) continue
      const content = await from.get(storedName(name))
      if (content !== null) await to.put(storedName(name), content)
      if (await isSound(to, root, name)) copied += 1
      else {
        missing += 1
        await connection.query(
          `UPDATE attachment SET state = 'arriving', received = 0, stored_at = NULL WHERE project_id = $1 AND hash = $2 AND state = 'stored'`,
          [name.projectId, name.hash],
        )
      }
    }
    return { copied, missing }
  })
}

async function namedContents(connection: Queryable): Promise<readonly ContentName[]> {
  const { rows } = await connection.query<ContentName>(
    `SELECT DISTINCT project_id::text AS "projectId", hash FROM attachment WHERE state = 'stored' ORDER BY 1, 2`,
  )
  return rows
}

async function rootSecret(connection: Queryable): Promise<Uint8Array | null> {
  const { rows } = await connection.query<{ value: string }>(`SELECT value FROM server_secret WHERE name = 'root'`)
  return rows[0] === undefined ? null : Buffer.from(rows[0].value, 'base64url')
}

async function isSound(store: FileStore, root: Uint8Array, name: ContentName): Promise<boolean> {
  try {
    const content = await openContent(store, root, name)
    if (content === null) return false
    for await (const _piece of content);
    return true
  } catch (error) {
    if (error instanceof ContentDamaged) return false
    throw error
  }
}
