import { isContinued } from '#core/study/migration/migrateEntry.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { fatesOf, moveQueries, NO_QUERIES_MOVED, releaseFor } from '#server/areas/entry/queries/moveQueries.ts'
import type { MovedQueries } from '#server/areas/entry/queries/moveQueries.ts'
import { earlierQueriesOn } from '#server/areas/entry/queries/store.ts'
import { carryMarks } from '#server/areas/entry/review/moved.ts'
import { conflictAfter, moveEntry } from './migrate.ts'
import type { MovedEntry, Mover } from './migrate.ts'
import type { PageStep } from './migrationSteps.ts'

/**
 * Everything of an entry that follows it to another release: its data, its open conflicts, the fields of its files and
 * regions, the marks of what was verified, and what was asked about it.
 */

/** Audit rows of all that was done besides the data themselves. */
export interface Migration {
  readonly audit: readonly NewAuditRow[]
  /** Conflicts in the words of the new version. */
  readonly conflicts: readonly string[]
  /** Queries that followed their fields, and those that ended because theirs are gone. */
  readonly queries: MovedQueries
}

export const NO_MIGRATION: Migration = { audit: [], conflicts: [], queries: NO_QUERIES_MOVED }

/** The parts of an entry beside its data. */
export interface Beside {
  readonly conflicts: boolean
  readonly files: boolean
  /** Marks of what was verified. */
  readonly marks: boolean
  /** Whether its queries are brought along with it, and not with all of the patient's. */
  readonly queries: boolean
}

/** Which entries of a patient have parts beside their data. Most have none, so they are not asked one by one. */
export async function besideOf(transaction: Queryable, patientId: string): Promise<(entryId: string) => Beside> {
  const { rows } = await transaction.query<{ entryId: string; part: keyof Beside }>({
    name: 'migration_beside',
    text: `
      WITH own AS (SELECT id FROM entry WHERE patient_id = $1)
      SELECT c.entry_id AS "entryId", 'conflicts' AS part FROM own JOIN conflict c ON c.entry_id = own.id WHERE c.state = 'open'
      UNION SELECT a.entry_id, 'files' FROM own JOIN attachment a ON a.entry_id = own.id
      UNION SELECT r.entry_id, 'files' FROM own JOIN attachment_region r ON r.entry_id = own.id
      UNION SELECT m.entry_id, 'marks' FROM own JOIN review_mark m ON m.entry_id = own.id`,
    values: [patientId],
  })
  const known = new Set(rows.map(({ entryId, part }) => `${entryId} ${part}`))
  const has = (entryId: string, part: keyof Beside) => known.has(`${entryId} ${part}`)
  return (entryId) => ({
    conflicts: has(entryId, 'conflicts'),
    files: has(entryId, 'files'),
    marks: has(entryId, 'marks'),
    queries: false,
  })
}

interface Bringing {
  readonly projectId: string
  readonly steps: readonly PageStep[]
  readonly by: Mover
  /** When the server does it. */
  readonly receivedAt: string
  /** The parts that it may have beside its data. */
  readonly beside?: Beside
}

const EVERYTHING: Beside = { conflicts: true, files: true, marks: true, queries: true }

/**
 * Brings a locked entry through steps. Its conflicts, files, marks and queries are written; its data are not written
 * yet.
 */
export async function bringEntry(
  transaction: Queryable,
  entry: StoredEntry,
  place: EntryPlace,
  { projectId, steps, by, receivedAt, beside = EVERYTHING }: Bringing,
): Promise<MovedEntry & { readonly migration: Migration }> {
  const moved = moveEntry(entry, place, steps, by)
  const last = steps.at(-1)
  if (last === undefined) return { ...moved, migration: NO_MIGRATION }
  const conflicts = beside.conflicts ? await moveConflicts(transaction, place, steps) : { ids: [], audit: [] }
  if (beside.files) for (const { plan } of steps) await moveFiles(transaction, entry.id, plan)
  if (beside.marks) await carryMarks(transaction, entry.id, steps)
  const queries = beside.queries
    ? await moveQueries(
        transaction,
        await fatesOf(
          await earlierQueriesOn(transaction, entry.id, last.step.toNo),
          await releaseFor(transaction, projectId, { versionId: last.step.toId, profile: 'formal' }),
        ),
        { centerId: place.centerId, versionId: last.step.toId, at: receivedAt, dataBefore: () => entry },
      )
    : NO_QUERIES_MOVED
  const audit = [...moved.audit, ...conflicts.audit, ...queries.audit]
  return { ...moved, migration: { audit, conflicts: conflicts.ids, queries } }
}

