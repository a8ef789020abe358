import { fail } from '#core/api/errors.ts'
import { FIRST_REPEAT, visitId } from '#core/derivedIds.ts'
import { isTable } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { isId } from '#core/ids.ts'
import { WHOLE_ROW, levelOf } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { allDefinitions, compiledPage, fieldAt, isForeignVersion } from '#server/areas/entry/reading/pages.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import { pageOfAct, requireVisit } from '#server/areas/entry/target.ts'
import { folderEverWas, folderOf, isVisit } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Act } from '#server/operations/act.ts'
import type { Hold } from '#server/operations/standing.ts'

import { targetOf } from '#server/areas/entry/queries/store.ts'

type RaiseAct = Act<'query.raise'>

const NOWHERE: Hold = { outcome: 'inbox', reason: 'no_place_in_version' }

const wrong = (part: string, code: string) => fail('invalid', { fields: [{ path: `body.place.${part}`, code }] })

/**
 * Why the version that was on screen has no place for what the query is about; null where it has one. The page need
 * not have been begun.
 *
 * @throws ApiFailure invalid for a version that is not released or is another project's, and for a visit, page or
 *   field that the project never had
 */
export async function holdOfPlace(transaction: Queryable, act: RaiseAct): Promise<Hold | null> {
  const { place } = act.body
  switch (levelOf(place)) {
    case 'patient':
      return null
    case 'visit':
      return holdOfVisit(transaction, act)
    case 'page':
    case 'row':
    case 'field':
      return holdOfPage(transaction, act)
  }
}

async function holdOfVisit(transaction: Queryable, act: RaiseAct): Promise<Hold | null> {
  const { patientId, folderId, folderRepeat } = act.body.place
  if (act.crfVersionId === null) throw fail('invalid', { fields: [{ path: 'crfId', code: 'required' }] })
  if (folderId === null || folderRepeat === null) return null
  const folder = await folderOf(transaction, act.projectId, act.crfVersionId, folderId)
  if (folder === null) {
    if (await isForeignVersion(transaction, act.projectId, act.crfVersionId))
      throw fail('invalid', { fields: [{ path: 'crfId', code: 'unknown_version' }] })
    if (await folderEverWas(transaction, act.projectId, folderId)) return NOWHERE
    throw wrong('folderId', 'unknown_folder')
  }
  if (!folder.released) throw fail('invalid', { fields: [{ path: 'crfId', code: 'not_released' }] })
  const isThere =
    folderRepeat === FIRST_REPEAT ||
    (isId(folderRepeat) && (await isVisit(transaction, act.projectId, visitId({ patientId, folderId, folderRepeat }))))
  if (!isThere) throw wrong('folderRepeat', 'unknown_visit')
  return null
}

async function holdOfPage(transaction: Queryable, act: RaiseAct): Promise<Hold | null> {
  const target = targetOf(act.body.place)
  if (target === null) return null
  if (target.pageRepeat !== FIRST_REPEAT && !isId(target.pageRepeat)) throw wrong('pageRepeat', 'id')
  await requireVisit(transaction, act.projectId, target)
  const found = await pageOfAct(transaction, act, target)
  if (found.page === null) return found.hold
  return (await isOnPage(transaction, found.page, act.body.place)) ? null : holdOfField(transaction, act)
}

/** Whether the page has the field, or the table of the row. */
async function isOnPage(transaction: Queryable, page: DefinedPage, place: QueryPlace): Promise<boolean> {
  if (place.code === null) return true
  const { page: model } = await compiledPage(transaction, page)
  return hasPlace(model, place)
}

/** Whether a page has the field that the query is about; for a row as a whole, its table. */
function hasPlace(page: PageModel, { table, code }: QueryPlace): boolean {
  if (code !== WHOLE_ROW) return fieldAt(page, table, code ?? '') !== null
  const field = fieldAt(page, null, table ?? '')
  return field !== null && isTable(field)
}

/** The version's page lacks the field: another version of the page may have had it. */
async function holdOfField(transaction: Queryable, act: RaiseAct): Promise<Hold> {
  const { place } = act.body
  const all = await allDefinitions(transaction, act.projectId, place.pageId === null ? [] : [place.pageId])
  if (all.some(({ page }) => hasPlace(page, place))) return NOWHERE
  throw wrong('code', 'unknown_field')
}
