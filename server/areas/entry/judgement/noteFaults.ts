import type { RuleFault } from '#core/form/engine/cell.ts'
import { TOO_MUCH_WORK } from '#core/rules/rule.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Notes rules that failed while an entry was judged, for the data manager (docs/adr/0007-cel-and-blanks.md). It has
 * to be called when the project is locked for the commit, so that no two writers meet on a line.
 */
export async function noteFaults(
  transaction: Queryable,
  place: EntryPlace & { readonly projectId: string; readonly pageId: string; readonly at: string },
  faults: readonly RuleFault[],
): Promise<void> {
  if (faults.length === 0) return
  // Rows of a table, or several checks of a field, may give the same line: it is counted once per save.
  const lines = new Map(
    faults.map(({ code, role, failure }) => [
      `${role} ${code}`,
      { field: code, role, kind: failure === TOO_MUCH_WORK ? 'work' : 'failed' },
    ]),
  )
  await transaction.query({
    name: 'rule_fault_note',
    text: `
      INSERT INTO rule_fault AS f (project_id, version_id, page_id, field, role, kind, center_id, first_at, last_at, last_entry_id)
      SELECT $1, $2, $3, l.field, l.role, l.kind, $4, $5, $5, $6 FROM jsonb_to_recordset($7) AS l (field text, role text, kind text)
      ON CONFLICT (project_id, version_id, page_id, field, role, center_id)
      DO UPDATE SET kind = excluded.kind, count = f.count + 1, last_at = excluded.last_at, last_entry_id = excluded.last_entry_id`,
    values: [
      place.projectId,
      place.versionId,
      place.pageId,
      place.centerId,
      place.at,
      place.entryId,
      JSON.stringify([...lines.values()]),
    ],
  })
}
