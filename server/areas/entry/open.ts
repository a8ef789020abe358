import { fail } from '#core/api/errors.ts'
import type { CompiledPage } from '#core/form/compile.ts'
import type { DataElsewhere } from '#core/form/elsewhere.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import { emptySaveResult } from '#server/areas/entry/answer.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { dataElsewhere, isCrossing, takeTurn } from '#server/areas/entry/crossing.ts'
import { allDefinitions, compiledPage, findPage } from '#server/areas/entry/pages.ts'
import type { DefinedPage } from '#server/areas/entry/pages.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { isEntryOf, lockEntry, lockPatient, makeEntry } from '#server/areas/entry/store.ts'
import { placeChange } from '#server/areas/entry/structure.ts'
import type { PlacedChange } from '#server/areas/entry/structure.ts'
import { checkTarget, claimPass, otherPassHold, pageOfAct, patientHold, requireVisit } from '#server/areas/entry/target.ts'
import type { EntryWriteAct } from '#server/areas/sync/act.ts'
import { setAside } from '#server/areas/sync/setAside.ts'
import type { Hold, Standing } from '#server/areas/sync/standing.ts'
import { holdOfEarlier, standingOf } from '#server/areas/sync/standing.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'

/** The one way to an entry that somebody wants to change, whether by a save or by deciding a conflict. */

/** An entry that is locked and may be written. */
export interface OpenEntry {
  readonly standing: Standing
  readonly entry: StoredEntry
  /** Whether this very act made it. */
  readonly made: boolean
  /** Where it stands from now on: its version is the later of its own and the act's. */
  readonly place: EntryPlace
  readonly compiled: CompiledPage
  /** What the act changes, by whether that version has a place for it. */
  readonly placed: PlacedChange
  /** Whether rules connect its page with others. */
  readonly crossing: boolean
  /** What is saved on the pages that its rules read. */
  readonly elsewhere: DataElsewhere
  readonly patientDeleted: boolean
}

/**
 * Finds out whether the act may be applied, and locks its entry. Refused only for structure or without a right that ever was; what is
 * right but cannot be applied is set aside.
 *
 * @param changeOf what the act changes; asked for only once its author's rights to the patient are known
 */
export async function openEntry(
  transaction: Queryable,
  act: EntryWriteAct,
  changeOf: () => Promise<EntryChange>,
): Promise<{ readonly open: OpenEntry } | { readonly aside: OperationEffect<JsonValue> }> {
  const { target } = act.body
  const standing = await standingOf(transaction, act, 'database_submit_page')
  checkTarget(act, target)
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const found = await pageOfAct(transaction, act, target)
  const patient = await lockPatient(transaction, act.projectId, target.patientId)
  const placeHold = patient === null ? null : await patientHold(transaction, act, standing, patient)
  const ended: Hold | null = patient?.merged === true && target.pass === 2 ? { outcome: 'inbox', reason: 'locked' } : null
  const both = patient === null ? null : otherPassHold(act, patient)
  const hold = standing.hold ?? earlier ?? (found.page === null ? found.hold : null) ?? placeHold ?? both ?? ended
  const change = await changeOf()
  // Whatever is set aside must still be sound, or nobody could ever apply it.
  if (found.page !== null) await checkStructure(transaction, act.projectId, change, found.page, found.page)
  const aside = async (why: Hold, entryId: string | null) => {
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId }
    return { aside: await setAside(transaction, act, standing, why, subject, emptySaveResult(act.projectId)) }
  }
  if (hold !== null) return aside(hold, null)
  if (found.page === null || patient === null) throw fail('not_found')
  await requireVisit(transaction, act.projectId, target)

  const turns = await isCrossing(transaction, found.page)
  if (turns) await takeTurn(transaction, target)
  if (target.parentEntryId !== null && !(await isEntryOf(transaction, target.parentEntryId, patient.id))) throw fail('not_found')
  const made = await makeEntry(transaction, {
    id: act.entityId,
    projectId: act.projectId,
    centerId: patient.centerId,
    target,
    versionId: found.page.versionId,
    userId: act.author.userId,
  })
  const entry = await lockEntry(transaction, act.projectId, act.entityId)
  if (entry === null) throw fail('not_found')
  if (entry.control !== 'open') return aside({ outcome: 'inbox', reason: entry.control }, entry.id)
  await claimPass(transaction, act, patient)

  const page = await laterPage(transaction, act.projectId, entry, found.page)
  const place = { centerId: patient.centerId, patientId: patient.id, entryId: entry.id, versionId: page.versionId, pass: act.pass }
  const placed = await checkStructure(transaction, act.projectId, change, found.page, page)
  const compiled = await compiledPage(transaction, page)
  // Only the version that the entry stands under knows of them.
  const crossing = await isCrossing(transaction, page)
  if (crossing && !turns) await takeTurn(transaction, target)
  const elsewhere = await dataElsewhere(transaction, page, target)
  return { open: { standing, entry, made, place, compiled, placed, crossing, elsewhere, patientDeleted: patient.deleted } }
}

/** @throws ApiFailure invalid with everything that is wrong with the change */
async function checkStructure(
  transaction: Queryable,
  projectId: string,
  change: EntryChange,
  own: DefinedPage,
  target: DefinedPage,
): Promise<PlacedChange> {
  const { placed, problems } = await placeChange(change, {
    own: (await compiledPage(transaction, own)).page,
    target: (await compiledPage(transaction, target)).page,
    others: async () => (await allDefinitions(transaction, projectId, [own.pageId])).map(({ page }) => page),
  })
  if (problems.length > 0) throw fail('invalid', { fields: problems })
  return placed
}

/** The page under the version that the entry stands under from now on: the later of its own and the operation's. */
async function laterPage(transaction: Queryable, projectId: string, entry: StoredEntry, own: DefinedPage): Promise<DefinedPage> {
  if (entry.versionId === own.versionId) return own
  const standing = await findPage(transaction, projectId, { versionId: entry.versionId, folderId: own.folderId, pageId: own.pageId })
  return standing !== null && standing.versionNo > own.versionNo ? standing : own
}
