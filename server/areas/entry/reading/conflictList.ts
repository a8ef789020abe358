import type { DataOf } from '#core/api/call.ts'
import type { ConflictRow, EntryRow } from '#core/api/sync/rows.ts'
import type { CallOf } from '#core/api/table.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { presentOf } from '#server/areas/entry/disputes/conflicts.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { pickTarget } from '#core/sync/entryChange.ts'

import { loadConflictRows, loadEntryRows } from './rows.ts'

/** Conflicts for a screen: within the reader's project, centers, pass and data scope, and masked. */

type ConflictLine = DataOf<CallOf<'conflict.list'>>

export interface ConflictFilter {
  readonly patientId?: string | undefined
  readonly entryId?: string | undefined
  readonly state?: 'open' | 'resolved' | undefined
  readonly current: number
  readonly size: number
}

const FROM = 'FROM conflict c JOIN entry e ON e.id = c.entry_id JOIN patient p ON p.id = e.patient_id'

const LISTED = `
  c.project_id = $1 AND ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR e.pass = $4)
    AND ($5::uuid IS NULL OR e.patient_id = $5) AND ($6::uuid IS NULL OR c.entry_id = $6) AND ($7::text IS NULL OR c.state = $7)`

interface Listed {
  readonly id: string
  readonly entryId: string
  readonly patientNo: string | null
  readonly patientDeleted: boolean
  readonly pageName: string | null
  readonly pageNameEn: string | null
}

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** One page of the conflicts that the member may see: the open ones first, oldest first. */
export async function listConflicts(
  transaction: Queryable,
  member: Membership,
  { patientId, entryId, state, current, size }: ConflictFilter,
): Promise<{ readonly rows: readonly ConflictLine[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const where = [...visibleTo(member), passParameter(member), patientId ?? null, entryId ?? null, state ?? null]
  const { rows } = await transaction.query<Listed>({
    name: 'conflict_list',
    text: `
      SELECT c.id, c.entry_id AS "entryId", p.no AS "patientNo", p.deleted AS "patientDeleted", g.name AS "pageName", g.name_en AS "pageNameEn"
      ${FROM} LEFT JOIN crf_page g ON g.version_id = e.version_id AND g.folder_id = e.folder_id AND g.page_id = e.page_id
      WHERE ${LISTED} ORDER BY c.state, c.created_at, c.id LIMIT $8 OFFSET $9`,
    values: [...where, size, (current - 1) * size],
  })
  const count = await transaction.query<{ total: number }>({
    name: 'conflict_count',
    text: `SELECT count(*) AS total FROM (SELECT 1 ${FROM} WHERE ${LISTED} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values: where,
  })
  const entries = new Map(
    (
      await loadEntryRows(
        transaction,
        member,
        rows.map((row) => row.entryId),
      )
    ).map((entry) => [entry.id, entry]),
  )
  const conflicts = new Map(
    (
      await loadConflictRows(
        transaction,
        member,
        rows.map(({ id }) => id),
      )
    ).map((conflict) => [conflict.id, conflict]),
  )
  const lines = rows.flatMap((row): readonly ConflictLine[] => {
    const [entry, conflict] = [entries.get(row.entryId), conflicts.get(row.id)]
    return entry === undefined || conflict === undefined ? [] : [lineOf(row, entry, conflict)]
  })
  const total = count.rows[0]?.total ?? 0
  return { rows: lines, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

function lineOf(
  { patientNo, pageName, pageNameEn, patientDeleted }: Listed,
  entry: EntryRow,
  conflict: ConflictRow,
): ConflictLine {
  const { patientId, centerId } = entry
  // Masked as the reader may see it.
  const current = presentOf({ ...entry, deleted: entry.deleted || patientDeleted }, conflict)
  return {
    ...conflict,
    patientId,
    patientNo,
    centerId,
    pageName: pageName ?? '',
    pageNameEn,
    target: pickTarget(entry),
    current,
  }
}
