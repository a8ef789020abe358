import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import { contentAt, sameContent } from '#core/sync/merge.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { baseAfter } from './migrate.ts'
import { pageSteps } from './migrationSteps.ts'
import type { PageStep } from './migrationSteps.ts'

/**
 * The bases of a tablet that has a release and has not yet seen what the release made of an entry
 * (docs/adr/0028-migration.md).
 */

interface EntryNow {
  readonly page: DefinedPage
  /** The entry, migrated to the page's version. */
  readonly entry: StoredEntry
  /** The steps by which this act brings the entry there; empty where it was there already. */
  readonly steps: readonly PageStep[]
}

/**
 * Items whose bases are values from before the entry's migration. They get the migrated values as bases, as long as
 * nobody has written the items since.
 */
export async function basesNow(
  transaction: Queryable,
  projectId: string,
  items: readonly ItemChange[],
  { page, entry, steps }: EntryNow,
): Promise<readonly ItemChange[]> {
  if (steps.length > 0) return baseAfter(items, entry, steps)
  const others = items.filter((item) => !sameContent(contentAt(entry, item) ?? EMPTY_ITEM, item.base))
  if (others.length === 0) return items
  const came = await cameThere(transaction, entry.id, others)
  if (came === null) return items
  const unwritten = new Set(others.filter((_, at) => !came.written.includes(at)))
  const unseen = await pageSteps(transaction, projectId, came.fromId, page.versionId, page)
  return items.flatMap((item) => (unwritten.has(item) ? baseAfter([item], entry, unseen) : [item]))
}

/**
 * The release from which the entry was last migrated, and which of some items were written since, also by the act
 * that migrated it. Null where it never was migrated.
 */
async function cameThere(
  transaction: Queryable,
  entryId: string,
  items: readonly ItemChange[],
): Promise<{ readonly fromId: string; readonly written: readonly number[] } | null> {
  const { rows } = await transaction.query<{ fromId: string; written: readonly number[] }>({
    name: 'entry_came_there',
    text: `
      WITH came AS (
        SELECT a.seq, m.from_version_id FROM audit a JOIN version_migration m ON m.version_id = a.version_id
        WHERE a.entry_id = $1 AND a.prop IS NULL AND a.action = 'entry.migrate' AND m.from_version_id IS NOT NULL ORDER BY a.seq DESC, a.ord LIMIT 1)
      SELECT came.from_version_id AS "fromId", ARRAY(
        SELECT i.at FROM jsonb_to_recordset($2) AS i (at integer, "table" text, rid text, code text)
        WHERE EXISTS (
          SELECT FROM audit a WHERE a.entry_id = $1 AND a.prop = i.code AND a.seq >= came.seq AND a.action = 'item.update'
            AND a.table_prop IS NOT DISTINCT FROM i."table" AND a.rid IS NOT DISTINCT FROM i.rid)
      ) AS written FROM came`,
    values: [entryId, JSON.stringify(items.map(({ table, rid, code }, at) => ({ at, table, rid, code })))],
  })
  return rows[0] ?? null
}
