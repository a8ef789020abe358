import { crfProfileNames } from '#core/study/versionLife.ts'
import type { CrfProfile } from '#core/study/versionLife.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import type { ChangeSummary } from '#core/design/difference/changeSummary.ts'
import type { VersionRecord as VersionHistory, VersionSummary } from '#core/api/calls/version.ts'
import type { FolderRow, PageRow, VersionRow } from '#core/api/sync/rows.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of CRF versions and what they define. */

export interface VersionRecord {
  readonly id: string
  readonly project_id: string
  readonly version_no: number
  readonly profile: CrfProfile
  readonly remark: string | null
  readonly created_at: string
  readonly base_version_id: string | null
}

const VERSION_COLUMNS = 'v.id, v.project_id, v.version_no, v.profile, v.remark, v.created_at, v.base_version_id'

export function toSummary(record: VersionRecord): VersionSummary {
  return {
    id: record.id,
    versionNo: record.version_no,
    versionNoDesc: `V${record.version_no}.0`,
    crfProfile: record.profile,
    crfProfileDesc: crfProfileNames.zh[record.profile],
    remark: record.remark,
    createdAt: record.created_at,
  }
}

/** A version that was not deleted; with `lock`, nobody else changes its state until the transaction ends. */
export async function findVersion(
  transaction: Queryable,
  versionId: string,
  lock = false,
): Promise<VersionRecord | null> {
  const { rows } = await transaction.query<VersionRecord>(
    `SELECT ${VERSION_COLUMNS} FROM crf_version v WHERE v.id = $1 AND NOT v.deleted ${lock ? 'FOR UPDATE' : ''}`,
    [versionId],
  )
  return rows[0] ?? null
}

/** Versions of a project, newest first. */
export async function listVersions(
  transaction: Queryable,
  projectId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly VersionSummary[]; readonly total: number }> {
  const { rows } = await transaction.query<VersionRecord & { total: number }>({
    name: 'version_list',
    text: `
      SELECT ${VERSION_COLUMNS}, count(*) OVER () AS total FROM crf_version v
      WHERE v.project_id = $1 AND NOT v.deleted ORDER BY v.version_no DESC LIMIT $2 OFFSET $3`,
    values: [projectId, page.limit, page.offset],
  })
  return { rows: rows.map(toSummary), total: rows[0]?.total ?? 0 }
}

interface HistoryRecord extends VersionRecord {
  readonly deleted: boolean
  readonly released_at: string | null
  readonly changes: ChangeSummary | null
  readonly created_by_name: string
  readonly superseded: boolean
  readonly migration_tasks: readonly string[]
  readonly total: number
}

/** All versions that a project ever had, newest first, deleted drafts included. */
export async function listHistory(
  transaction: Queryable,
  projectId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly VersionHistory[]; readonly total: number }> {
  const { rows } = await transaction.query<HistoryRecord>({
    name: 'version_history',
    text: `
      SELECT ${VERSION_COLUMNS}, v.deleted, v.released_at, v.changes, u.real_name AS created_by_name,
        v.profile = 'formal' AND EXISTS (SELECT FROM crf_version l WHERE l.project_id = v.project_id AND l.profile = 'formal' AND NOT l.deleted AND l.version_no > v.version_no) AS superseded,
        ARRAY(SELECT t.id::text FROM migration_task t WHERE t.version_id = v.id ORDER BY t.started_at, t.id) AS migration_tasks, count(*) OVER () AS total
      FROM crf_version v JOIN app_user u ON u.id = v.created_by
      WHERE v.project_id = $1 ORDER BY v.version_no DESC LIMIT $2 OFFSET $3`,
    values: [projectId, page.limit, page.offset],
  })
  return { rows: rows.map(toHistory), total: rows[0]?.total ?? 0 }
}

function toHistory(record: HistoryRecord): VersionHistory {
  const { deleted, changes, superseded } = record
  return {
    ...toSummary(record),
    deleted,
    changes,
    superseded,
    migrationTaskIds: [...record.migration_tasks],
    baseId: record.base_version_id,
    createdByName: record.created_by_name,
    releasedAt: record.released_at,
  }
}

/** A version with all it defines; null when it is deleted or of another project. */
export async function loadVersionRow(
  transaction: Queryable,
  member: Membership,
  versionId: string,
): Promise<VersionRow | null> {
  const record = await findVersion(transaction, versionId)
  if (record === null || record.project_id !== member.projectId) return null
  const broughtFrom = await loadBroughtFrom(transaction, versionId)
  return {
    ...toSummary(record),
    folders: [...(await loadFolders(transaction, versionId))],
    ...(broughtFrom === undefined ? {} : { migrates: true, broughtFrom }),
  }
}

