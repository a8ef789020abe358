import type { SaveResult } from '#core/api/calls/entry.ts'
import { fail } from '#core/api/errors.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { NO_OTHER_PAGES } from '#core/form/engine/otherPages.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { nowAt } from '#core/study/migration/migrateChange.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { EntryChange, JournalStep } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { carryIgnoredGaps } from '#server/areas/doubleEntry/ignoredAfter.ts'
import { emptySaveResult } from '#server/areas/entry/answer.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { PatientFacts, StoredEntry } from '#server/areas/entry/store.ts'
import { isEntryOf } from '#server/areas/entry/store.ts'
import { placeChange } from '#server/areas/entry/structure.ts'
import type { PlacedChange } from '#server/areas/entry/structure.ts'
import type { LockedEntry, SaveReads } from '#server/areas/entry/saveReads.ts'
import { checkTarget, firstWriteOf, otherPassHold, pageOfAct, requireVisit } from '#server/areas/entry/target.ts'
import { patientHold } from '#server/areas/patient/hold.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import type { EntryWriteAct } from '#server/operations/act.ts'
import { holdAct } from '#server/operations/holdAct.ts'
import type { Hold, Standing } from '#server/operations/standing.ts'
import { holdOfEarlier, standingOf } from '#server/operations/standing.ts'

import { readOtherPages, isCrossing, lockCrossing } from './judgement/crossing.ts'
import type { Authorship } from './passes/authors.ts'
import { moveChange } from './versions/migrate.ts'
import { bringEntry } from './versions/migratedEntry.ts'
import type { Migration } from './versions/migratedEntry.ts'
import { pageSteps } from './versions/migrationSteps.ts'
import type { PageStep } from './versions/migrationSteps.ts'
import { allDefinitions, compiledPage, findPage } from './reading/pages.ts'
import type { DefinedPage } from './reading/pages.ts'
import { basesNow } from './versions/unseenMigration.ts'

/** Everything that changes an entry opens it here first, both a save and the decision of a conflict. */

/** A page as one version has it. */
export interface OwnPage {
  readonly versionId: string
  readonly page: PageModel
}

/** An entry that is locked and may be written. */
export interface OpenEntry {
  readonly standing: Standing
  readonly entry: StoredEntry
  /** Whether this act makes the entry. */
  readonly made: boolean
  /** Whether the entry has its row already. If not, it gets the row with its first data. */
  readonly hasRow: boolean
  /** The entry's place from now on. Its version is the later of the entry's and the act's. */
  readonly place: EntryPlace
  readonly compiled: CompiledPage
  /**
   * The page on which a value without a place was entered: the page as it was on screen, or as the last version has
   * it that had the field.
   */
  readonly own: OwnPage
  /** The migration that brought the entry to that version; `entry` has the migrated data already. */
  readonly migration: Migration
  /** What the act changes, split by whether that version has a place for it. */
  readonly placed: PlacedChange
  /** The steps of typing of the change, by the places of that version. */
  readonly journal: readonly JournalStep[]
  /** Answers of the act to warnings, by the places of that version. */
  readonly confirms: readonly ConfirmationGiven[]
  /** Whether rules connect the entry's page with others. */
  readonly crossing: boolean
  /** The saved data of the pages that the entry's rules read. */
  readonly otherPages: OtherPages
  readonly patientDeleted: boolean
  /** The pass of which the write makes the author one; null where they have entered it before. */
  readonly firstWrite: Authorship | null
}

/**
 * What an act changes: either the change from the page that was on screen, or an answer to a question that goes with
 * the entry from release to release.
 */
export type Wanted =
  | { readonly said: EntryChange }
  | {
      /** The version whose words the question is in. */
      readonly versionId: string
      /**
       * The answer in the words of a page that is no older than the question and the screen. Where that page lacks
       * the field, the answer is in the words of the last version that had it.
       */
      readonly under: (
        page: DefinedPage,
      ) => Promise<{ readonly change: EntryChange; readonly formerVersionId: string | null }>
    }

/**
 * Finds out whether the act may be applied, and locks its entry. An act is refused only for a wrong structure, or
 * where its author never had the right. A sound act that cannot be applied is held.
 *
 * @param wantedOf reads what the act changes. It is called once the author's rights to the patient are known, and
 *   again once the entry is locked: meanwhile the question may have been decided or migrated
 * @throws NotPlain where the act is one of a batch (`reads`) and something stands in its way for which others would
 *   have to wait
 */
