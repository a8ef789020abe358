import { conflictId } from '#core/derivedIds.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { DELETED, sameContent } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { presentOf, closeConflict } from '#server/areas/entry/disputes/conflicts.ts'
import type { StoredConflict } from '#server/areas/entry/disputes/conflicts.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

import { conflictAfter } from './migrate.ts'
import { pageSteps } from './migrationSteps.ts'
import type { PageStep } from './migrationSteps.ts'
import type { PageIds } from './versionEngine.ts'

/**
 * Goes once through data that an older version of this server left, and that this version handles otherwise
 * (migrations 0034 and 0035). Entered data do not change. Conflicts get the version that last had their field. Lists
 * and conflicts stop waiting for answers that nobody can give any more. Each change is in the trail.
 */

const SETTING = 'look_through'

/** Called at start, before anybody can decide anything. If the server dies meanwhile, the next one does the rest. */
export async function lookThrough(services: Services): Promise<void> {
  const projects = await withConnection(services.pool, async (connection) => {
    const { rows } = await connection.query<{ id: string }>(`
      SELECT id FROM project WHERE NOT deleted AND EXISTS (SELECT FROM setting WHERE key = '${SETTING}' AND value = 'true') ORDER BY id`)
    return rows.map(({ id }) => id)
  })
  for (const projectId of projects)
    await withTransaction(services.pool, (transaction) => lookThroughProject(services, transaction, projectId))
  await withConnection(services.pool, (connection) =>
    connection.query(`UPDATE setting SET value = 'false' WHERE key = '${SETTING}' AND value = 'true'`),
  )
}

/** A change, with its audit row. */
interface Done {
  readonly audit: NewAuditRow
  readonly changes: readonly NewChange[]
}

async function lookThroughProject(services: Services, transaction: Queryable, projectId: string): Promise<void> {
  const lists = await endLists(transaction, projectId)
  // First the conflicts get their former version, so that those that end are closed in the words of their own field.
  const done = [
    ...lists,
    ...(await nameFormer(transaction, projectId)),
    ...(await endConflicts(transaction, projectId, services.now())),
  ]
  if (done.length === 0) return
  await commitProject(transaction, {
    projectId,
    statuses: ['start', 'process', 'stop', 'close'],
    stamp: serverStamp(services),
    audit: done.map(({ audit }) => audit),
    changes: done.flatMap(({ changes }) => changes),
  })
}

/** A merge does this now by itself: the trail keeps that a reason was not given. */
async function endLists(transaction: Queryable, projectId: string): Promise<readonly Done[]> {
  const { rows } = await transaction.query<EntryPlace & { readonly count: number }>(
    `WITH listed AS (
       SELECT e.id, p.center_id, jsonb_array_length(e.unexplained) AS count
       FROM entry e JOIN patient p ON p.id = e.patient_id JOIN double_entry d ON d.patient_id = e.patient_id
       WHERE e.project_id = $1 AND e.pass = 2 AND d.state = 'merged' AND (e.control = 'locked' OR e.deleted) AND e.unexplained <> '[]'
       ORDER BY e.id FOR UPDATE OF e
     )
     UPDATE entry e SET unexplained = '[]' FROM listed WHERE e.id = listed.id
     RETURNING listed.center_id AS "centerId", e.patient_id AS "patientId", e.id AS "entryId", e.version_id AS "versionId", e.pass, listed.count`,
    [projectId],
  )
  return rows.map(({ count, ...place }) => ({
    audit: { ...place, action: 'entry.unasked', old: count, new: 0, reasonCode: 'migration' },
    changes: [{ kind: 'entry', rowId: place.entryId, centerId: place.centerId, pass: place.pass }],
  }))
}

interface EndedConflict extends StoredConflict, EntryPlace, EntryData {
  readonly deleted: boolean
}

/**
 * Conflicts that an older server left open on deleted pages at a merge, and those that came for these pages later.
 * Work on a merged second pass goes to the inbox, and so does every decision, so nobody can decide them. The current
 * values stay. The waiting values can be read in the conflict and in the trail.
 */
async function endConflicts(transaction: Queryable, projectId: string, at: string): Promise<readonly Done[]> {
  const { rows } = await transaction.query<EndedConflict>(
    `SELECT c.id, c.table_prop AS "table", c.rid, c.prop AS code, c.server, c.mine, c.state, c.former_version_id AS "formerVersionId", e."values", e.missing,
       e.deleted OR p.deleted AS deleted, p.center_id AS "centerId", e.patient_id AS "patientId", e.id AS "entryId", e.version_id AS "versionId", e.pass
     FROM conflict c JOIN entry e ON e.id = c.entry_id JOIN patient p ON p.id = e.patient_id JOIN double_entry d ON d.patient_id = e.patient_id
     WHERE c.project_id = $1 AND c.state = 'open' AND e.pass = 2 AND d.state = 'merged' ORDER BY e.id, c.id FOR UPDATE OF e, c`,
    [projectId],
  )
  const done: Done[] = []
  for (const conflict of rows) {
    const { id, table, rid, code, server, mine, formerVersionId, centerId, patientId, entryId, versionId, pass } =
      conflict
    const to = presentOf(conflict, conflict)
    const choice = sameContent(to, server) ? 'server' : sameContent(to, mine) ? 'mine' : 'new'
    await closeConflict(transaction, id, {
      choice,
      to,
      reason: { code: 'migration', text: '' },
      by: null,
      at,
      opKey: null,
    })
    const place = { centerId, patientId, entryId, pass, versionId: formerVersionId ?? versionId }
    done.push({
      audit: {
        ...place,
        action: 'conflict.resolve',
        table,
        rid,
        prop: code,
        old: { server: { ...server }, mine: { ...mine } },
        new: { choice, to: { ...to } },
        reasonCode: 'migration',
      },
      changes: [
        { kind: 'conflict', rowId: id, centerId, pass },
        { kind: 'entry', rowId: entryId, centerId, pass },
      ],
    })
  }
  return done
}

