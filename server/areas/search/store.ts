import type { SavedSearch } from '#core/api/calls/data/search.ts'
import { fail } from '#core/api/errors.ts'
import { condition } from '#core/dataset/conditions.ts'
import type { Condition } from '#core/dataset/conditions.ts'
import { requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { isIdentifying } from './searchFields.ts'

/** Searches that people keep. */

interface StoredSearch extends Omit<SavedSearch, 'condition' | 'isOwn'> {
  readonly condition: unknown
  readonly madeBy: string
}

const SEARCH = `
  SELECT s.id, s.name, s.condition, s.shared AS "isShared", s.made_by AS "madeBy", u.real_name AS "byName", s.updated_at AS "updatedAt"
  FROM search s JOIN app_user u ON u.id = s.made_by
  WHERE s.project_id = $1 AND NOT s.removed AND (s.shared OR s.made_by = $2)`

/**
 * The searches that the reader may use, by name. What somebody typed into a search may identify a person: searches
 * that ask about such fields are only for who may see these.
 */
export async function listSearches(connection: Queryable, member: Membership): Promise<SavedSearch[]> {
  const { rows } = await connection.query<StoredSearch>({
    name: 'search_list',
    text: `${SEARCH} ORDER BY lower(s.name), s.id`,
    values: [member.projectId, member.userId],
  })
  const read = rows.flatMap((row) => readSearch(row, member.userId))
  if (member.sensitive) return read
  const mayUse = await Promise.all(
    read.map(async (one) => !(await isIdentifying(connection, member.projectId, one.condition))),
  )
  return read.filter((_, at) => mayUse[at] === true)
}

/** A version of the app that knows no such condition any more leaves the search out. */
function readSearch({ madeBy, condition: stored, ...row }: StoredSearch, userId: string): readonly SavedSearch[] {
  const read = condition.safeParse(stored)
  return read.success ? [{ ...row, condition: read.data, isOwn: madeBy === userId }] : []
}

/**
 * The condition of a kept search that the reader may use. Whether they may see what it asks about: `knowCondition`.
 *
 * @throws ApiFailure forbidden without the right to search; not_found for a search that is another's, or removed
 */
export async function findCondition(connection: Queryable, member: Membership, id: string): Promise<Condition> {
  requirePermission(member, 'search_view')
  const { rows } = await connection.query<StoredSearch>({
    name: 'search_find',
    text: `${SEARCH} AND s.id = $3`,
    values: [member.projectId, member.userId, id],
  })
  const [found] = rows.flatMap((row) => readSearch(row, member.userId))
  if (found === undefined) throw fail('not_found')
  return found.condition
}

export interface LockedSearch {
  readonly projectId: string
  readonly madeBy: string
  readonly name: string
  readonly isShared: boolean
  readonly condition: unknown
  readonly isRemoved: boolean
}

/** A search, locked until the transaction ends; null where there is none. */
export async function lockSearch(transaction: Queryable, id: string): Promise<LockedSearch | null> {
  const { rows } = await transaction.query<LockedSearch>({
    name: 'search_lock',
    text: `
      SELECT project_id AS "projectId", made_by AS "madeBy", name, shared AS "isShared", condition, removed AS "isRemoved"
      FROM search WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  })
  return rows[0] ?? null
}