export async function openEntry(
  transaction: Queryable,
  act: EntryWriteAct,
  wantedOf: () => Promise<Wanted>,
  reads: SaveReads,
): Promise<{ readonly open: OpenEntry } | { readonly held: OperationEffect<SaveResult> }> {
  const { target } = act.body
  const standing = await standingOf(transaction, act, 'database_submit_page', reads)
  checkTarget(act, target)
  const earlier = await holdOfEarlier(transaction, act, standing.status, reads)
  const found = await pageOfAct(transaction, act, target)
  const patient = await reads.lockPatient(transaction, act.projectId, target.patientId)
  const placeHold = patient === null ? null : await patientHold(transaction, act, standing, patient)
  const merged = target.pass === 2 && (await reads.mergedAmong(transaction, [target.patientId])).size > 0
  const ended: Hold | null = merged ? { outcome: 'inbox', reason: 'locked' } : null
  const both = patient === null ? null : otherPassHold(act, patient)
  const hold = standing.hold ?? earlier ?? (found.page === null ? found.hold : null) ?? placeHold ?? both ?? ended
  const wanted = await wantedOf()
  // An act that is held must be sound too, or nobody could ever apply it.
  const sound =
    found.page === null
      ? null
      : await checkSoundness(transaction, act.projectId, wanted, found.page, patient?.migratedTo ?? null)
  const holdIt = async (why: Hold, entryId: string | null) => {
    reads.requireAlone()
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId }
    return { held: await holdAct(transaction, act, standing, why, subject, emptySaveResult(act.projectId)) }
  }
  if (hold !== null) return holdIt(hold, null)
  if (found.page === null || sound === null || patient === null) throw fail('not_found')
  await requireVisit(transaction, act.projectId, target)

  const turns = await isCrossing(transaction, found.page)
  if (turns) {
    reads.requireAlone()
    await lockCrossing(transaction, target)
  }
  if (target.parentEntryId !== null && !(await isEntryOf(transaction, target.parentEntryId, patient.id)))
    throw fail('not_found')
  const locked = await reads.lockOrMake(transaction, {
    id: act.entityId,
    projectId: act.projectId,
    centerId: patient.centerId,
    target,
    versionId: found.page.versionId,
    userId: act.author.userId,
  })
  if (locked === null) throw fail('not_found')
  const { entry } = locked
  if (entry.control !== 'open') return holdIt({ outcome: 'inbox', reason: entry.control }, entry.id)
  const wantedNow = 'said' in wanted ? wanted : await wantedOf()

  const met = { ...locked, standing, patient, found: found.page, turns, wanted: wantedNow, sound: sound.placed }
  return { open: await bringUnderLaterPage(transaction, act, met, reads) }
}

/** What is known of an entry once it is locked and may be written. */
interface Locked extends LockedEntry {
  readonly standing: Standing
  readonly patient: PatientFacts
  /** The page that was on screen for the act. */
  readonly found: DefinedPage
  /** Whether the lock for the patient's connected pages is held already. */
  readonly turns: boolean
  readonly wanted: Wanted
  /** The change in canonical form under its own version. */
  readonly sound: PlacedChange
}

/** Brings the entry to the version under which it stands from now on, and places the act's change there. */
async function bringUnderLaterPage(
  transaction: Queryable,
  act: EntryWriteAct,
  { standing, entry, made, hasRow, patient, found, turns, wanted, sound }: Locked,
  reads: SaveReads,
): Promise<OpenEntry> {
  const { target } = act.body
  const page = await laterPage(transaction, act.projectId, { entry, migratedTo: patient.migratedTo }, found)
  const place = {
    centerId: patient.centerId,
    patientId: patient.id,
    entryId: entry.id,
    versionId: page.versionId,
    pass: act.pass,
  }
  const steps = made ? [] : await pageSteps(transaction, act.projectId, entry.versionId, page.versionId, page)
  // Other writers may be about to change what migrates with the entry.
  if (steps.length > 0) reads.requireAlone()
  const gaps = steps.length === 0 ? [] : await carryIgnoredGaps(transaction, act.projectId, place, entry.id)
  const brought = await bringEntry(transaction, entry, place, {
    projectId: act.projectId,
    receivedAt: act.receivedAt,
    steps,
    by: { userId: act.author.userId, at: act.acted.at, opKey: act.key },
  })
  const under = await placeUnder(transaction, act, { wanted, sound, found, page, brought, steps })
  const compiled = await compiledPage(transaction, page)
  // Only the version under which the entry stands now knows of these connections.
  const crossing = page === found ? turns : await isCrossing(transaction, page)
  if (crossing && !turns) {
    reads.requireAlone()
    await lockCrossing(transaction, target)
  }
  const otherPages = crossing ? await readOtherPages(transaction, page, target) : NO_OTHER_PAGES
  const migration = { ...brought.migration, audit: [...brought.migration.audit, ...gaps] }
  return {
    standing,
    entry: brought.entry,
    made,
    hasRow,
    place,
    compiled,
    ...under,
    migration,
    crossing,
    otherPages,
    patientDeleted: patient.deleted,
    firstWrite: firstWriteOf(act, patient),
  }
}

/**
 * @throws ApiFailure invalid with everything that is wrong with the change
 */