interface OpenConflict extends ItemPlace, PageIds, EntryPlace {
  readonly id: string
  readonly opKey: string
  readonly base: ItemContent
  readonly server: ItemContent
  readonly mine: ItemContent
}

/** A conflict as the trail says that it was opened, under its page's version of that time. */
interface Opened extends ItemPlace {
  readonly versionId: string
  readonly server: ItemContent
  readonly mine: ItemContent
}

/**
 * Follows each conflict again from where it was opened. If a release removed its field, the conflict gets that field,
 * in the words of the last version that had it.
 */
async function nameFormer(transaction: Queryable, projectId: string): Promise<readonly Done[]> {
  const { rows } = await transaction.query<OpenConflict>(
    `SELECT c.id, c.op_key AS "opKey", c.table_prop AS "table", c.rid, c.prop AS code, c.base, c.server, c.mine, e.folder_id AS "folderId", e.page_id AS "pageId",
       p.center_id AS "centerId", e.patient_id AS "patientId", e.id AS "entryId", e.version_id AS "versionId", e.pass
     FROM conflict c JOIN entry e ON e.id = c.entry_id JOIN patient p ON p.id = e.patient_id
     WHERE c.project_id = $1 AND c.state = 'open' AND c.former_version_id IS NULL AND c.prop <> '${DELETED}'
     ORDER BY e.id, c.id FOR UPDATE OF e, c`,
    [projectId],
  )
  const done: Done[] = []
  for (const conflict of rows) {
    const opened = await openingOf(transaction, projectId, conflict)
    // If the trail does not have the opening, nothing is guessed.
    if (opened === null || opened.versionId === conflict.versionId) continue
    const { centerId, patientId, entryId, pass, rid, server, mine } = conflict
    const former = formerOf(
      conflict,
      opened,
      await pageSteps(transaction, projectId, opened.versionId, conflict.versionId, conflict),
    )
    if (former === null) continue
    const { place, contents, versionId } = former
    await transaction.query({
      name: 'look_through_conflict',
      text: 'UPDATE conflict SET table_prop = $2, prop = $3, base = $4, server = $5, mine = $6, former_version_id = $7 WHERE id = $1',
      values: [
        conflict.id,
        place.table,
        place.code,
        JSON.stringify(contents.base),
        JSON.stringify(contents.server),
        JSON.stringify(contents.mine),
        versionId,
      ],
    })
    done.push({
      audit: {
        centerId,
        patientId,
        entryId,
        pass,
        versionId,
        action: 'conflict.migrate',
        table: place.table,
        rid,
        prop: place.code,
        old: { server: { ...server }, mine: { ...mine } },
        new: { server: { ...contents.server }, mine: { ...contents.mine } },
        reasonCode: 'migration',
      },
      changes: [{ kind: 'conflict', rowId: conflict.id, centerId, pass }],
    })
  }
  return done
}

/** The audit row that opened a conflict; null where there is none. */
async function openingOf(
  transaction: Queryable,
  projectId: string,
  { id, entryId, opKey }: OpenConflict,
): Promise<Opened | null> {
  const { rows } = await transaction.query<Opened>({
    name: 'look_through_opening',
    text: `
      SELECT a.table_prop AS "table", a.rid, a.prop AS code, a.version_id AS "versionId", v.old_value AS server, v.new_value AS mine
      FROM audit a JOIN audit_value v ON v.audit_id = a.id
      WHERE a.project_id = $1 AND a.entry_id = $2 AND a.op_key = $3 AND a.action = 'conflict.open' AND a.version_id IS NOT NULL ORDER BY a.seq, a.ord`,
    values: [projectId, entryId, opKey],
  })
  // A conflict's id is made from the place where it was opened, and from its number there.
  return (
    rows.find(
      (row, at) => id === conflictId(opKey, row, rows.slice(0, at).filter((before) => isAt(before, row)).length),
    ) ?? null
  )
}

function isAt(a: ItemPlace, b: ItemPlace): boolean {
  return a.table === b.table && a.rid === b.rid && a.code === b.code
}

type Contents = Pick<OpenConflict, 'base' | 'server' | 'mine'>

/**
 * The place and content of a conflict whose field is gone or cannot hold the waiting value. Null where the conflict
 * can still be asked about that field.
 */
function formerOf(
  now: OpenConflict,
  opened: Opened,
  steps: readonly PageStep[],
): { readonly place: ItemPlace; readonly contents: Contents; readonly versionId: string } | null {
  const { table, rid, code, server, mine } = opened
  // The trail does not have the value on which both built. An unchanged conflict has it in the words of that time, any
  // other in its present words.
  const isUntouched = isAt(now, opened) && sameContent(now.server, server) && sameContent(now.mine, mine)
  let place: ItemPlace = { table, rid, code }
  let contents: Partial<Pick<Contents, 'base'>> & Pick<Contents, 'server' | 'mine'> = isUntouched
    ? { base: now.base, server, mine }
    : { server, mine }
  for (const step of steps) {
    const after = conflictAfter(place, contents, [step])
    ;({ place, contents } = after)
    if (after.formerVersionId !== null)
      return { place, contents: { ...contents, base: contents.base ?? now.base }, versionId: after.formerVersionId }
  }
  return null
}
