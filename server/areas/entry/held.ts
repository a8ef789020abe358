import { noteInbox } from '#server/areas/notice/inbox.ts'
import { stampOf } from '#server/operations/act.ts'
import { complete, findBooked } from '#server/operations/booked.ts'
import type { BookedAct } from '#server/operations/booked.ts'
import { inboxChange } from '#server/operations/holdAct.ts'
import { effectOf, emptyAnswer } from '#server/operations/takeIn.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { isOurFault, toApiError } from '#server/http/errors.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/** Operations that were held while their project was paused. */

/**
 * Applies held operations when a project goes on, in order of arrival and each in its own transaction. An operation
 * that then turns out not to fit goes to the inbox, and so does every one when the project ended instead. It stops
 * where the project is paused again. It may be called at any time, by several callers at once, and again after a
 * crash.
 *
 * @returns how many operations were applied or moved to the inbox
 */
export async function applyHeld(services: Services, projectId: string): Promise<number> {
  let done = 0
  for (;;) {
    const key = await withConnection(services.pool, (connection) => nextHeld(connection, projectId))
    if (key === null) return done
    try {
      await withTransaction(services.pool, (transaction) => applyOne(services, transaction, projectId, key))
    } catch (error) {
      const { code } = toApiError(error)
      if (code === 'project_stopped' || code === 'project_closed') return done
      if (code === 'busy' || code === 'server_full') throw error
      // If one operation fails, the others go on.
      if (isOurFault(error)) services.log.error({ error, call: 'held' }, 'held operation failed')
      await withTransaction(services.pool, (transaction) =>
        moveToInbox(transaction, { projectId, key, code, at: services.now() }),
      )
    }
    done += 1
  }
}

/** Goes on where a server ended in the middle of `applyHeld`. Called at start. */
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

async function applyOne(services: Services, transaction: Queryable, projectId: string, key: string): Promise<void> {
  const act = await lockHeld(transaction, projectId, key)
  if (act === null) return
  const effect = await effectOf(transaction, act)
  await complete(transaction, act, effect)
  if (effect.outcome !== 'applied' && effect.outcome !== 'conflict') return
  await transaction.query(`UPDATE inbox SET state = 'released', decided_at = $2 WHERE op_key = $1`, [
    key,
    services.now(),
  ])
  await commitProject(transaction, {
    projectId,
    statuses: ['process'],
    stamp: serverStamp(services),
    audit: [
      { action: 'operation.released', centerId: effect.centerId, pass: act.pass, old: 'held', new: { operation: key } },
    ],
    changes: [inboxChange(key)],
  })
}

interface Stuck {
  readonly projectId: string
  readonly key: string
  /** Why it could not be applied. */
  readonly code: string
  readonly at: string
}

async function moveToInbox(transaction: Queryable, { projectId, key, code, at }: Stuck): Promise<void> {
  const act = await lockHeld(transaction, projectId, key)
  if (act === null) return
  const { rows } = await transaction.query<{ centerId: string | null }>(
    'UPDATE inbox SET note = $2 WHERE op_key = $1 RETURNING center_id AS "centerId"',
    [key, code],
  )
  const centerId = rows[0]?.centerId ?? null
  const committed = await commitProject(transaction, {
    projectId,
    statuses: ['process', 'stop', 'close'],
    stamp: stampOf(act, null),
    audit: [{ action: 'operation.inbox', centerId, pass: act.pass, reasonCode: code }],
    changes: [inboxChange(key)],
  })
  await noteInbox(transaction, { projectId, key, by: act.author.userId, at })
  await complete(transaction, act, {
    outcome: 'inbox',
    reason: 'project_stopped',
    centerId,
    committed,
    result: emptyAnswer(act),
  })
}

/** The held operation as an act; null when another server or request has taken care of it meanwhile. */
async function lockHeld(transaction: Queryable, projectId: string, key: string): Promise<BookedAct | null> {
  const booked = await findBooked(transaction, key, projectId, 'resumed', true)
  return booked !== null && booked.outcome === 'held' && booked.state === 'open' ? booked.act : null
}
