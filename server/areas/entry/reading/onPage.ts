import { fail } from '#core/api/errors.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { fieldKey } from './mask.ts'
import { allDefinitions } from './pages.ts'
import { pageMasks } from './pageMasks.ts'

/** Whether a patient has something on a page, or in a table of it: SQL over `p`, and what a reader may ask. */

/**
 * Patients with at least one saved entry of the page that is not deleted.
 *
 * @param pass null for either pass
 */
export function hasPage(page: string, pass: string): string {
  return `EXISTS (
    SELECT FROM entry e WHERE e.patient_id = p.id AND e.page_id = ${page} AND (${pass}::smallint IS NULL OR e.pass = ${pass}) AND NOT e.deleted AND e.status <> 'init')`
}

/** Patients with at least one row, not deleted, in a table of the page. */
export function hasRows(page: string, pass: string, table: string): string {
  return `EXISTS (
    SELECT FROM entry e WHERE e.patient_id = p.id AND e.page_id = ${page} AND (${pass}::smallint IS NULL OR e.pass = ${pass}) AND NOT e.deleted
      AND EXISTS (
        SELECT FROM jsonb_array_elements(CASE jsonb_typeof(e."values" -> ${table}) WHEN 'array' THEN e."values" -> ${table} ELSE '[]' END) AS r
        WHERE r -> '_deleted' IS DISTINCT FROM 'true'::jsonb))`
}

/** @throws ApiFailure not_found for a page that no version of the project has */
export async function requirePage(transaction: Queryable, { projectId }: Membership, pageId: string): Promise<void> {
  const { rowCount } = await transaction.query({
    name: 'page_of_project',
    text: 'SELECT 1 FROM crf_page p JOIN crf_version v ON v.id = p.version_id WHERE v.project_id = $1 AND p.page_id = $2 LIMIT 1',
    values: [projectId, pageId],
  })
  if (rowCount !== 1) throw fail('not_found')
}

/**
 * @throws ApiFailure not_found for a table that the page does not have, forbidden where the table identifies patients
 *   and the reader may not see that
 */
export async function requireTable(
  transaction: Queryable,
  member: Membership,
  pageId: string,
  code: string,
): Promise<void> {
  const definitions = await allDefinitions(transaction, member.projectId, [pageId])
  if (!definitions.some(({ page }) => page.fields.some((one) => one.code === code && one.children.length > 0)))
    throw fail('not_found')
  const masks = member.sensitive ? null : (await pageMasks(transaction, member.projectId, [pageId])).get(pageId)
  if (masks?.has(fieldKey(null, code)) === true) throw fail('forbidden')
}
