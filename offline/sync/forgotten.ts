import type { WorkDb } from '#offline/db/databases.ts'
import { getMeta } from '#offline/db/meta.ts'

/**
 * Scopes of which the server may have forgotten operations from here, because it was restored from a backup. Their keys
 * are needed to offer these operations again (offline/sync/restore.ts), even where nobody keeps the scopes any more.
 *
 * @param epoch the server's current one
 */
export async function forgottenScopes(work: WorkDb, epoch: string): Promise<readonly string[]> {
  const [epochs = {}, unoffered = {}] = await Promise.all([getMeta(work, 'epochs'), getMeta(work, 'unoffered')])
  const scopes: string[] = []
  for (const [scope, known] of Object.entries(epochs)) {
    if (known === epoch && (unoffered[scope] ?? []).length === 0) continue
    if (await hasSentOperation(work, scope)) scopes.push(scope)
  }
  return scopes
}

/** Whether an operation of a scope is here that the server has taken. */
export async function hasSentOperation(work: WorkDb, scope: string): Promise<boolean> {
  const found = await work.receipts
    .where('scope')
    .equals(scope)
    .filter(({ op }) => op !== null)
    .first()
  return found !== undefined
}
