import type { CellMark, DatabaseQuestion, DatabaseRow } from '#core/api/calls/data/database.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { cellsOfEntry, rowsOfTable } from '#core/dataset/pageColumns.ts'
import type { CellValue } from '#core/dataset/table.ts'
import type { Membership } from '#server/access.ts'
import { loadEntryRows } from '#server/areas/entry/reading/rows.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { loadMarks } from './marks.ts'
import type { GridColumn } from './pages.ts'
import { countRows, findRows, writeRows } from './rowsSql.ts'
import type { RowKey } from './rowsSql.ts'

/** Rows of a page or a table, masked, with what is said of their cells. */

/** One part of the rows. @throws ApiFailure as `writeRows` */
export async function partOfRows(
  connection: Queryable,
  member: Membership,
  question: DatabaseQuestion,
  columns: readonly GridColumn[],
  part: { readonly offset: number; readonly size: number },
): Promise<{ rows: DatabaseRow[]; total: number; totalIsLeast: boolean }> {
  const written = await writeRows(connection, member, question, columns)
  const { total, totalIsLeast } = await countRows(connection, written)
  const keys = await findRows(connection, written, question, part)
  const rows = await loadRows(connection, member, keys, chosenOf(columns, question.columns))
  return { rows: await withMarks(connection, member, rows), total, totalIsLeast }
}

/** The columns that are asked for, in the order in which they are. */
export function chosenOf(columns: readonly GridColumn[], names: readonly string[]): readonly GridColumn[] {
  const byName = new Map(columns.map((one) => [one.column.name, one]))
  return names.flatMap((name) => byName.get(name) ?? [])
}

async function withMarks(
  connection: Queryable,
  member: Membership,
  rows: readonly UnmarkedRow[],
): Promise<DatabaseRow[]> {
  const marks = await loadMarks(
    connection,
    member,
    rows.map(({ entryId }) => entryId),
  )
  return rows.map((row) => {
    const own = (marks.get(row.entryId) ?? []).filter(({ rid }) => rid === null || rid === row.rid)
    const said = new Map<string, { code: string | null; is: CellMark }>()
    for (const { table, rid, code, is } of own) {
      // Of a page whose rows are shown, what is about another field or the page as a whole is not of the row.
      if (row.rid !== null && (rid === null || table === null)) continue
      const about = row.rid === null && table !== null ? table : code
      said.set(`${about ?? ''} ${is}`, { code: about, is })
    }
    return { ...row, marks: [...said.values()] }
  })
}

export type UnmarkedRow = Omit<DatabaseRow, 'marks'>

interface RowFacts extends Omit<UnmarkedRow, 'rid' | 'cells' | 'status'> {
  readonly isSubmitted: boolean
}

const FACTS = `
  SELECT
    e.id AS "entryId", e.patient_id AS "patientId", p.no AS "patientNo", p.mark AS "patientMark", p.initials, ce.name AS "centerName",
    e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", coalesce(f.name, '') AS "folderName", f.name_en AS "folderNameEn",
    CASE e.folder_repeat WHEN '0' THEN 1 ELSE (SELECT count(*)::integer + 1 FROM visit o
      WHERE o.patient_id = e.patient_id AND o.folder_id = e.folder_id AND NOT o.removed AND o.folder_repeat COLLATE "C" < e.folder_repeat COLLATE "C") END AS "folderNo",
    e.page_repeat AS "pageRepeat", CASE e.page_repeat WHEN '0' THEN 1 ELSE (SELECT count(*)::integer + 1 FROM entry o
      WHERE o.patient_id = e.patient_id AND o.folder_id = e.folder_id AND o.folder_repeat = e.folder_repeat AND o.page_id = e.page_id
        AND o.parent_entry_id IS NOT DISTINCT FROM e.parent_entry_id AND o.pass = e.pass AND NOT o.deleted
        AND o.page_repeat COLLATE "C" < e.page_repeat COLLATE "C") END AS "pageNo",
    e.parent_entry_id AS "parentEntryId", e.pass, v.version_no AS "versionNo", e.status = 'other' AS "isSubmitted",
    e.updated_at AS "savedAt", u.real_name AS "savedBy"
  FROM entry e JOIN patient p ON p.id = e.patient_id JOIN center ce ON ce.id = p.center_id
  JOIN crf_version v ON v.id = e.version_id JOIN app_user u ON u.id = e.updated_by
  LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
  WHERE ${PATIENT_VISIBLE} AND e.id = ANY ($4)`

/** Rows by their keys, in the order of these. A row that is gone meanwhile is left out. */
export async function loadRows(
  connection: Queryable,
  member: Membership,
  keys: readonly RowKey[],
  columns: readonly GridColumn[],
): Promise<readonly UnmarkedRow[]> {
  const ids = [...new Set(keys.map(({ entryId }) => entryId))]
  const entries = new Map((await loadEntryRows(connection, member, ids)).map((row) => [row.id, row]))
  const { rows } = await connection.query<RowFacts>({
    name: 'database_row_facts',
    text: FACTS,
    values: [...visibleTo(member), ids],
  })
  const facts = new Map(rows.map((row) => [row.entryId, row]))
  const cells = new CellReader(columns)
  return keys.flatMap(({ entryId, rid }) => {
    const [entry, fact] = [entries.get(entryId), facts.get(entryId)]
    if (entry === undefined || fact === undefined) return []
    const own = cells.read(entry, rid)
    if (own === null) return []
    const { isSubmitted, ...told } = fact
    return [{ ...told, rid, status: isSubmitted ? ('submitted' as const) : ('process' as const), cells: [...own] }]
  })
}

/** Reads cells; the rows of a table once for each entry. */
class CellReader {
  readonly #columns: readonly GridColumn[]
  readonly #rows = new Map<string, ReadonlyMap<string, readonly CellValue[]>>()

  constructor(columns: readonly GridColumn[]) {
    this.#columns = columns
  }

  /** Null where the row is not there. */
  read(entry: EntryRow, rid: string | null): readonly CellValue[] | null {
    const items = this.#columns.map(({ item }) => item)
    const hidden = new Set(entry.hidden)
    if (rid === null) return cellsOfEntry(items, entry, hidden)
    const table = this.#columns[0]?.column.field.table ?? null
    // Rows without a chosen column have only their keys.
    if (table === null) return []
    const known = this.#rows.get(entry.id)
    if (known !== undefined) return known.get(rid) ?? null
    const rows = rowsOfTable({ code: table, label: '', columns: items }, entry, hidden)
    const read = new Map(rows.map((row) => [row.rid, row.cells]))
    this.#rows.set(entry.id, read)
    return read.get(rid) ?? null
  }
}
