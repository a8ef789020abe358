import { fail } from '#core/api/errors.ts'
import { FIRST_REPEAT, visitId } from '#core/derivedIds.ts'
import { isId } from '#core/ids.ts'
import { levelOf } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { contentInLater, hasQueryPlace, placeInLater } from '#server/areas/entry/queries/moveQueries.ts'
import { allDefinitions, compiledPage, findPage, isForeignVersion } from '#server/areas/entry/reading/pages.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import { pageOfAct, requireVisit } from '#server/areas/entry/target.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import { folderEverWas, folderOf, isVisit } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Act } from '#server/operations/act.ts'
import type { Hold } from '#server/operations/standing.ts'

import { targetOf, versionsAt } from '#server/areas/entry/queries/store.ts'

type RaiseAct = Act<'query.raise'>

/** The version has no place for what the query is about. */
export const NOWHERE: Hold = { outcome: 'inbox', reason: 'no_place_in_version' }

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
  return hasQueryPlace(model, { table: place.table, code: place.code })
}

/** The version's page lacks the field: another version of the page may have had it. */
async function holdOfField(transaction: Queryable, act: RaiseAct): Promise<Hold> {
  const { place } = act.body
  const all = await allDefinitions(transaction, act.projectId, place.pageId === null ? [] : [place.pageId])
  if (all.some(({ page }) => hasQueryPlace(page, { table: place.table, code: place.code ?? '' }))) return NOWHERE
  throw wrong('code', 'unknown_field')
}

/** What a question is about, in the words of the version under which its page stands now. */
interface PlaceNow {
  readonly place: QueryPlace
  readonly versionId: string | null
  /** What its asker saw, where that was said. */
  readonly seen: ItemContent | undefined
}

/**
 * Where a question stands that was asked under an earlier release than its page stands under by now; null where a
 * release since has no place for it. The patient is locked, so that no release comes in between.
 */
export async function placeNow(transaction: Queryable, act: RaiseAct): Promise<PlaceNow | null> {
  const { place, seen } = act.body
  const { table, rid, code } = place
  const asked = { place, versionId: act.crfVersionId, seen }
  const later = code === null ? null : await laterPage(transaction, act)
  if (code === null || later === null || act.crfVersionId === null) return asked
  const steps = await pageSteps(transaction, act.projectId, act.crfVersionId, later.versionId, later)
  if (steps.length === 0) return asked
  const from = { table, rid, code }
  const to = placeInLater(steps, (await compiledPage(transaction, later)).page, from)
  if (to === null) return null
  return {
    place: { ...place, table: to.table, code: to.code },
    versionId: later.versionId,
    seen: seen === undefined ? seen : contentInLater(steps, from, seen),
  }
}

/** The page under the latest of the releases of its entry and its patient; null where that is none later than asked. */
async function laterPage(
  transaction: Queryable,
  { projectId, crfVersionId, body: { place } }: RaiseAct,
): Promise<DefinedPage | null> {
  const { folderId, pageId } = place
  if (folderId === null || pageId === null || crfVersionId === null) return null
  const pageUnder = (versionId: string) => findPage(transaction, projectId, { versionId, folderId, pageId })
  let latest = await pageUnder(crfVersionId)
  if (latest === null) return null
  for (const versionId of await versionsAt(transaction, place)) {
    const page = await pageUnder(versionId)
    if (page !== null && page.versionNo > latest.versionNo) latest = page
  }
  return latest.versionId === crfVersionId ? null : latest
}
