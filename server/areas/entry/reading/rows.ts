import type { ConflictRow, EntryRow } from '#core/api/sync/rows.ts'
import { dataHash } from '#server/areas/entry/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { maskConflict, maskEntry } from './mask.ts'
import { pageMasks } from './pageMasks.ts'

/** Entries and conflicts as they are sent: to a screen, in an answer, in a pull. */

const ENTRY_ROW = `
  SELECT
    e.id, e.patient_id AS "patientId", e.center_id AS "centerId", e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat",
    e.page_id AS "pageId", e.page_repeat AS "pageRepeat", e.parent_entry_id AS "parentEntryId", e.pass, e.version_id AS "versionId",
    e.status, e.submitted_at IS NOT NULL AS "submittedOnce", e.unexplained, e.confirmed, e.rev, e."values", e.missing, e.retired, e.progress, e.hidden, e.data_hash AS "dataHash", e.deleted,
    (SELECT count(*)::integer FROM conflict c WHERE c.entry_id = e.id AND c.state = 'open') AS conflicts,
    e.updated_by AS "updatedBy", u.real_name AS "updatedByName", e.updated_at AS "updatedAt"
  FROM entry e JOIN app_user u ON u.id = e.updated_by`

/**
 * Stands as the person who decided where the server decided by itself (`lookThrough.ts`). Tablets need an id and a
 * name, and the trail uses the same.
 */
const NIL = '00000000-0000-0000-0000-000000000000'

const CONFLICT_ROW = `
  SELECT
    c.id, c.entry_id AS "entryId", c.table_prop AS "table", c.rid, c.prop AS code, c.former_version_id AS "formerVersionId", c.base, c.server, c.mine,
    c.server_by AS "serverBy", s.real_name AS "serverByName", c.server_at AS "serverAt", c.mine_by AS "mineBy",
    m.real_name AS "mineByName", c.mine_at AS "mineAt", c.op_key AS "opKey", c.state,
    CASE WHEN c.state = 'open' THEN NULL ELSE c.resolution || jsonb_build_object(
      'by', coalesce(c.resolved_by, '${NIL}'), 'byName', coalesce(r.real_name, 'server'),
      'at', to_char(c.resolved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS resolution
  FROM conflict c
  JOIN app_user s ON s.id = c.server_by JOIN app_user m ON m.id = c.mine_by LEFT JOIN app_user r ON r.id = c.resolved_by`

/** Whether the reader may see what identifies a patient, and the project in which they read. */
export interface Reader {
  readonly projectId: string
  readonly sensitive: boolean
}

/** The entries with these ids. The caller's own query has decided who may see them. */
export async function loadEntryRows(
  transaction: Queryable,
  reader: Reader,
  ids: readonly string[],
): Promise<readonly EntryRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.query<EntryRow>({
    name: 'entry_rows',
    text: `${ENTRY_ROW} WHERE e.id = ANY ($1) AND e.project_id = $2`,
    values: [ids, reader.projectId],
  })
  if (reader.sensitive) return rows.map((row) => ({ ...row, masked: false }))
  const masks = await pageMasks(
    transaction,
    reader.projectId,
    rows.map(({ pageId }) => pageId),
  )
  return rows.map((row) => {
    const shown = maskEntry(row, masks.get(row.pageId) ?? new Set())
    // A reader who knows the rest of a page could test guesses of the masked value against the hash of the whole.
    return { ...shown, dataHash: shown === row ? row.dataHash : dataHash(shown), masked: true }
  })
}

/**
 * The same as JSON text by id, for a reader who sees all of them without a mask. The database writes the text,
 * because a download has tens of thousands of rows.
 */
export async function loadEntryTexts(
  transaction: Queryable,
  { projectId }: Pick<Reader, 'projectId'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await transaction.query<{ id: string; text: string }>({
    name: 'entry_texts',
    text: `SELECT r.id, row_to_json(r)::text AS text FROM (${ENTRY_ROW.replace('e.updated_at AS', `to_char(e.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS`).replace('SELECT', 'SELECT false AS masked,')} WHERE e.id = ANY ($1) AND e.project_id = $2) r`,
    values: [ids, projectId],
  })
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** The conflicts with these ids, open or resolved. */
export async function loadConflictRows(
  transaction: Queryable,
  reader: Reader,
  ids: readonly string[],
): Promise<readonly ConflictRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.query<ConflictRow & { pageId: string }>({
    name: 'conflict_rows',
    text: `${CONFLICT_ROW.replace('FROM conflict', ', e.page_id AS "pageId" FROM conflict')} JOIN entry e ON e.id = c.entry_id
      WHERE c.id = ANY ($1) AND c.project_id = $2`,
    values: [ids, reader.projectId],
  })
  const masked = reader.sensitive ? [] : rows.map(({ pageId }) => pageId)
  const masks = await pageMasks(transaction, reader.projectId, masked)
  return rows.map(({ pageId, ...row }) => ({
    ...maskConflict(row, masks.get(pageId) ?? new Set()),
    masked: !reader.sensitive,
  }))
}
