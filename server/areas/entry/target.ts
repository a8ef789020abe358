import { fail } from '#core/api/errors.ts'
import { entryId, FIRST_REPEAT, visitId } from '#core/derivedIds.ts'
import { isId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { PatientFacts } from '#server/areas/entry/store.ts'
import { isVisit } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Act, AnyAct } from '#server/operations/act.ts'
import type { Hold } from '#server/operations/standing.ts'

import { claimPasses, enteredOther } from './passes/authors.ts'
import type { Authorship } from './passes/authors.ts'
import type { DefinedPage } from './reading/pages.ts'
import { findPage, isForeignVersion, pageEverWas } from './reading/pages.ts'

/** Checks that an operation names the right entry. Nothing here reads the entry itself. */

/**
 * @throws ApiFailure invalid for a forged id, a pass that is not the operation's, or a visit that nobody made
 */
export function checkTarget(act: Pick<Act, 'entityId' | 'pass'>, target: EntryTarget): void {
  if (entryId(target) !== act.entityId) throw fail('invalid', { fields: [{ path: 'params.id', code: 'forged' }] })
  if (target.pass !== act.pass) throw fail('invalid', { fields: [{ path: 'body.target.pass', code: 'pass' }] })
  if (target.folderRepeat !== FIRST_REPEAT && !isId(target.folderRepeat)) throw unknownVisit()
  if (target.pageRepeat !== FIRST_REPEAT && !isId(target.pageRepeat))
    throw fail('invalid', { fields: [{ path: 'body.target.pageRepeat', code: 'id' }] })
}

/**
 * @throws ApiFailure invalid for a page of a visit that nobody made
 */
export async function requireVisit(transaction: Queryable, projectId: string, target: EntryTarget): Promise<void> {
  if (target.folderRepeat !== FIRST_REPEAT && !(await isVisit(transaction, projectId, visitId(target))))
    throw unknownVisit()
}

function unknownVisit(): Error {
  return fail('invalid', { fields: [{ path: 'body.target.folderRepeat', code: 'unknown_visit' }] })
}

/**
 * The page under the version that was on screen. If that version lacks the page and the project once had it, the
 * reason for holding the act.
 *
 * @throws ApiFailure invalid for a version that is not released, or a page that the project never had there
 */
export async function pageOfAct(
  transaction: Queryable,
  act: Pick<Act, 'projectId' | 'crfVersionId'>,
  target: EntryTarget,
): Promise<{ readonly page: DefinedPage } | { readonly page: null; readonly hold: Hold }> {
  if (act.crfVersionId === null) throw fail('invalid', { fields: [{ path: 'crfId', code: 'required' }] })
  const page = await findPage(transaction, act.projectId, { versionId: act.crfVersionId, ...target })
  if (page === null) {
    if (await isForeignVersion(transaction, act.projectId, act.crfVersionId))
      throw fail('invalid', { fields: [{ path: 'crfId', code: 'unknown_version' }] })
    if (await pageEverWas(transaction, act.projectId, target))
      return { page, hold: { outcome: 'inbox', reason: 'no_place_in_version' } }
    throw fail('invalid', { fields: [{ path: 'body.target.pageId', code: 'unknown_page' }] })
  }
  if (page.profile !== 'formal') throw fail('invalid', { fields: [{ path: 'crfId', code: 'not_released' }] })
  if (target.pageRepeat !== FIRST_REPEAT && !page.repeatable) {
    throw fail('invalid', { fields: [{ path: 'body.target.pageRepeat', code: 'not_repeatable' }] })
  }
  return { page }
}

/**
 * Keeps an author who has entered one pass of a patient from entering the other. A release from the inbox does not
 * change this, because the passes would no longer be two people's work.
 */
export function otherPassHold(
  { author, pass }: Pick<AnyAct, 'author' | 'pass'>,
  { authors }: Pick<PatientFacts, 'authors'>,
): Hold | null {
  return enteredOther(authors, author.userId, pass) ? { outcome: 'inbox', reason: 'other_pass' } : null
}

/** The pass of a patient of which the author becomes one by a write; null where they have entered it before. */
export function firstWriteOf(
  { author: { userId }, pass }: Pick<AnyAct, 'author' | 'pass'>,
  { id, authors }: Pick<PatientFacts, 'id' | 'authors'>,
): Authorship | null {
  return authors[userId] === pass ? null : { patientId: id, userId, pass }
}

/**
 * Books the author of a write as one of its pass, once nothing keeps the write from being applied.
 *
 * @throws ApiFailure busy where they have just entered the other pass; the next try finds that out
 */
export async function claimPass(
  transaction: Queryable,
  act: Pick<AnyAct, 'author' | 'pass'>,
  patient: Pick<PatientFacts, 'id' | 'authors'>,
): Promise<void> {
  const first = firstWriteOf(act, patient)
  if (first !== null && !(await claimPasses(transaction, [first]))) throw fail('busy')
}
