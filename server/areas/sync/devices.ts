import type { DeviceLine } from '#core/api/calls/sync.ts'
import { ApiFailure, fail } from '#core/api/errors.ts'
import { centerParameter, membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { endSessionsOfDevice } from '#server/areas/auth/store.ts'
import { boundFigure } from '#server/areas/auth/device.ts'
import { commitProject, commitSystem } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

import { centerOf, projectOf, unsentSql } from './deviceScopes.ts'

/** Devices that keep data of a project: their last report, and whether they are blocked. */

/**
 * Devices that hold a key of the project, within the reader's centers. A device that keeps only centers of others is
 * not shown. The parameters are `visibleTo`.
 */
const VISIBLE = `
  EXISTS (SELECT 1 FROM device_key k WHERE k.device_id = d.id AND (k.scope = $1 OR k.scope LIKE $2))
  AND ($3::text[] IS NULL
    OR NOT EXISTS (SELECT 1 FROM device_key k WHERE k.device_id = d.id AND k.scope LIKE $2)
    OR EXISTS (SELECT 1 FROM device_key k WHERE k.device_id = d.id AND k.scope LIKE $2 AND ${centerOf('k.scope')} = ANY ($3)))`

function visibleTo(member: Membership): readonly unknown[] {
  // Ids hold no character that LIKE reads as a pattern.
  return [member.projectId, `${member.projectId}/%`, centerParameter(member)]
}

/** What is unsent of the project's own scope counts for everybody. */
const SAID = unsentSql(
  (scope) =>
    `${projectOf(scope)} = $1 AND ($3::text[] IS NULL OR ${centerOf(scope)} = '' OR ${centerOf(scope)} = ANY ($3))`,
)

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** One page of the project's devices: those with unsent work first, the oldest before all others. */
export async function listDevices(
  transaction: Queryable,
  member: Membership,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ readonly rows: readonly DeviceLine[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const where = visibleTo(member)
  const { rows } = await transaction.query<DeviceLine>({
    name: 'device_list',
    text: `
      SELECT
        d.id, d.name, d.user_agent AS "userAgent", d.app_version AS "appVersion", d.persisted, d.created_at AS "createdAt",
        d.last_contact_at AS "lastContactAt", u.real_name AS "lastUserName", d.clock_drift_ms AS "clockDriftMs",
        said.unsent, said.oldest AS "oldestUnsent", ${boundFigure(`(d.report->>'refused')::numeric`)} AS refused,
        ${boundFigure(`(d.report->>'drafts')::numeric`)} AS drafts,
        CASE WHEN jsonb_typeof(d.report->'storage') = 'object' THEN (d.report->'storage') - 'persisted'::text END AS storage,
        (SELECT coalesce(array_agg(c.name ORDER BY c.code), '{}') FROM center c
          WHERE c.project_id = ($1::text)::uuid AND ($3::text[] IS NULL OR c.id::text = ANY ($3))
            AND EXISTS (SELECT 1 FROM device_key k WHERE k.device_id = d.id AND k.scope LIKE $1 || '/' || c.id || '/%')) AS centers,
        d.blocked, d.block_reason AS "blockReason", b.real_name AS "blockedByName", d.blocked_at AS "blockedAt",
        d.storage_lost_at AS "storageLostAt", d.lost_unsent AS "lostUnsent"
      FROM device d LEFT JOIN app_user u ON u.id = d.last_user_id LEFT JOIN app_user b ON b.id = d.blocked_by
      CROSS JOIN LATERAL (${SAID}) AS said
      WHERE ${VISIBLE}
      ORDER BY said.unsent = 0, said.oldest, d.last_contact_at DESC, d.id LIMIT $4 OFFSET $5`,
    values: [...where, size, (current - 1) * size],
  })
  const count = await transaction.query<{ total: number }>({
    name: 'device_count',
    text: `SELECT count(*) AS total FROM (SELECT 1 FROM device d WHERE ${VISIBLE} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values: [...where],
  })
  const total = count.rows[0]?.total ?? 0
  return { rows, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

/**
 * Blocks or unblocks a device. This concerns all projects whose data the device keeps. So only a platform
 * administrator may do it, or a member who looks after the devices of each of them. Audited in the project and in the
 * system's trail.
 *
 * @throws ApiFailure not_found where the device keeps nothing of the project that the member may see; forbidden
 */
export function blockDevice(context: Write<'sync.deviceBlock'>, deviceId: string): Promise<boolean> {
  const { actor, body, services } = context
  const { projectId, blocked, reason } = body
  return runOnce(context, { projectId, entityId: deviceId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'device_manage')
    const before = await lockDevice(transaction, member, deviceId)
    await requireAllProjects(transaction, actor, deviceId)
    await transaction.query({
      name: 'device_block',
      text: 'UPDATE device SET blocked = $2, block_reason = $3, blocked_by = $4, blocked_at = $5 WHERE id = $1',
      values: [
        deviceId,
        blocked,
        blocked ? reason : null,
        blocked ? actor.userId : null,
        blocked ? services.now() : null,
      ],
    })
    if (blocked) await endSessionsOfDevice(transaction, deviceId, services.now())
    const row = {
      action: blocked ? 'device.block' : 'device.unblock',
      old: before.blocked,
      new: { deviceId, name: before.name },
      reasonText: reason,
    }
    const stamp = stampAs(member.role)
    const committed = await commitProject(transaction, {
      projectId,
      statuses: ['start', 'process', 'stop', 'close'],
      under: member,
      stamp,
      audit: [row],
      changes: [],
    })
    await commitSystem(transaction, stamp, [row])
    return { committed, result: true }
  })
}

async function lockDevice(
  transaction: Queryable,
  member: Membership,
  deviceId: string,
): Promise<{ readonly blocked: boolean; readonly name: string }> {
  const { rows } = await transaction.query<{ blocked: boolean; name: string }>({
    name: 'device_lock',
    text: `SELECT d.blocked, d.name FROM device d WHERE d.id = $4 AND ${VISIBLE} FOR NO KEY UPDATE OF d`,
    values: [...visibleTo(member), deviceId],
  })
  const [device] = rows
  if (device === undefined) throw fail('not_found')
  return device
}

/** @throws ApiFailure forbidden where the device keeps data of a project whose devices the actor does not look after */
async function requireAllProjects(transaction: Queryable, actor: Actor, deviceId: string): Promise<void> {
  if (actor.isAdmin) return
  const { rows } = await transaction.query<{ projectId: string }>({
    name: 'device_projects',
    text: `
      SELECT DISTINCT p.id AS "projectId" FROM device_key k JOIN project p ON p.id::text = split_part(k.scope, '/', 1)
      WHERE k.device_id = $1 AND NOT p.deleted`,
    values: [deviceId],
  })
  for (const { projectId } of rows) {
    try {
      requirePermission(await membership(transaction, actor, projectId), 'device_manage')
    } catch (error) {
      if (error instanceof ApiFailure) throw fail('forbidden')
      throw error
    }
  }
}