interface OpenConflict {
  readonly id: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly base: ItemContent
  readonly server: ItemContent
  readonly mine: ItemContent
}

/**
 * Brings open conflicts into the words of the new definition. A conflict whose field is gone, or cannot hold the
 * waiting value, stays in the words of the last version that had a place for it, and goes no further.
 */
async function moveConflicts(
  transaction: Queryable,
  place: EntryPlace,
  steps: readonly PageStep[],
): Promise<{ readonly ids: readonly string[]; readonly audit: readonly NewAuditRow[] }> {
  const { rows } = await transaction.query<OpenConflict>({
    name: 'migration_conflicts',
    text: `
      SELECT id, table_prop AS "table", rid, prop AS code, base, server, mine FROM conflict
      WHERE entry_id = $1 AND state = 'open' AND former_version_id IS NULL ORDER BY id FOR UPDATE`,
    values: [place.entryId],
  })
  const ids: string[] = []
  const audit: NewAuditRow[] = []
  for (const { id, table, rid, code, base, server, mine } of rows) {
    const before = { table, rid, code }
    const after = conflictAfter(before, { base, server, mine }, steps)
    if (
      JSON.stringify([before, { base, server, mine }, null]) ===
      JSON.stringify([after.place, after.contents, after.formerVersionId])
    )
      continue
    const { contents, formerVersionId } = after
    await transaction.query({
      name: 'migration_conflict_move',
      text: 'UPDATE conflict SET table_prop = $2, prop = $3, base = $4, server = $5, mine = $6, former_version_id = $7 WHERE id = $1',
      values: [
        id,
        after.place.table,
        after.place.code,
        JSON.stringify(contents.base),
        JSON.stringify(contents.server),
        JSON.stringify(contents.mine),
        formerVersionId,
      ],
    })
    ids.push(id)
    audit.push({
      ...place,
      versionId: formerVersionId ?? place.versionId,
      action: 'conflict.migrate',
      table: after.place.table,
      rid,
      prop: after.place.code,
      old: { server: { ...server }, mine: { ...mine } },
      new: { server: { ...contents.server }, mine: { ...contents.mine } },
      reasonCode: 'migration',
    })
  }
  return { ids, audit }
}

/** Files and regions belong to a field by its code. */
async function moveFiles(transaction: Queryable, entryId: string, { fields }: PageStep['plan']): Promise<void> {
  const renamed = fields.flatMap((field) => {
    if (!isContinued(field)) return []
    const own =
      field.from.code === field.to.code ? [] : [{ table: null, to: null, from: field.from.code, code: field.to.code }]
    const inside = field.columns.flatMap((column) => {
      if (!isContinued(column) || (column.from.code === column.to.code && field.from.code === field.to.code)) return []
      return [{ table: field.from.code, to: field.to.code, from: column.from.code, code: column.to.code }]
    })
    return [...own, ...inside]
  })
  if (renamed.length === 0) return
  const list = JSON.stringify(renamed)
  // In one statement, because two fields may have swapped their codes.
  for (const table of ['attachment', 'attachment_region'] as const) {
    await transaction.query({
      name: `migration_${table}`,
      text: `
        UPDATE ${table} a SET table_prop = r."to", prop = r.code
        FROM jsonb_to_recordset($2) AS r ("table" text, "to" text, "from" text, code text)
        WHERE a.entry_id = $1 AND a.prop = r."from" AND a.table_prop IS NOT DISTINCT FROM r."table"`,
      values: [entryId, list],
    })
  }
}
