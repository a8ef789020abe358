import { ApiFailure } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import type { QueueableCall } from '#core/sync/operation.ts'
import { readBody, stampOf } from '#server/areas/sync/act.ts'
import type { AnyAct } from '#server/areas/sync/act.ts'
import { effectOf, emptyAnswer } from '#server/areas/sync/take.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import type { Acted, Actor } from '#server/http/handler.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

/** Operations that were held while their project was paused. */

/**
 * Applies what was held, in order of arrival and each in its own transaction, when a project goes on. Whatever then turns out not to fit
 * goes to the inbox, as does everything when the project ended instead. Stops where the project is paused again; may be called at any time, by several at once, and again after a crash.
 *
 * @returns how many operations were applied or moved to the inbox
 */
export async function applyHeld(services: Services, projectId: string): Promise<number> {
  let done = 0
  for (;;) {
    const key = await withConnection(services.pool, (connection) => nextHeld(connection, projectId))
    if (key === null) return done
    try {
      await withTransaction(services.pool, (transaction) => applyOne(transaction, key))
    } catch (error) {
      const { code } = toApiError(error)
      if (code === 'project_stopped' || code === 'project_closed') return done
      if (code === 'busy') throw error
      // Whatever is wrong with this one, the others go on.
      if (isOurFault(error)) services.log.error({ error, call: 'held' }, 'held operation failed')
      await withTransaction(services.pool, (transaction) => moveToInbox(transaction, key, code))
    }
    done += 1
  }
}

/** Takes up what a server that ended in the middle of `applyHeld` left. Called at start. */
export async function applyAllHeld(services: Services): Promise<number> {
  const { rows } = await withConnection(services.pool, (connection) =>
    connection.query<{ id: string }>(`
      SELECT DISTINCT p.id FROM project p JOIN inbox i ON i.project_id = p.id JOIN operation o ON o.key = i.op_key
      WHERE p.status IN ('process', 'close') AND NOT p.deleted AND i.state = 'open' AND o.outcome = 'held'`),
  )
  let done = 0
  for (const { id } of rows) done += await applyHeld(services, id)
  return done
}

async function nextHeld(connection: Queryable, projectId: string): Promise<string | null> {
  const { rows } = await connection.query<{ key: string }>({
    name: 'held_next',
    text: `
      SELECT o.key FROM inbox i JOIN operation o ON o.key = i.op_key JOIN project p ON p.id = i.project_id
      WHERE i.project_id = $1 AND i.state = 'open' AND o.outcome = 'held' AND p.status IN ('process', 'close')
      ORDER BY o.seq LIMIT 1`,
    values: [projectId],
  })
  return rows[0]?.key ?? null
}

async function applyOne(transaction: Queryable, key: string): Promise<void> {
  const act = await lockHeld(transaction, key)
  if (act === null) return
  const effect = await effectOf(transaction, act)
  await complete(transaction, act, effect)
  const applied = effect.outcome === 'applied' || effect.outcome === 'conflict'
  if (applied) await transaction.query(`UPDATE inbox SET state = 'released', decided_at = now() WHERE op_key = $1`, [key])
}

async function moveToInbox(transaction: Queryable, key: string, code: string): Promise<void> {
  const act = await lockHeld(transaction, key)
  if (act === null) return
  const { rows } = await transaction.query<{ centerId: string | null }>(
    'UPDATE inbox SET note = $2 WHERE op_key = $1 RETURNING center_id AS "centerId"',
    [key, code],
  )
  const centerId = rows[0]?.centerId ?? null
  const committed = await commitProject(transaction, {
    projectId: act.projectId,
    statuses: ['process', 'stop', 'close'],
    stamp: stampOf(act, null),
    audit: [{ action: 'operation.inbox', centerId, pass: act.pass, reasonCode: code }],
    changes: [],
  })
  await complete(transaction, act, { outcome: 'inbox', reason: 'project_stopped', centerId, committed, result: emptyAnswer(act) })
}

/** Stores what became of the operation, for whoever sends it again. */
async function complete(transaction: Queryable, act: HeldAct, effect: OperationEffect<JsonValue>): Promise<void> {
  const { outcome, reason, centerId, committed, result } = effect
  const { key, projectId, payloadHash, receivedAt } = act
  const receipt = { key, outcome, reason, projectId, seq: committed.seq, head: committed.head, payloadHash, receivedAt }
  await transaction.query({
    name: 'operation_released',
    text: 'UPDATE operation SET center_id = $2, outcome = $3, reason = $4, seq = $5, head = $6, result = $7 WHERE key = $1',
    values: [key, centerId, outcome, reason, committed.seq, committed.head, JSON.stringify(result(receipt))],
  })
}

type HeldAct = AnyAct & { readonly payloadHash: string }

interface HeldRow {
  readonly call: QueueableCall
  readonly body: JsonValue
  readonly payloadHash: string
  readonly projectId: string
  readonly crfVersionId: string | null
  readonly pass: 1 | 2
  readonly entityId: string
  readonly author: Omit<Actor, 'sessionId'>
  readonly carriedBy: string | null
  readonly acted: Acted
  readonly deviceSeq: number | null
  readonly protocol: number | null
  readonly receivedAt: string
}

/** The held operation as an act; null when another has taken care of it meanwhile. */
async function lockHeld(transaction: Queryable, key: string): Promise<HeldAct | null> {
  const { rows } = await transaction.query<HeldRow>({
    name: 'held_lock',
    text: `
      SELECT
        o.call, o.body, o.payload_hash AS "payloadHash", o.project_id AS "projectId", o.crf_version_id AS "crfVersionId", o.pass,
        o.entity_id AS "entityId", o.carried_by AS "carriedBy", o.device_seq AS "deviceSeq", o.protocol, o.received_at AS "receivedAt",
        jsonb_build_object('userId', u.id, 'account', u.account, 'realName', u.real_name, 'isAdmin', u.is_admin, 'isDemo', u.is_demo) AS author,
        jsonb_build_object(
          'at', to_char(o.acted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'offsetMinutes', o.acted_offset_minutes,
          'driftMs', o.clock_drift_ms, 'deviceId', o.device_id, 'appVersion', o.app_version) AS acted
      FROM inbox i JOIN operation o ON o.key = i.op_key JOIN app_user u ON u.id = o.author
      WHERE i.op_key = $1 AND i.state = 'open' AND o.outcome = 'held'
      FOR UPDATE OF i, o`,
    values: [key],
  })
  const [row] = rows
  if (row === undefined) return null
  const content = readBody(row.call, row.body)
  // It was read when it came; only a change of the schema could stop it now.
  if (!content.ok) throw new ApiFailure({ code: 'invalid', fields: content.error })
  const { author, body: _body, call: _call, ...rest } = row
  return {
    ...content.value,
    ...rest,
    key,
    centerId: null,
    // What it builds on came before it, and so is applied before it.
    after: [],
    author: { ...author, sessionId: '' },
    language: 'zh',
    ip: null,
  }
}
