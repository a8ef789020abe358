import type { Queryable } from '#server/database/transaction.ts'

import { fieldKey, identifyingFields } from './mask.ts'
import { definitionsOf } from './pages.ts'

/** Which fields of a page identify a person. */

/** Keys (`fieldKey`) by page. */
type PageMasks = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The fields that identify a person on each page, in any of its definitions. The mask of an older version holds for
 * older data, and for data that a release moved to other fields.
 */
export async function pageMasks(
  transaction: Queryable,
  projectId: string,
  pageIds: readonly string[],
): Promise<PageMasks> {
  return masksIn(transaction, projectId, pageIds, 'all')
}

/** The same as far as releases say it. It changes with a release only. */
export async function releasedMasks(
  transaction: Queryable,
  projectId: string,
  pageIds: readonly string[],
): Promise<PageMasks> {
  return masksIn(transaction, projectId, pageIds, 'released')
}

async function masksIn(
  transaction: Queryable,
  projectId: string,
  pageIds: readonly string[],
  versions: 'all' | 'released',
): Promise<PageMasks> {
  const masks = new Map<string, Set<string>>()
  if (pageIds.length === 0) return masks
  const asked = { pageIds: [...new Set(pageIds)], containing: '"identifier"', versions }
  for (const { pageId, page } of await definitionsOf(transaction, projectId, asked)) {
    const mask = masks.get(pageId) ?? new Set()
    for (const key of identifyingFields(page)) mask.add(key)
    masks.set(pageId, mask)
  }
  if (masks.size === 0) return masks
  for (const { pageId, table, from, to } of await renames(transaction, projectId, [...masks.keys()])) {
    const mask = masks.get(pageId)
    if (mask?.has(fieldKey(table, from)) === true) mask.add(fieldKey(table, to))
  }
  return masks
}

/** The masks of pages, each looked up once, for code that walks through many entries. */
export function masksOf(transaction: Queryable, projectId: string): (pageId: string) => Promise<ReadonlySet<string>> {
  const known = new Map<string, Promise<ReadonlySet<string>>>()
  const find = async (pageId: string): Promise<ReadonlySet<string>> =>
    (await pageMasks(transaction, projectId, [pageId])).get(pageId) ?? new Set()
  return (pageId) => {
    const masks = known.get(pageId) ?? find(pageId)
    known.set(pageId, masks)
    return masks
  }
}

interface Rename {
  readonly pageId: string
  readonly table: string | null
  readonly from: string
  readonly to: string
}

/** Fields of pages that releases of the project moved to others, in the order of the releases. */
async function renames(
  transaction: Queryable,
  projectId: string,
  pageIds: readonly string[],
): Promise<readonly Rename[]> {
  const { rows } = await transaction.query<Rename>({
    name: 'page_renames',
    text: `
      SELECT f ->> 'pageId' AS "pageId", f ->> 'table' AS "table", f ->> 'from' AS "from", f ->> 'to' AS "to"
      FROM version_migration m CROSS JOIN LATERAL jsonb_array_elements(m.mappings -> 'fields') AS f
      WHERE m.project_id = $1 AND f ->> 'pageId' = ANY ($2) AND f ->> 'to' IS NOT NULL ORDER BY m.created_at`,
    values: [projectId, pageIds],
  })
  return rows
}
