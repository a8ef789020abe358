import type { StudyPage, StudyPages, StudyPlace } from '#core/dataset/source.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** The pages of a project over all its releases, as tables are made from them. */

interface PageRow {
  readonly pageId: string
  readonly name: string
  readonly nameEn: string | null
  readonly code: string
  readonly option: string
}

/** Pages and places in the order of the casebook: the newest release first, then what only older ones have. */
export async function loadStudy(connection: Queryable, projectId: string): Promise<StudyPages> {
  const places = await loadPlaces(connection, projectId)
  const models = new Map<string, { readonly first: PageRow; readonly models: PageModel[] }>()
  for (const pageId of new Set(places.map((place) => place.pageId))) {
    // One page at a time: all definitions of a large study together are many megabytes.
    const [first, ...older] = await loadPage(connection, projectId, pageId)
    if (first === undefined) continue
    const read = [first, ...older].flatMap(({ option }) => {
      const result = parsePage(option)
      return result.ok ? [result.page] : []
    })
    models.set(pageId, { first, models: read })
  }
  const masks = await pageMasks(connection, projectId, [...models.keys()])
  const pages = [...models].map(([pageId, { first, models: ofPage }]): StudyPage => {
    const { name, nameEn, code } = first
    return { pageId, models: ofPage, name, nameEn, code, masked: masks.get(pageId) ?? new Set() }
  })
  return { pages, places: places.filter(({ pageId }) => models.has(pageId)) }
}

async function loadPlaces(connection: Queryable, projectId: string): Promise<readonly StudyPlace[]> {
  const { rows } = await connection.query<StudyPlace>({
    name: 'dataset_places',
    text: `
      SELECT
        f.folder_id AS "folderId", f.code AS "folderCode", f.name AS "folderName", f.name_en AS "folderNameEn", p.page_id AS "pageId"
      FROM crf_version v
      JOIN crf_folder f ON f.version_id = v.id
      JOIN crf_page p ON p.version_id = v.id AND p.folder_id = f.folder_id
      WHERE v.project_id = $1 AND v.profile = 'formal' AND NOT v.deleted
      ORDER BY v.version_no DESC, f.sort, f.folder_id, p.sort, p.page_id`,
    values: [projectId],
  })
  return [
    ...new Map(rows.toReversed().map((place) => [`${place.folderId} ${place.pageId}`, place])).values(),
  ].toReversed()
}

/** The definitions of a page, the newest first, each text once. */
async function loadPage(connection: Queryable, projectId: string, pageId: string): Promise<readonly PageRow[]> {
  const { rows } = await connection.query<PageRow>({
    name: 'dataset_page',
    text: `
      SELECT p.page_id AS "pageId", p.name, p.name_en AS "nameEn", p.code, p.option
      FROM crf_version v JOIN crf_page p ON p.version_id = v.id
      WHERE v.project_id = $1 AND p.page_id = $2 AND v.profile = 'formal' AND NOT v.deleted
      ORDER BY v.version_no DESC, p.folder_id`,
    values: [projectId, pageId],
  })
  return [...new Map(rows.toReversed().map((row) => [row.option, row])).values()].toReversed()
}

/** Releases of a project, the newest first. */
export async function loadVersions(
  connection: Queryable,
  projectId: string,
): Promise<readonly { readonly id: string; readonly no: number }[]> {
  const { rows } = await connection.query<{ id: string; no: number }>({
    name: 'dataset_versions',
    text: `
      SELECT id, version_no AS no FROM crf_version
      WHERE project_id = $1 AND profile = 'formal' AND NOT deleted ORDER BY version_no DESC`,
    values: [projectId],
  })
  return rows
}
