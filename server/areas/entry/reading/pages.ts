import { fail } from '#core/api/errors.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import type { CrfProfile } from '#core/study/versionLife.ts'
import type { PageIds } from '#server/areas/entry/versions/versionEngine.ts'
import { forgetEngines, versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import { forgetMigrations } from '#server/areas/entry/versions/migrationSteps.ts'
import { Released } from '#server/areas/entry/versions/released.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Where a page stands: a version, and its place in the casebook. */
export interface VersionedPage extends PageIds {
  readonly versionId: string
}

/** A page as a version of the project defines it. */
export interface DefinedPage extends VersionedPage {
  readonly versionNo: number
  readonly profile: CrfProfile
  readonly folderName: string
  readonly folderNameEn: string | null
  readonly name: string
  readonly nameEn: string | null
  readonly code: string
  readonly repeatable: boolean
}

const PAGE = `
  SELECT
    v.id AS "versionId", v.version_no AS "versionNo", v.profile, f.folder_id AS "folderId", f.name AS "folderName", f.name_en AS "folderNameEn",
    p.page_id AS "pageId", p.name, p.name_en AS "nameEn", p.code, p.repeatable
  FROM crf_version v
  JOIN crf_page p ON p.version_id = v.id
  JOIN crf_folder f ON f.version_id = v.id AND f.folder_id = p.folder_id`

const MAX_RELEASED = 500
const releasedPages = new Released<DefinedPage>(MAX_RELEASED)

/** Clears the cache: when a server starts, its database may have been put back to before a release. */
export function forgetReleased(): void {
  forgetMigrations()
  releasedPages.clear()
  forgetEngines()
}

/** The page at a place, without its option. Null where the version, which must be the project's, has no such page. */
export async function findPage(
  transaction: Queryable,
  projectId: string,
  place: VersionedPage,
): Promise<DefinedPage | null> {
  const key = `${projectId}/${placeKey(place)}`
  const known = releasedPages.get(key)
  if (known !== undefined) return known
  const { rows } = await transaction.query<DefinedPage>({
    name: 'page_find',
    text: `${PAGE} WHERE v.id = $1 AND v.project_id = $2 AND NOT v.deleted AND p.folder_id = $3 AND p.page_id = $4`,
    values: [place.versionId, projectId, place.folderId, place.pageId],
  })
  const page = rows[0] ?? null
  if (page?.profile === 'formal') releasedPages.keep(key, page)
  return page
}

function placeKey({ versionId, folderId, pageId }: VersionedPage): string {
  return `${versionId}/${folderId}/${pageId}`
}

/** Whether any version of the project ever had the page there. */
export async function pageEverWas(
  transaction: Queryable,
  projectId: string,
  place: Omit<VersionedPage, 'versionId'>,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'page_ever',
    text: `
      SELECT 1 FROM crf_version v JOIN crf_page p ON p.version_id = v.id
      WHERE v.project_id = $1 AND p.folder_id = $2 AND p.page_id = $3 LIMIT 1`,
    values: [projectId, place.folderId, place.pageId],
  })
  return (rowCount ?? 0) > 0
}

/**
 * Whether a version belongs to another project. An unknown version does not: a server that was restored from a backup
 * has forgotten releases under which tablets have worked since.
 */
export async function isForeignVersion(transaction: Queryable, projectId: string, versionId: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'version_foreign',
    text: 'SELECT 1 FROM crf_version WHERE id = $1 AND project_id <> $2',
    values: [versionId, projectId],
  })
  return rowCount === 1
}

/** The stored option of a page, exactly as it was designed. */
export async function loadOption(transaction: Queryable, place: VersionedPage): Promise<string> {
  const { rows } = await transaction.query<{ option: string }>({
    name: 'page_option',
    text: 'SELECT option FROM crf_page WHERE version_id = $1 AND folder_id = $2 AND page_id = $3',
    values: [place.versionId, place.folderId, place.pageId],
  })
  const row = rows[0]
  if (row === undefined) throw fail('not_found')
  return row.option
}

/**
 * The page ready to judge data.
 *
 * @throws ApiFailure page_unreadable where its definition cannot be read
 */
export async function compiledPage(
  transaction: Queryable,
  page: Pick<DefinedPage, 'profile' | keyof VersionedPage>,
): Promise<CompiledPage> {
  const result = (await versionEngine(transaction, page)).page(page)
  if (!result.ok) throw fail('page_unreadable')
  return result.compiled
}

/** A page as one of its definitions has it. */
interface PageDefinition {
  readonly pageId: string
  readonly page: PageModel
}

/**
 * Every readable definition that the pages ever had in the project. One of them may have a field that the current
 * version lacks.
 */
export async function allDefinitions(
  transaction: Queryable,
  projectId: string,
  pageIds: readonly string[],
): Promise<readonly PageDefinition[]> {
  return definitionsOf(transaction, projectId, { pageIds, containing: '', versions: 'all' })
}

/** Those of them whose text contains something, in all versions or in releases only. */
export async function definitionsOf(
  transaction: Queryable,
  projectId: string,
  {
    pageIds,
    containing,
    versions,
  }: { readonly pageIds: readonly string[]; readonly containing: string; readonly versions: 'all' | 'released' },
): Promise<readonly PageDefinition[]> {
  const { rows } = await transaction.query<{ pageId: string; option: string }>({
    name: 'page_definitions',
    text: `
      SELECT DISTINCT p.page_id AS "pageId", p.option FROM crf_version v JOIN crf_page p ON p.version_id = v.id
      WHERE v.project_id = $1 AND p.page_id = ANY ($2) AND strpos(p.option, $3) > 0 AND ($4 OR v.profile = 'formal')`,
    values: [projectId, pageIds, containing, versions === 'all'],
  })
  return rows.flatMap(({ pageId, option }) => {
    const result = parsePage(option)
    return result.ok ? [{ pageId, page: result.page }] : []
  })
}

/** The field at an address; null where the page has none there. */
export function fieldAt(page: PageModel, table: string | null, code: string): Field | null {
  if (table === null) return page.byCode.get(code) ?? null
  const field = page.byCode.get(table)
  return field?.type === 'dynamic' ? (field.children.find((child) => child.code === code) ?? null) : null
}
