import type { SavedSearch } from '#core/api/calls/data/search.ts'
import { fail } from '#core/api/errors.ts'
import { condition as conditionSchema } from '#core/dataset/conditions.ts'
import type { Condition } from '#core/dataset/conditions.ts'
import type { JsonValue } from '#core/json.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

import { isIdentifying, knowCondition, refuse } from './searchFields.ts'
import { listSearches, lockSearch } from './store.ts'

/** Keeping a search, changing one of the own, removing it. */

/**
 * Keeps a search under its id, or changes it.
 *
 * @throws ApiFailure forbidden for another's search and for a masked field; invalid for an id of another project
 */
export async function saveSearch(context: Write<'search.save'>): Promise<SavedSearch> {
  const { actor, body, services } = context
  const { id, projectId, name, condition, isShared } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'search_view')
    await knowCondition(transaction, member, condition)
    const before = await lockSearch(transaction, id)
    if (before !== null && (before.projectId !== projectId || before.isRemoved)) throw refuse('body.id', 'taken')
    if (before !== null && before.madeBy !== actor.userId) throw fail('forbidden')
    await transaction.query({
      name: 'search_save',
      text: `
        INSERT INTO search (id, project_id, name, condition, shared, made_by, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, condition = excluded.condition, shared = excluded.shared, updated_at = excluded.updated_at`,
      values: [id, projectId, name.trim(), JSON.stringify(condition), isShared, actor.userId, services.now()],
    })
    const old = before === null ? null : await saidOf(transaction, projectId, { id, ...before })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [
        {
          action: 'search.save',
          old,
          new: await saidOf(transaction, projectId, { id, name: name.trim(), isShared, condition }),
        },
      ],
      changes: [],
    })
    return { committed, result: await savedAs(transaction, member, id) }
  })
}

async function savedAs(transaction: Queryable, member: Membership, id: string): Promise<SavedSearch> {
  const saved = (await listSearches(transaction, member)).find((one) => one.id === id)
  if (saved === undefined) throw fail('internal')
  return saved
}

/** Removes a search. @throws ApiFailure not_found for one that is not there; forbidden for another's */
export async function removeSearch(context: Write<'search.remove'>): Promise<boolean> {
  const { actor, body } = context
  const { id, projectId } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'search_view')
    const before = await lockSearch(transaction, id)
    if (before === null || before.projectId !== projectId || before.isRemoved) throw fail('not_found')
    if (before.madeBy !== actor.userId) throw fail(before.isShared ? 'forbidden' : 'not_found')
    await transaction.query({
      name: 'search_remove',
      text: 'UPDATE search SET removed = true WHERE id = $1',
      values: [id],
    })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [{ action: 'search.remove', old: await saidOf(transaction, projectId, { id, ...before }) }],
      changes: [],
    })
    return { committed, result: true }
  })
}

interface Said {
  readonly id: string
  readonly name: string
  readonly isShared: boolean
  readonly condition: unknown
}

/** What the trail says of a search. What was typed about a field that identifies is not told. */
async function saidOf(
  transaction: Queryable,
  projectId: string,
  { id, name, isShared, condition }: Said,
): Promise<JsonValue> {
  const read = conditionSchema.safeParse(condition)
  const asked = read.success ? await bookedCondition(transaction, projectId, read.data) : null
  return { id, name, shared: isShared, condition: asked }
}

/** A condition as the trail may tell it; null where it asks about a field that identifies. */
export async function bookedCondition(
  transaction: Queryable,
  projectId: string,
  condition: Condition,
): Promise<JsonValue> {
  if (await isIdentifying(transaction, projectId, condition)) return null
  // A condition is JSON by its schema.
  return JSON.parse(JSON.stringify(condition)) as JsonValue
}
