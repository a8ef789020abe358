import type { QueryOf } from '#core/api/call.ts'
import type { DataSet } from '#core/api/calls/data/dataset.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import type { JsonValue } from '#core/json.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

import { requireNeutral } from './narrow.ts'
import { requireExport } from './rights.ts'

/** Data sets that somebody has saved: their owner changes them, who shares the project may run what is shared. */

const SET = `
  SELECT
    s.id, s.name, s.shared, s.definition, s.owner = $2 AS "isMine", u.real_name AS "ownerName", s.rev, s.updated_at AS "updatedAt"
  FROM data_set s JOIN app_user u ON u.id = s.owner
  WHERE s.project_id = $1 AND (s.owner = $2 OR s.shared) AND NOT s.removed`

export async function listSets(
  connection: Queryable,
  member: Membership,
  { projectId }: QueryOf<CallOf<'dataset.list'>>,
): Promise<readonly DataSet[]> {
  const { rows } = await connection.query<DataSet>({
    name: 'dataset_list',
    text: `${SET} ORDER BY s.owner <> $2, lower(s.name), s.id`,
    values: [projectId, member.userId],
  })
  return rows
}

interface StoredSet {
  readonly name: string
  readonly shared: boolean
  readonly definition: JsonValue
  readonly owner: string
  readonly rev: number
  readonly projectId: string
  readonly removed: boolean
}

async function lockSet(transaction: Queryable, setId: string): Promise<StoredSet | null> {
  const { rows } = await transaction.query<StoredSet>({
    name: 'dataset_lock',
    text: `
      SELECT name, shared, definition, owner, rev, project_id AS "projectId", removed FROM data_set WHERE id = $1 FOR UPDATE`,
    values: [setId],
  })
  return rows[0] ?? null
}

/**
 * Saves a data set.
 *
 * @throws ApiFailure forbidden; not_found for one that is another's; revision_changed where it was saved since
 */
export async function saveSet(context: Write<'dataset.save'>): Promise<DataSet> {
  const { actor, body, services } = context
  const { projectId, id, rev, name, shared, definition } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireExport(member, definition)
    await requireNeutral(transaction, member, definition)
    const known = await lockSet(transaction, id)
    if (known !== null && (known.projectId !== projectId || known.owner !== actor.userId || known.removed))
      throw fail('not_found')
    if ((known?.rev ?? 0) !== rev) throw fail('revision_changed')
    await transaction.query({
      name: 'dataset_write',
      text: `
        INSERT INTO data_set (id, project_id, name, shared, definition, owner, rev, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (id) DO UPDATE SET name = $3, shared = $4, definition = $5, rev = $7, updated_at = $8`,
      values: [id, projectId, name, shared, JSON.stringify(definition), actor.userId, rev + 1, services.now()],
    })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [
        {
          action: 'dataset.save',
          old: known === null ? null : { id, name: known.name, shared: known.shared, definition: known.definition },
          new: { id, name, shared, definition: definitionValue(definition) },
        },
      ],
      changes: [],
    })
    const saved = (await listSets(transaction, member, { projectId })).find((one) => one.id === id)
    if (saved === undefined) throw fail('internal')
    return { committed, result: { ...saved, definition: saved.definition } }
  })
}

/** A definition as a value of the trail. */
export function definitionValue(definition: DataSetDefinition): JsonValue {
  return JSON.parse(JSON.stringify(definition)) as JsonValue
}

/** @throws ApiFailure not_found for one that is another's */
export async function removeSet(context: Write<'dataset.remove'>): Promise<true> {
  const { actor, body } = context
  const { projectId, id } = body
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requireExport(member)
    const known = await lockSet(transaction, id)
    if (known === null || known.projectId !== projectId || known.owner !== actor.userId || known.removed)
      throw fail('not_found')
    await transaction.query({
      name: 'dataset_remove',
      text: 'UPDATE data_set SET removed = true WHERE id = $1',
      values: [id],
    })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: projectStatuses,
      audit: [{ action: 'dataset.remove', old: { id, name: known.name }, new: null }],
      changes: [],
    })
    return { committed, result: true as const }
  })
}
