import { LONGEST_TEMPLATE_TEXT, MOST_TEMPLATE_PAGES } from '#core/api/calls/template.ts'
import type { TemplateDetail, TemplateSummary } from '#core/api/calls/template.ts'
import { fail } from '#core/api/errors.ts'
import type { LibraryPage } from '#core/design/library/libraryPage.ts'
import { starterLibrary } from '#core/design/library/starterLibrary.ts'
import { holdsData, parsePage } from '#core/form/definition/page.ts'
import { newId } from '#core/ids.ts'
import { membership, requirePermission } from '#server/access.ts'
import * as store from '#server/areas/template/store.ts'
import type { TemplateRecord } from '#server/areas/template/store.ts'
import { commitProject, commitSystem } from '#server/database/commit.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor, CallContext } from '#server/http/handler.ts'
import { readIds, runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** Templates of pages and folders: the starter library, and templates that people put aside. */

type Folder = TemplateDetail['folder']

/**
 * For a member who designs forms in some project: the library, then the organisation's own templates, the newest
 * first.
 */
export async function listTemplates({
  services,
  actor,
}: CallContext<'template.list'>): Promise<readonly TemplateSummary[]> {
  return withTransaction(services.pool, async (transaction) => {
    await requireDesigner(transaction, actor)
    const own = await store.listTemplates(transaction, actor)
    return [...starterLibrary.map(ofLibrary), ...own.map((record) => summaryOf(record, actor))]
  })
}

export async function readTemplate({
  services,
  actor,
  params,
}: CallContext<'template.detail'>): Promise<TemplateDetail> {
  return withTransaction(services.pool, async (transaction) => {
    await requireDesigner(transaction, actor)
    const page = starterLibrary.find(({ id }) => id === params.id)
    if (page !== undefined) return { ...ofLibrary(page), folder: folderOfLibrary(page) }
    if (params.id.startsWith('lib-')) throw fail('not_found')
    const record = await store.findTemplate(transaction, actor, params.id)
    if (record === null) throw fail('not_found')
    return { ...summaryOf(record, actor), folder: JSON.parse(record.folder) as Folder }
  })
}

/** Puts a page or a folder of a project aside. The project's trail records it. */
export async function saveTemplate(context: Write<'template.save'>): Promise<TemplateSummary> {
  const { services, actor, body } = context
  const { projectId, kind, name, folder } = body
  const id = newId()
  return runOnce(context, { projectId, entityId: id }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'design_edit')
    const fields = countFields(kind, folder)
    const remark = body.remark?.trim() ?? ''
    const record = {
      id,
      kind,
      name: name.trim(),
      remark: remark === '' ? null : remark,
      pages: folder.pages.length,
      fields,
      created_by: actor.userId,
      created_at: services.now(),
    }
    await store.insertTemplate(transaction, { ...record, folder: JSON.stringify(folder) })
    const committed = await commitProject(transaction, {
      projectId,
      // Nothing in the project changes. So an ended study may be the model of the next.
      statuses: projectStatuses,
      under: member,
      stamp: stampAs(member.role),
      audit: [{ action: 'template.create', new: { id, kind, name: record.name, pages: record.pages, fields } }],
      changes: [],
    })
    return { committed, result: summaryOf({ ...record, created_by_name: actor.realName }, actor) }
  })
}

/** Removes templates: all that are named, or none. */
export async function removeTemplates(context: Write<'template.remove'>): Promise<boolean> {
  const { actor, query } = context
  const ids = readIds(query.ids)
  if (ids === null) throw fail('invalid', { fields: [{ path: 'ids', code: 'format' }] })
  return runOnce(context, { projectId: null }, async (transaction, stampAs) => {
    const reads = await store.designsSomewhere(transaction, actor)
    const records: TemplateRecord[] = []
    for (const id of ids) {
      const record = await store.findTemplate(transaction, actor, id)
      // A person who may not read the template does not learn that it exists.
      if (record === null || !(reads || mayRemove(record, actor))) throw fail('not_found')
      if (!mayRemove(record, actor)) throw fail('forbidden')
      records.push(record)
    }
    await store.markRemoved(transaction, ids)
    const audit = records.map(({ id, kind, name }) => ({ action: 'template.remove', old: { id, kind, name } }))
    return { committed: await commitSystem(transaction, stampAs(null), audit), result: true }
  })
}

async function requireDesigner(transaction: Queryable, actor: Actor): Promise<void> {
  if (!(await store.designsSomewhere(transaction, actor))) throw fail('forbidden')
}

/**
 * How many fields a template has.
 *
 * @throws ApiFailure `page_unreadable` where a page cannot be read, because nobody could look at it again; `invalid`
 *   where it is too large
 */
function countFields(kind: TemplateSummary['kind'], { pages }: Folder): number {
  if (pages.length === 0 || (kind === 'page' && pages.length > 1))
    throw fail('invalid', { fields: [{ path: 'folder.pages', code: 'value' }] })
  const length = pages.reduce((sum, { option }) => sum + option.length, 0)
  if (pages.length > MOST_TEMPLATE_PAGES || length > LONGEST_TEMPLATE_TEXT)
    throw fail('invalid', { fields: [{ path: 'folder.pages', code: 'too_big' }] })
  return pages.reduce((sum, { option }) => {
    const parsed = parsePage(option)
    if (!parsed.ok) throw fail('page_unreadable')
    return sum + parsed.page.fields.filter(holdsData).length
  }, 0)
}

function mayRemove(record: Pick<TemplateRecord, 'created_by'>, actor: Actor): boolean {
  return actor.isAdmin || record.created_by === actor.userId
}

function summaryOf(record: TemplateRecord, actor: Actor): TemplateSummary {
  const { id, kind, name, remark, pages, fields, created_by_name: createdByName, created_at: createdAt } = record
  return {
    id,
    source: 'own',
    kind,
    name,
    nameEn: null,
    remark,
    remarkEn: null,
    part: null,
    pages,
    fields,
    createdByName,
    createdAt,
    mayRemove: mayRemove(record, actor),
  }
}

function ofLibrary(page: LibraryPage): TemplateSummary {
  const { id, name, about, part } = page
  const fields = countFields('page', folderOfLibrary(page))
  return {
    id,
    source: 'library',
    kind: 'page',
    name: name.zh,
    nameEn: name.en,
    remark: about.zh,
    remarkEn: about.en,
    part,
    pages: 1,
    fields,
    createdByName: null,
    createdAt: null,
    mayRemove: false,
  }
}

function folderOfLibrary({ name, pageCode, repeatable, option }: LibraryPage): Folder {
  return {
    folderName: name.zh,
    folderNameEn: name.en,
    folderCode: pageCode,
    pages: [{ pageName: name.zh, pageNameEn: name.en, pageCode, repeatable, option: JSON.stringify(option) }],
  }
}
