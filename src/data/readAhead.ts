import { parseScope } from '#core/sync/scope.ts'

import type { DataContext } from './context.ts'
import { keptScopes } from './local.ts'
import { localPatientRows } from './localPatients.ts'

/**
 * Opens the directories of kept centers, so that their first list is there at once: they stay open as long as the keys do. Where one cannot
 * be read, the list that needs it says so.
 *
 * @returns the projects that are kept
 */
export async function readAhead(context: DataContext): Promise<readonly string[]> {
  const read = await context.storage.run(async () => {
    const scopes = (await keptScopes(context)).map((text) => ({ text, scope: parseScope(text) }))
    for (const { text, scope } of scopes) if (scope?.kind === 'center') await localPatientRows(context, text)
    return [...new Set(scopes.flatMap(({ scope }) => scope?.projectId ?? []))]
  })
  return read.ok ? read.value : []
}
