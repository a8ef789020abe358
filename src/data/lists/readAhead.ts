import { parseScope } from '#core/sync/protocol/scope.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { listKeptScopes } from '#src/data/rows/local.ts'

import { localPatients } from './readPatients.ts'

/**
 * Opens the directories of kept centers and makes their lists, so that the first list is there at once. They stay open
 * as long as the keys do. If a directory cannot be read, the list that needs it says so.
 *
 * @returns the kept projects
 */
export async function readAhead(context: DataContext): Promise<readonly string[]> {
  const read = await context.storage.run(async () => {
    const scopes = (await listKeptScopes(context)).map((text) => ({ text, scope: parseScope(text) }))
    const projects = Map.groupBy(scopes, ({ scope }) => scope?.projectId)
    for (const [projectId, of] of projects) {
      const centers = of.flatMap(({ text, scope }) =>
        scope?.kind === 'center' ? [{ ...scope, text, opened: null }] : [],
      )
      if (projectId !== undefined && centers.length > 0) await localPatients(context, projectId, centers)
    }
    return [...projects.keys()].filter((projectId) => projectId !== undefined)
  })
  return read.ok ? read.value : []
}
