import { entryId } from '#core/derivedIds.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { ChangeReason, EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import { giveReasons } from '#offline/outbox/reasons.ts'
import { readEntry } from '#src/data/casebook/readEntry.ts'
import { makeLastLookUps } from '#src/data/casebook/readLookUps.ts'
import { makeLastOtherPages } from '#src/data/casebook/savedPages.ts'
import { explainListed, givenOf } from '#src/data/casebook/unexplained.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type {
  EntrySave,
  EntryView,
  ExplainedChange,
  LocalWrite,
  SavedWrite,
  UnexplainedChange,
} from '#src/data/shapes/types.ts'
import { deleteEntry } from '#src/data/writes/visitWrites.ts'
import { draftOf, prepareSave, save } from '#src/data/writes/writes.ts'
import type { DraftPlaces } from '#src/data/writes/writes.ts'

import type { Typing } from './typing.ts'

/** One page of a patient: reading it, the journal of typing on it, and saving it. */
export interface PageData {
  entry(projectId: string, target: EntryTarget): Reading<EntryView>
  /**
   * Journals one step of typing: durable within 300 ms, on blur and on pagehide, whatever becomes of the save. See
   * `EntrySave.opening`.
   */
  journalEdit(projectId: string, versionId: string, target: EntryTarget, step: JournalStep, opening?: string): void
  /** Journals an answer to a warning, likewise. */
  journalAnswer(
    projectId: string,
    versionId: string,
    target: EntryTarget,
    answer: ConfirmationGiven,
    opening?: string,
  ): void
  /**
   * Discards what was journalled in one opening of a page: the author has undone all of it, and nothing is left to
   * save.
   */
  letGoTyping(target: EntryTarget, opening: string): Promise<Result<true, ApiError>>
  /** The author discards what was journalled in one opening of a page and is in no save: it will not be recovered. */
  discardTyping(target: EntryTarget, opening: string): Promise<Result<true, ApiError>>
  /** Makes what was journalled durable now (blur, pagehide, before a reload). */
  flushJournal(): Promise<LocalWrite>
  /** Whether another patient has this value in a field that must be unique; null where the server cannot be asked. */
  isTaken(
    projectId: string,
    versionId: string,
    target: EntryTarget,
    code: string,
    value: JsonValue,
  ): Promise<boolean | null>
  /** A save of exactly this content is about to come: prepares what can be made beforehand. Nothing is written. */
  prepareSave(projectId: string, save: EntrySave): void
  saveEntry(projectId: string, save: EntrySave): Promise<SavedWrite>
  submitEntry(projectId: string, save: EntrySave): Promise<SavedWrite>
  /**
   * Gives the reasons for changes of a page, by place (`reasonKey`). Changes that waited for a reason may then leave
   * this device.
   */
  giveReasons(projectId: string, target: EntryTarget, given: readonly ExplainedChange[]): Promise<LocalWrite>
  /** The changes of a page that wait for this user's reason, as it is on the device now. */
  unexplained(projectId: string, target: EntryTarget): Promise<readonly UnexplainedChange[]>
  /** Deletes a repeat of a page, with a reason. */
  deleteEntry(projectId: string, target: EntryTarget, seenRev: number, reason: ChangeReason): Promise<LocalWrite>
}

export function makePageData(context: DataContext, places: DraftPlaces, typing: Typing): PageData {
  const lastOtherPages = makeLastOtherPages()
  const lastLookUps = makeLastLookUps()
  return {
    entry: async (projectId, target) => {
      // The place where typing belongs is known as soon as the page is there. It stays known if the patient leaves this
      // device while the page is open.
      void places.scopeOf(projectId, target.patientId)
      const view = await readEntry(context, projectId, target)
      if (!view.ok) return view
      const { entryId: id, otherPages, lookUps } = view.value
      return ok({ ...view.value, otherPages: lastOtherPages.of(id, otherPages), lookUps: lastLookUps.of(id, lookUps) })
    },
    journalEdit: (projectId, versionId, target, step, opening) =>
      typing.add(projectId, versionId, target, { step }, opening),
    journalAnswer: (projectId, versionId, target, answer, opening) =>
      typing.add(projectId, versionId, target, { answer }, opening),
    letGoTyping: async (target, opening) => {
      await typing.placed()
      return context.journal.letGo(entryId(target), opening)
    },
    discardTyping: async (target, opening) => {
      await typing.placed()
      return context.journal.discard(entryId(target), opening)
    },
    flushJournal: async () => {
      await typing.placed()
      const flushed = await context.journal.flush()
      return flushed.ok ? { ok: true, at: new Date().toISOString() } : flushed
    },
    isTaken: (projectId, versionId, target, code, value) =>
      askWhetherTaken(context, { projectId, versionId, target, code, value }),
    prepareSave: (projectId, input) => prepareSave(context, places, projectId, input),
    saveEntry: async (projectId, input) => {
      await typing.placed()
      return save(context, places, projectId, 'entry.save', input)
    },
    submitEntry: async (projectId, input) => {
      await typing.placed()
      return save(context, places, projectId, 'entry.submit', input)
    },
    giveReasons: async (projectId, target, given) => {
      await typing.placed()
      return explainChanges(context, places, projectId, target, given)
    },
    unexplained: async (projectId, target) => {
      const view = await readEntry(context, projectId, target)
      return view.ok ? view.value.unexplained.filter(({ mine }) => mine) : []
    },
    deleteEntry: (projectId, target, seenRev, reason) =>
      deleteEntry(context, places, projectId, target, seenRev, reason),
  }
}

interface UniqueQuestion {
  readonly projectId: string
  readonly versionId: string
  readonly target: EntryTarget
  readonly code: string
  readonly value: JsonValue
}

async function askWhetherTaken(
  context: DataContext,
  { projectId, versionId, target, code, value }: UniqueQuestion,
): Promise<boolean | null> {
  if (!context.online()) return null
  const asked = await context.api.call('entry.unique', {
    params: { id: entryId(target) },
    body: { target, code, value },
    projectId,
    crfId: versionId,
  })
  return asked.ok ? asked.value.taken : null
}

async function explainChanges(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  target: EntryTarget,
  given: readonly ExplainedChange[],
): Promise<LocalWrite> {
  const author = context.author()
  if (author === null) return { ok: false, error: { code: 'vault_locked' } }
  // This also works where the page itself may no longer be read here.
  const view = await readEntry(context, projectId, target)
  const reasons = givenOf(given)
  const freed = await giveReasons(context.storage, author, entryId(target), reasons)
  const done =
    freed.ok && view.ok
      ? await explainListed(context, view.value, reasons, (input) => draftOf(places, projectId, 'entry.save', input))
      : freed
  if (!done.ok) return done
  context.kickSync()
  return { ok: true, at: new Date().toISOString() }
}
