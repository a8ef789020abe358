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

/** In which words a conflict is decided that stood open when a release came (docs/adr/0028-migration.md). */

/** A conflict as it is stored, and the version whose words that is in. */
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
 * The conflict and its decision in the words of a page that is no older than either; where that has not the field, or
 * the field no place for what is wanted, in those of the last version that had. Then what stands is what stood there: a
 * screen may have shown another field that has its code by now.
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
 * Where a value of one's own was made on an older page, and the field cannot hold it any more: where and under which
 * version it could stand last.
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
 * version that was on screen; but a screen may have had the release and still shown what was written before it, or the
 * other way round. What it offered tells which.
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
  // What stood and has no place in the field is not there now: whoever saw it, or keeps it, leaves it beside the data.
  const readStanding = (through: readonly PageStep[], content: ItemContent) =>
    throughSteps(through, conflict, content) ?? content
  const isOffered = (through: readonly PageStep[]): boolean => {
    if (body.choice === 'mine') return sameContent(read(through, body.to), conflict.mine)
    return [body.seen, body.to].some((content) => sameContent(readStanding(through, content), conflict.server))
  }
  const through =
    [onScreen, steps, []].find(isOffered) ?? (await unseenStep(transaction, projectId, page, isOffered)) ?? onScreen
  // A value of one's own is made on the page that was on screen.
  const to =
    body.choice === 'server'
      ? readStanding(through, body.to)
      : read(body.choice === 'new' ? onScreen : through, body.to)
  return { conflict, body: { ...body, seen: readStanding(through, body.seen), to } }
}

function contentsOf({ server, mine }: StoredConflict): { readonly server: ItemContent; readonly mine: ItemContent } {
  return { server, mine }
}

/** The step that brought the entry there, where who decides had not seen what it made of the conflict. */
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
 * Content at the place of a conflict after some steps. What could not stand there is left as it is, for whoever places
 * it to say so.
 */
function contentAfter(through: readonly PageStep[], place: StoredConflict, content: ItemContent): ItemContent {
  const now = throughSteps(through, place, content)
  return now === null || sameContent(now, EMPTY_ITEM) ? content : now
}
