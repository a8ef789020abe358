import type { DatabaseColumn, DatabasePage } from '#core/api/calls/data/database.ts'
import { fail } from '#core/api/errors.ts'
import { hasChange, shapeOf } from '#core/dataset/conditions.ts'
import type { ItemColumn } from '#core/dataset/itemColumns.ts'
import { nameOf } from '#core/dataset/itemColumns.ts'
import { columnsOfPage } from '#core/dataset/pageColumns.ts'
import type { Language } from '#core/language.ts'
import { isRange, isTable, parsePage } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import { requireAnyPermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import { releasedPages } from '#server/areas/search/searchFields.ts'
import type { ReleasedPage } from '#server/areas/search/searchFields.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** What can be looked at: pages of all releases, their tables, and the variables of each. */

/** @throws ApiFailure forbidden for who may neither see the database nor search */
export function requireLooker(member: Membership): void {
  requireAnyPermission(member, ['database_view', 'search_view'])
}

interface PagePlace {
  readonly versionId: string
  readonly pageId: string
  readonly name: string
  readonly nameEn: string | null
  readonly code: string
  readonly folderId: string
  readonly folderName: string
  readonly folderNameEn: string | null
}

/** The pages of all releases, those of the newest first, in their order there. */
export async function listPages(connection: Queryable, { projectId }: Membership): Promise<DatabasePage[]> {
  const { rows } = await connection.query<PagePlace>({
    name: 'database_pages',
    text: `
      SELECT v.id AS "versionId", p.page_id AS "pageId", p.name, p.name_en AS "nameEn", p.code,
        f.folder_id AS "folderId", f.name AS "folderName", f.name_en AS "folderNameEn"
      FROM crf_version v JOIN crf_page p ON p.version_id = v.id JOIN crf_folder f ON f.version_id = v.id AND f.folder_id = p.folder_id
      WHERE v.project_id = $1 AND v.profile = 'formal'
      ORDER BY v.version_no DESC, f.sort, f.folder_id, p.sort, p.page_id`,
    values: [projectId],
  })
  const newest = rows[0]?.versionId ?? null
  const pages = new Map<string, { readonly versionId: string; readonly page: DatabasePage }>()
  const tables = await tablesOf(connection, projectId)
  for (const { versionId, pageId, name, nameEn, code, folderId, folderName, folderNameEn } of rows) {
    const known = pages.get(pageId)
    const folder = { folderId, name: folderName, nameEn: folderNameEn }
    if (known === undefined) {
      const page = { pageId, name, nameEn, code, folders: [folder], tables: tables.get(pageId) ?? [] }
      pages.set(pageId, { versionId, page: { ...page, isFormer: versionId !== newest } })
    } else if (!known.page.folders.some((one) => one.folderId === folderId)) known.page.folders.push(folder)
  }
  return [...pages.values()].map(({ page }) => page)
}

async function tablesOf(
  connection: Queryable,
  projectId: string,
): Promise<ReadonlyMap<string, DatabasePage['tables']>> {
  const { rows } = await connection.query<{ pageId: string; option: string }>({
    name: 'database_tables',
    text: `
      SELECT p.page_id AS "pageId", p.option, max(v.version_no) AS no FROM crf_version v JOIN crf_page p ON p.version_id = v.id
      WHERE v.project_id = $1 AND v.profile = 'formal' AND strpos(p.option, '"dynamic"') > 0
      GROUP BY p.page_id, p.option ORDER BY no DESC`,
    values: [projectId],
  })
  const found = new Map<string, DatabasePage['tables']>()
  for (const { pageId, option } of rows) {
    const read = parsePage(option)
    if (!read.ok) continue
    const tables = found.get(pageId) ?? []
    for (const { code, label, labelEn } of read.page.fields.filter(isTable))
      if (!tables.some((one) => one.code === code)) tables.push({ code, label, labelEn })
    found.set(pageId, tables)
  }
  return found
}

/** A variable of the grid, and how it is read. */
export interface GridColumn {
  readonly item: ItemColumn
  readonly column: DatabaseColumn
}

export interface Asked {
  readonly pageId: string
  readonly table: string | null
  readonly language: Language
  readonly values: 'codes' | 'labels'
}

/**
 * The variables of a page, or of one of its tables, over all releases. Several choices of a list are one variable.
 *
 * @throws ApiFailure not_found for a page or a table that no release has
 */
export async function loadColumns(
  connection: Queryable,
  member: Membership,
  asked: Asked,
): Promise<readonly GridColumn[]> {
  const { pageId, table } = asked
  const page = (await releasedPages(connection, member.projectId, [pageId])).get(pageId)
  if (page === undefined) throw fail('not_found')
  const masks = (await pageMasks(connection, member.projectId, [pageId])).get(pageId) ?? new Set<string>()
  return gridColumns(page, asked).flatMap((item) => {
    const { field, name, label, unit, codes } = item.variable
    const found = field === null ? null : newestField(page, table, field.code)
    if (field === null || found === null) return []
    const shape = shapeOf(found)
    const part = !isRange(found) ? null : name.toLowerCase().endsWith('_end') ? 'end' : 'start'
    return [
      {
        item,
        column: {
          name,
          label,
          unit,
          kind: shape?.kind ?? null,
          hasChange: table === null && shape !== null && hasChange(shape),
          codes: [...codes],
          field: { pageId, table, code: field.code, part },
          isMasked: !member.sensitive && isMasked(masks, table, field.code),
        },
      },
    ]
  })
}

function newestField({ models }: ReleasedPage, table: string | null, code: string): Field | null {
  return models.map((page) => fieldAt(page, table, code)).find((one) => one !== null) ?? null
}

function gridColumns(page: ReleasedPage, { table, language, values }: Asked): readonly ItemColumn[] {
  const options = { language, values, reasons: false, isChosen: () => true, taken: [] }
  const { columns, tables } = columnsOfPage(page, options)
  const own = table === null ? columns : tables.find(({ code }) => code === table)?.columns
  if (own === undefined) throw fail('not_found')
  return own.filter(({ variable }) => !isIndicator(variable.name, variable.field?.code ?? ''))
}

/** Whether a variable only says of one choice whether it was chosen. */
function isIndicator(name: string, code: string): boolean {
  return name.startsWith(`${nameOf(code)}___`)
}

/** Whether a reader of what identifies could see more in a column than others do. */
export async function identifyingCodes(
  connection: Queryable,
  projectId: string,
  pageId: string,
): Promise<ReadonlySet<string>> {
  return (await pageMasks(connection, projectId, [pageId])).get(pageId) ?? new Set()
}
