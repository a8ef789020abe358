import { crfProfileNames } from '#core/study/versionLife.ts'
import type { CrfProfile } from '#core/study/versionLife.ts'
import type { VersionSummary } from '#core/api/calls.version.ts'
import type { FolderRow, PageRow, VersionRow } from '#core/sync/rows.ts'
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
}

const VERSION_COLUMNS = 'v.id, v.project_id, v.version_no, v.profile, v.remark, v.created_at'

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
export async function findVersion(transaction: Queryable, versionId: string, lock = false): Promise<VersionRecord | null> {
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

/** A version with all it defines; null when it is deleted or of another project. */
export async function loadVersionRow(transaction: Queryable, member: Membership, versionId: string): Promise<VersionRow | null> {
  const record = await findVersion(transaction, versionId)
  if (record === null || record.project_id !== member.projectId) return null
  return { ...toSummary(record), folders: [...(await loadFolders(transaction, versionId))] }
}

interface PageRecord {
  readonly folder_id: string
  readonly folder_name: string
  readonly folder_code: string
  readonly folder_sort: number
  readonly page_id: string | null
  readonly name: string
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
      SELECT f.folder_id, f.name AS folder_name, f.code AS folder_code, f.sort AS folder_sort,
        p.page_id, p.name, p.code, p.repeatable, p.sort, p.option
      FROM crf_folder f LEFT JOIN crf_page p ON p.version_id = f.version_id AND p.folder_id = f.folder_id
      WHERE f.version_id = $1 ORDER BY f.sort, f.folder_id, p.sort, p.page_id`,
    values: [versionId],
  })
  const folders = new Map<string, FolderRow>()
  for (const row of rows) {
    const folder = folders.get(row.folder_id) ?? {
      id: row.folder_id,
      folderName: row.folder_name,
      folderCode: row.folder_code,
      sort: row.folder_sort,
      pages: [],
    }
    folders.set(row.folder_id, folder)
    if (row.page_id !== null) folder.pages.push(toPageRow(row, row.page_id))
  }
  return [...folders.values()]
}

function toPageRow(record: PageRecord, id: string): PageRow {
  const { name: pageName, code: pageCode, repeatable, option, sort } = record
  return { id, pageName, pageCode, repeatable, option, sort }
}
