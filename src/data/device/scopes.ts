import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readDownload, readScopes } from '#src/data/rows/readProjects.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { Download, ScopeView } from '#src/data/shapes/scopeTypes.ts'
import { dropScope, keepScope } from '#src/data/writes/scopes.ts'
import type { ScopeDropped, ScopeKeeper } from '#src/data/writes/scopes.ts'

/** What is kept on this device. */
export interface ScopeData {
  scopes(projectId: string): Reading<readonly ScopeView[]>
  /** The same as `scopes`, without counting what is kept. */
  keeping(projectId: string): Reading<readonly ScopeView[]>
  /** Null while no download runs. */
  download(): Reading<Download | null>
  /** Keeps a scope (and its project's common one) on this device and starts to download it. */
  keepScope(scope: string): Promise<Result<true, ApiError>>
  /** Gives up a scope. Refused with the number of unsent operations while there are any. */
  dropScope(scope: string): Promise<ScopeDropped>
  /** Asks the browser to keep this device's data. */
  persistStorage(): Promise<boolean>
}

export function makeScopeData(context: DataContext, keeper: ScopeKeeper): ScopeData {
  return {
    scopes: (projectId) => readScopes(context, projectId, true),
    keeping: (projectId) => readScopes(context, projectId, false),
    download: () => readDownload(context),
    keepScope: async (scope) => {
      const kept = await keepScope(context, keeper, scope)
      if (kept.ok) await askToPersistOnce(context)
      return kept
    },
    dropScope: (scope) => dropScope(context, scope),
    persistStorage: askToPersist,
  }
}

async function askToPersist(): Promise<boolean> {
  return (await (navigator as Partial<Navigator>).storage?.persist()) ?? false
}

/**
 * Asks the browser to keep the data for good once a person has chosen to keep a center here: then there is something to
 * protect, and the person knows why the browser asks. It asks only once; later the person can ask again on the device's
 * page.
 */
async function askToPersistOnce({ storage }: DataContext): Promise<void> {
  const asked = await storage.run(({ work }) => getMeta(work, 'persistAsked'))
  if (!asked.ok || asked.value === true) return
  await askToPersist()
  await storage.run(({ work }) => setMeta(work, 'persistAsked', true))
}