async function checkStructure(
  transaction: Queryable,
  projectId: string,
  change: EntryChange,
  own: DefinedPage,
  target: DefinedPage,
): Promise<PlacedChange> {
  const ownModel = (await compiledPage(transaction, own)).page
  const { placed, problems } = await placeChange(change, {
    own: ownModel,
    target: target === own ? ownModel : (await compiledPage(transaction, target)).page,
    others: async () => (await allDefinitions(transaction, projectId, [own.pageId])).map(({ page }) => page),
  })
  if (problems.length > 0) throw fail('invalid', { fields: problems })
  return placed
}

/** Checks every part of the change under its own version. */
async function checkSoundness(
  transaction: Queryable,
  projectId: string,
  wanted: Wanted,
  found: DefinedPage,
  migratedTo: string | null,
): Promise<Pick<OpenEntry, 'placed'>> {
  if ('said' in wanted) return { placed: await checkStructure(transaction, projectId, wanted.said, found, found) }
  return placeAnswer(transaction, projectId, wanted, {
    found,
    page: await laterPage(transaction, projectId, { entry: wanted, migratedTo }, found),
  })
}

/**
 * An answer on the page under which the entry stands. Where this page lacks the answer's field, the answer goes
 * beside the data, even if another field has the code by now.
 */
async function placeAnswer(
  transaction: Queryable,
  projectId: string,
  wanted: Exclude<Wanted, { readonly said: EntryChange }>,
  { found, page }: { readonly found: DefinedPage; readonly page: DefinedPage },
): Promise<Pick<OpenEntry, 'placed' | 'own'>> {
  const { change, formerVersionId } = await wanted.under(page)
  if (formerVersionId === null)
    return {
      placed: await checkStructure(transaction, projectId, change, page, page),
      own: await ownPage(transaction, found),
    }
  const former = await findPage(transaction, projectId, {
    versionId: formerVersionId,
    folderId: page.folderId,
    pageId: page.pageId,
  })
  if (former === null) throw fail('not_found')
  const { items, retired } = await checkStructure(transaction, projectId, change, former, former)
  return { placed: { items: [], rows: [], retired: [...items, ...retired] }, own: await ownPage(transaction, former) }
}

async function ownPage(transaction: Queryable, page: DefinedPage): Promise<OwnPage> {
  return { versionId: page.versionId, page: (await compiledPage(transaction, page)).page }
}

interface Met {
  readonly wanted: Wanted
  /** The change in canonical form under its own version. */
  readonly sound: PlacedChange
  readonly found: DefinedPage
  readonly page: DefinedPage
  /** The entry, migrated to the page's version. */
  readonly brought: { readonly entry: StoredEntry }
  readonly steps: readonly PageStep[]
}

/** The change in the words of the version under which the entry stands from now on. */
async function placeUnder(
  transaction: Queryable,
  act: EntryWriteAct,
  met: Met,
): Promise<Pick<OpenEntry, 'placed' | 'journal' | 'confirms' | 'own'>> {
  const { wanted, sound, found, page, brought } = met
  if (!('said' in wanted))
    return { ...(await placeAnswer(transaction, act.projectId, wanted, met)), journal: [], confirms: [] }
  const own = await ownPage(transaction, found)
  const change = wanted.said
  const { journal, confirms = [] } = change
  const since = await pageSteps(transaction, act.projectId, found.versionId, page.versionId, page)
  if (since.length === 0) {
    if (found.versionId !== page.versionId) {
      const placed = await checkStructure(transaction, act.projectId, change, found, page)
      return { placed, journal, confirms, own }
    }
    const now = { page, entry: brought.entry, steps: met.steps }
    const items = await basesNow(transaction, act.projectId, sound.items, now)
    return { placed: { ...sound, items }, journal, confirms, own }
  }
  const moved = moveChange({ items: sound.items, rows: sound.rows, journal }, since)
  const placed = await checkStructure(
    transaction,
    act.projectId,
    { ...change, items: [...moved.items], rows: [...moved.rows] },
    page,
    page,
  )
  return {
    placed: { ...placed, retired: [...sound.retired, ...moved.retired, ...placed.retired] },
    own,
    journal: moved.journal,
    confirms: confirms.map((one) => ({
      ...one,
      ...since.reduce<ItemPlace>((place, { plan }) => nowAt(plan, place), one),
    })),
  }
}

/**
 * The page under the version that the entry stands under from now on. It is the latest of three versions, as far as
 * each has the page: the entry's own, the operation's, and the one to which the patient was migrated.
 */
async function laterPage(
  transaction: Queryable,
  projectId: string,
  { entry, migratedTo }: { readonly entry: Pick<StoredEntry, 'versionId'>; readonly migratedTo: string | null },
  own: DefinedPage,
): Promise<DefinedPage> {
  let latest = own
  for (const versionId of new Set([entry.versionId, migratedTo ?? entry.versionId])) {
    if (versionId === latest.versionId) continue
    const page = await findPage(transaction, projectId, { versionId, folderId: own.folderId, pageId: own.pageId })
    if (page !== null && page.versionNo > latest.versionNo) latest = page
  }
  return latest
}