/** The version whose data the release of this one migrates; undefined where it migrates nothing. */
async function loadBroughtFrom(transaction: Queryable, versionId: string): Promise<VersionRow['broughtFrom']> {
  const { rows } = await transaction.query<NonNullable<VersionRow['broughtFrom']>>({
    name: 'version_brought_from',
    text: `SELECT from_version_id AS "versionId", mappings -> 'fields' AS fields, mappings -> 'choices' AS choices FROM version_migration WHERE version_id = $1 AND from_version_id IS NOT NULL`,
    values: [versionId],
  })
  return rows[0]
}

interface PageRecord {
  readonly folder_id: string
  readonly folder_name: string
  readonly folder_name_en: string | null
  readonly folder_code: string
  readonly folder_sort: number
  readonly schedule: FolderSchedule | null
  readonly page_id: string | null
  readonly name: string
  readonly name_en: string | null
  readonly code: string
  readonly repeatable: boolean
  readonly sort: number
  readonly option: string
}

/** Folders of a version in order, each with its pages in order. */
export async function loadFolders(transaction: Queryable, versionId: string): Promise<readonly FolderRow[]> {
  const { rows } = await transaction.query<PageRecord>({
    name: 'version_folders',
    text: `
      SELECT f.folder_id, f.name AS folder_name, f.name_en AS folder_name_en, f.code AS folder_code, f.sort AS folder_sort, f.schedule,
        p.page_id, p.name, p.name_en, p.code, p.repeatable, p.sort, p.option
      FROM crf_folder f LEFT JOIN crf_page p ON p.version_id = f.version_id AND p.folder_id = f.folder_id
      WHERE f.version_id = $1 ORDER BY f.sort, f.folder_id, p.sort, p.page_id`,
    values: [versionId],
  })
  const folders = new Map<string, FolderRow>()
  for (const row of rows) {
    const folder = folders.get(row.folder_id) ?? {
      id: row.folder_id,
      folderName: row.folder_name,
      ...(row.folder_name_en === null ? {} : { folderNameEn: row.folder_name_en }),
      folderCode: row.folder_code,
      sort: row.folder_sort,
      pages: [],
      ...(row.schedule === null ? {} : { schedule: row.schedule }),
    }
    folders.set(row.folder_id, folder)
    if (row.page_id !== null) folder.pages.push(toPageRow(row, row.page_id))
  }
  return [...folders.values()]
}

function toPageRow(record: PageRecord, id: string): PageRow {
  const { name: pageName, name_en: pageNameEn, code: pageCode, repeatable, option, sort } = record
  return { id, pageName, ...(pageNameEn === null ? {} : { pageNameEn }), pageCode, repeatable, option, sort }
}

export async function insertVersion(
  transaction: Queryable,
  version: {
    readonly id: string
    readonly projectId: string
    readonly remark: string
    readonly baseId: string | null
    readonly createdBy: string
  },
): Promise<void> {
  // Numbers of deleted drafts are not used again; two drafts at once meet in the unique constraint.
  await transaction.query(
    `INSERT INTO crf_version (id, project_id, version_no, profile, remark, base_version_id, created_by)
     SELECT $1, $2, coalesce(max(version_no), 0) + 1, 'draft', $3, $4, $5 FROM crf_version WHERE project_id = $2`,
    [version.id, version.projectId, version.remark, version.baseId, version.createdBy],
  )
}

/** The newest version of a project in one of the profiles. */
export async function newestVersion(
  transaction: Queryable,
  projectId: string,
  profiles: readonly CrfProfile[],
): Promise<VersionRecord | null> {
  const { rows } = await transaction.query<VersionRecord>(
    `SELECT ${VERSION_COLUMNS} FROM crf_version v
     WHERE v.project_id = $1 AND v.profile = ANY ($2) AND NOT v.deleted ORDER BY v.version_no DESC LIMIT 1`,
    [projectId, profiles],
  )
  return rows[0] ?? null
}

