import type { ConflictResolution } from '#core/sync/conflict.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { DELETED, sameContent } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { conflictAfter, placeAtFirst, throughSteps } from '#server/areas/entry/versions/migrate.ts'
import { lastStep, pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageIds } from '#server/areas/entry/versions/versionEngine.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Act } from '#server/operations/act.ts'

import type { StoredConflict } from './conflicts.ts'

/**
 * Finds the version in whose words a conflict is decided if it was open when a release came
 * (docs/adr/0028-migration.md).
 */

/** A conflict as it is stored, and the version in whose words it is. */
export interface Question {
  readonly conflict: StoredConflict
  readonly versionId: string
}

/** A conflict and the decision about it, in the words of one version. */
export interface Answer {
  readonly conflict: StoredConflict
  readonly body: ConflictResolution
}

/**
 * The conflict and its decision in the words of a page that is no older than either. Where that page lacks the field,
 * or the field cannot hold the wanted value, they are in the words of the last version that had the place. The
 * current value is then the value that stood there, because a screen may have shown another field that has the code
 * by now.
 */
export async function answerUnder(
  transaction: Queryable,
  act: Act<'conflict.resolve'>,
  question: Question,
  page: PageIds & { readonly versionId: string },
): Promise<Answer> {
  const { conflict: stored, versionId } = question
  const steps =
    stored.formerVersionId === null ? await pageSteps(transaction, act.projectId, versionId, page.versionId, page) : []
  const formerVersionId = stored.formerVersionId ?? conflictAfter(stored, contentsOf(stored), steps).formerVersionId
  if (formerVersionId !== null)
    return answerInFormer(transaction, act, question, { ...page, versionId: formerVersionId })
  const answer = await answerIn(transaction, act, question, page)
  const unfit = await unfitNew(transaction, act, answer, page)
  if (unfit === null) return answer
  return answerInFormer(
    transaction,
    act,
    { ...question, conflict: { ...answer.conflict, ...unfit.place } },
    { ...page, versionId: unfit.formerVersionId },
  )
}

/**
 * For a new value that was made on an older page and that the field can no longer hold: the last place and version
 * where the value would fit.
 */
async function unfitNew(
  transaction: Queryable,
  { projectId, crfVersionId, body }: Act<'conflict.resolve'>,
  { conflict }: Answer,
  page: PageIds & { readonly versionId: string },
): Promise<{ readonly place: ItemPlace; readonly formerVersionId: string } | null> {
  if (body.choice !== 'new' || crfVersionId === null || conflict.code === DELETED) return null
  const onScreen = await pageSteps(transaction, projectId, crfVersionId, page.versionId, page)
  const first = placeAtFirst(onScreen, { table: conflict.table, rid: conflict.rid, code: conflict.code })
  if (first === null) return null
  const { place, formerVersionId } = conflictAfter(first, { mine: body.to }, onScreen)
  return formerVersionId === null ? null : { place, formerVersionId }
}

async function answerInFormer(
  transaction: Queryable,
  act: Act<'conflict.resolve'>,
  question: Question,
  former: PageIds & { readonly versionId: string },
): Promise<Answer> {
  const { conflict, body } = await answerIn(transaction, act, question, former)
  return {
    conflict: { ...conflict, formerVersionId: former.versionId },
    body: { ...body, seen: conflict.server, to: body.choice === 'server' ? conflict.server : body.to },
  }
}

/**
 * The conflict and its decision in the words of a page that has the field. The decision is mostly in the words of the
 * version that was on screen. But a screen may have had the release and still shown what was written before it, or
 * the other way round. The values that it offered tell which.
 */
async function answerIn(
  transaction: Queryable,
  act: Act<'conflict.resolve'>,
  { conflict: stored, versionId }: Question,
  page: PageIds & { readonly versionId: string },
): Promise<Answer> {
  const { projectId, crfVersionId, body } = act
  const steps = await pageSteps(transaction, projectId, versionId, page.versionId, page)
  const { table, rid, code } = stored
  const after = conflictAfter({ table, rid, code }, contentsOf(stored), steps)
  const conflict = { ...stored, ...after.place, ...after.contents }
  if (code === DELETED) return { conflict, body }

  const onScreen =
    crfVersionId === null ? [] : await pageSteps(transaction, projectId, crfVersionId, page.versionId, page)
  const read = (through: readonly PageStep[], content: ItemContent) => contentAfter(through, conflict, content)
  // A current value that does not fit the field is not there now. Where a person saw or keeps it, it stays beside the
  // data.
  const readStored = (through: readonly PageStep[], content: ItemContent) =>
    throughSteps(through, conflict, content) ?? content
  const isOffered = (through: readonly PageStep[]): boolean => {
    if (body.choice === 'mine') return sameContent(read(through, body.to), conflict.mine)
    return [body.seen, body.to].some((content) => sameContent(readStored(through, content), conflict.server))
  }
  const through =
    [onScreen, steps, []].find(isOffered) ?? (await unseenStep(transaction, projectId, page, isOffered)) ?? onScreen
  // A new value of the person's own is made on the page that was on screen.
  const to =
    body.choice === 'server' ? readStored(through, body.to) : read(body.choice === 'new' ? onScreen : through, body.to)
  return { conflict, body: { ...body, seen: readStored(through, body.seen), to } }
}

function contentsOf({ server, mine }: StoredConflict): { readonly server: ItemContent; readonly mine: ItemContent } {
  return { server, mine }
}

/**
 * The step that brought the entry to this version. It is used where the person who decides had not seen the conflict
 * after it.
 */
async function unseenStep(
  transaction: Queryable,
  projectId: string,
  page: PageIds & { readonly versionId: string },
  isOffered: (through: readonly PageStep[]) => boolean,
): Promise<readonly PageStep[] | null> {
  const last = await lastStep(transaction, projectId, page.versionId, page)
  return last !== null && isOffered([last]) ? [last] : null
}

/**
 * Content at the place of a conflict after some steps. Content that does not fit there is left as it is, so that the
 * code that places it reports the error.
 */
function contentAfter(through: readonly PageStep[], place: StoredConflict, content: ItemContent): ItemContent {
  const now = throughSteps(through, place, content)
  return now === null || sameContent(now, EMPTY_ITEM) ? content : now
}
