import { fail } from '#core/api/errors.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { newId } from '#core/ids.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { mappingProblems } from '#core/study/migration/migrationPlan.ts'
import { loadFolders } from '#server/areas/version/store.ts'
import type { VersionRecord } from '#server/areas/version/store.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { insertMigration, insertTask, patientsLeft } from './migrationStore.ts'
import type { Starter } from './migrationStore.ts'

/** Stores for good how a release takes over earlier data, and the task that follows from that. */

/** A page in both versions. */
export interface PagePair {
  readonly folder: FolderRow
  readonly name: string
  readonly nameEn: string | null
  readonly before: PageModel
  readonly after: PageModel
  /** The option of the page in its present form. */
  readonly option: string
}

/**
 * The pages that both versions have and that can be read, by id. A page that stands in several visits is taken from
 * the first.
 */
export function pagePairs(before: readonly FolderRow[], after: readonly FolderRow[]): ReadonlyMap<string, PagePair> {
  const now = new Map(after.flatMap(({ pages }) => pages).map((page) => [page.id, page]))
  const pairs = new Map<string, PagePair>()
  for (const folder of before) {
    for (const page of folder.pages) {
      const next = now.get(page.id)
      if (next === undefined || pairs.has(page.id)) continue
      const [was, is] = [parsePage(page.option), parsePage(next.option)]
      if (was.ok && is.ok)
        pairs.set(page.id, {
          folder,
          name: next.pageName,
          nameEn: next.pageNameEn ?? null,
          before: was.page,
          after: is.page,
          option: next.option,
        })
    }
  }
  return pairs
}

/**
 * Stores how a release takes over values, and begins the task where there are patients to migrate.
 *
 * @throws ApiFailure invalid for mappings from or to fields that the versions do not have
 */
export async function beginMigration(
  transaction: Queryable,
  said: {
    readonly version: VersionRecord
    readonly from: VersionRecord | null
    readonly mappings: MigrationMappings
    readonly starter: Starter
    readonly at: string
  },
): Promise<{ readonly taskId: string | null; readonly audit: NewAuditRow }> {
  const { version, from, mappings, starter, at } = said
  const pairs =
    from === null
      ? new Map<string, PagePair>()
      : pagePairs(await loadFolders(transaction, from.id), await loadFolders(transaction, version.id))
  const problems = mappingProblems(mappings, pairs)
  if (problems.length > 0)
    throw fail('invalid', {
      fields: problems.slice(0, 100).map((path) => ({ path: `body.mappings.${path}`, code: 'unknown_field' })),
    })
  const projectId = version.project_id
  await insertMigration(transaction, {
    versionId: version.id,
    projectId,
    fromId: from?.id ?? null,
    mappings,
    by: starter.userId,
    at,
  })
  const total = from === null ? 0 : await patientsLeft(transaction, projectId, version.id)
  const taskId = total === 0 ? null : newId()
  if (taskId !== null)
    await insertTask(transaction, { ...starter, id: taskId, projectId, versionId: version.id, total, at })
  return {
    taskId,
    audit: {
      action: 'version.migration',
      versionId: version.id,
      old: from === null ? null : { versionNo: from.version_no },
      new: { mappings: { ...mappings }, patients: total },
    },
  }
}