/** Copies a definition into a new draft; folders and pages keep their ids. */
export async function copyDefinition(transaction: Queryable, fromId: string, toId: string): Promise<void> {
  await transaction.query(
    `INSERT INTO crf_folder (version_id, folder_id, name, name_en, code, sort, schedule)
     SELECT $2, folder_id, name, name_en, code, sort, schedule FROM crf_folder WHERE version_id = $1`,
    [fromId, toId],
  )
  await transaction.query(
    `INSERT INTO crf_page (version_id, page_id, folder_id, name, name_en, code, repeatable, sort, option)
     SELECT $2, page_id, folder_id, name, name_en, code, repeatable, sort, option FROM crf_page WHERE version_id = $1`,
    [fromId, toId],
  )
}

/** Replaces the whole definition of a draft. */
export async function replaceDefinition(
  transaction: Queryable,
  versionId: string,
  folders: readonly FolderRow[],
): Promise<void> {
  await transaction.query('DELETE FROM crf_page WHERE version_id = $1', [versionId])
  await transaction.query('DELETE FROM crf_folder WHERE version_id = $1', [versionId])
  await transaction.query(
    `INSERT INTO crf_folder (version_id, folder_id, name, name_en, code, sort, schedule)
     SELECT $1, f.id, f."folderName", f."folderNameEn", f."folderCode", f.sort, f.schedule
     FROM jsonb_to_recordset($2) AS f (id uuid, "folderName" text, "folderNameEn" text, "folderCode" text, sort integer, schedule jsonb)`,
    [versionId, JSON.stringify(folders)],
  )
  const pages = folders.flatMap((folder) => folder.pages.map((page) => ({ ...page, folderId: folder.id })))
  await transaction.query(
    `INSERT INTO crf_page (version_id, page_id, folder_id, name, name_en, code, repeatable, sort, option)
     SELECT $1, p.id, p."folderId", p."pageName", p."pageNameEn", p."pageCode", p.repeatable, p.sort, p.option
     FROM jsonb_to_recordset($2) AS p (
       id uuid, "folderId" uuid, "pageName" text, "pageNameEn" text, "pageCode" text, repeatable boolean, sort integer, option text)`,
    [versionId, JSON.stringify(pages)],
  )
}

/** Ids that folders and pages with these codes have in any version of the project; the newest version counts. */
export async function knownIds(
  transaction: Queryable,
  projectId: string,
): Promise<{ readonly folders: ReadonlyMap<string, string>; readonly pages: ReadonlyMap<string, string> }> {
  const read = async (table: 'folder' | 'page'): Promise<ReadonlyMap<string, string>> => {
    const { rows } = await transaction.query<{ code: string; id: string }>(
      `SELECT DISTINCT ON (x.code) x.code, x.${table}_id AS id
       FROM crf_${table} x JOIN crf_version v ON v.id = x.version_id
       WHERE v.project_id = $1 ORDER BY x.code, v.version_no DESC`,
      [projectId],
    )
    return new Map(rows.map(({ code, id }) => [code, id]))
  }
  return { folders: await read('folder'), pages: await read('page') }
}

export async function insertSource(
  transaction: Queryable,
  source: {
    readonly id: string
    readonly versionId: string
    readonly name: string
    readonly text: string
    readonly createdBy: string
  },
): Promise<void> {
  await transaction.query(
    'INSERT INTO crf_source (id, version_id, name, source, created_by) VALUES ($1, $2, $3, $4, $5)',
    [source.id, source.versionId, source.name, source.text, source.createdBy],
  )
}

export async function setProfile(
  transaction: Queryable,
  versionId: string,
  profile: CrfProfile,
  now: string,
): Promise<void> {
  await transaction.query(
    `UPDATE crf_version SET profile = $2, released_at = CASE WHEN $2 = 'formal' THEN $3::timestamptz END WHERE id = $1`,
    [versionId, profile, now],
  )
}

/**
 * Stores the list of a version's changes, which then stays as it is; null removes it when the version is taken back.
 */
export async function setChanges(
  transaction: Queryable,
  versionId: string,
  changes: ChangeSummary | null,
): Promise<void> {
  await transaction.query('UPDATE crf_version SET changes = $2 WHERE id = $1', [
    versionId,
    changes === null ? null : JSON.stringify(changes),
  ])
}

export async function markVersionDeleted(transaction: Queryable, versionId: string): Promise<void> {
  await transaction.query('UPDATE crf_version SET deleted = true WHERE id = $1', [versionId])
}

/** The project of a version, deleted ones included. */
export async function projectOfVersion(transaction: Queryable, versionId: string): Promise<string | null> {
  const { rows } = await transaction.query<{ project_id: string }>('SELECT project_id FROM crf_version WHERE id = $1', [
    versionId,
  ])
  return rows[0]?.project_id ?? null
}
