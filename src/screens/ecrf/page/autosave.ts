import type { ApiError } from '#core/api/errors.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import type { JsonValue } from '#core/json.ts'
import { newId } from '#core/ids.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { progressOf } from '#core/form/engine/evaluate.ts'
import { isError } from '#core/form/engine/issue.ts'
import { isUnanswered } from '#core/form/engine/warning.ts'
import { seenData } from '#core/form/engine/seen.ts'
import { reasonKey } from '#core/sync/reasons.ts'
import { rowStep } from '#core/sync/rowStep.ts'
import { isTakenBack } from '#core/sync/takenBack.ts'
import type { Confirmation, ConfirmationGiven } from '#core/sync/confirmation.ts'
import { withConfirmations } from '#core/sync/confirmation.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { EntryTarget, ItemChange, JournalStep } from '#core/sync/entryChange.ts'
import type { EntrySave, SavedWrite } from '#src/data/shapes/types.ts'
import type { FormEdit } from '#src/form/formActions.ts'
import { Saver } from '#src/saving/saver.ts'
import type { SaverState, WriteOutcome } from '#src/saving/saver.ts'

/** Specification §9: how long after the last edit a save is made. */
export const SAVE_DEBOUNCE_MS = 500
/**
 * How long after the last edit the next save is prepared, in milliseconds: later than the journal writes, sooner than a
 * hand gets to the next field.
 */
const PREPARE_AFTER_MS = 140
const PAUSES = { save: SAVE_DEBOUNCE_MS, retry: { first: 1000, longest: 30_000 } }

/** What the page says about its own values. */
export type SaveStatus =
  | { readonly state: 'clean' }
  | { readonly state: 'editing' }
  | { readonly state: 'saving' }
  | { readonly state: 'saved'; readonly at: string }
  | { readonly state: 'failed'; readonly error: ApiError }

/** Where the page's values go. */
export interface Memory {
  /**
   * Journals a step of typing. The journal is durable by itself, before any save. A save removes the steps of its own
   * opening of the page.
   */
  readonly journal: (step: JournalStep, opening: string) => void
  /** Journals an answer to a warning, in the same way. */
  readonly journalAnswer: (answer: ConfirmationGiven, opening: string) => void
  /**
   * Clears an opening whose steps were all taken back: nothing of it is unsaved. Where that fails, the next unlock
   * finds out the same.
   */
  readonly letGo: (opening: string) => Promise<unknown>
  /**
   * Discards the steps of an opening that no save holds, because their author said so: from memory now, from the disk
   * as soon as the disk can be written.
   */
  readonly discard: (opening: string) => Promise<unknown>
  /** Prepares for exactly this save, which comes next unless more is edited before. */
  readonly prepare: (save: EntrySave) => void
  readonly save: (save: EntrySave) => Promise<SavedWrite>
  readonly submit: (save: EntrySave) => Promise<SavedWrite>
}

interface Offered {
  readonly data: EntryData
  readonly order: number
  readonly masked: boolean
}

/** What a page has to save, and all its data at that moment. */
interface Rest {
  readonly save: EntrySave
  readonly onScreen: EntryData
}

interface Page {
  readonly target: EntryTarget
  readonly versionId: string
}

/**
 * Brings what is entered on one open page to the device. Every edit is journalled at once and saved when the hand rests
 * (`Saver` decides when); the values stay on the screen.
 */
export class Autosave {
  /** Decides when to save. */
  readonly saver: Saver
  readonly #form: FormState
  readonly #page: Page
  readonly #memory: Memory
  readonly #now: () => string
  readonly #opening = newId()
  /** Initial values of a new page that the journal does not have yet, by address. */
  readonly #begun: Map<string, JsonValue>
  #status: SaveStatus = { state: 'clean' }
  #steps: JournalStep[] = []
  /** How many steps there were when the hand rested: what is typed after that is a step of its own. */
  #rested = 0
  #prepareTimer: ReturnType<typeof setTimeout> | undefined
  /** The next save, prepared when the hand rested; null once something has changed since. */
  #prepared: Rest | null = null
  #isWriting = false
  #savedAt = ''
  /** The device's write number of the last save: a reading with a lower number lacks that save. */
  #savedAs = 0
  #offered: Offered | null = null
  #submittedOnce = false
  /**
   * Answers to warnings, in three lists: as they were read, those that wait for a save, and those of saves that no
   * reading holds yet.
   */
  #confirmed: readonly Confirmation[] = []
  #answers: readonly Confirmation[] = []
  #sentAnswers: readonly Confirmation[] = []

  constructor(form: FormState, page: Page, memory: Memory, now: () => string = () => new Date().toISOString()) {
    this.#form = form
    this.#page = page
    this.#memory = memory
    this.#now = now
    this.#begun = new Map(
      form.cells().flatMap(({ key, initial, value }) => (initial && value !== null ? [[key, value]] : [])),
    )
    this.saver = new Saver(
      {
        take: () => this.#take(),
        isUnsaved: () => !isNothing(this.#changes()),
        closed: () => this.#letGo(),
        discard: () => memory.discard(this.#opening),
      },
      PAUSES,
    )
    // Subscribes first, so that all later listeners find the status up to date.
    this.saver.subscribe(() => {
      this.#status = this.#statusOf(this.saver.getState())
    })
  }

  readonly getStatus = (): SaveStatus => this.#status

  readonly subscribe = (listener: () => void): (() => void) => this.saver.subscribe(listener)

  /** Whether a save has failed and none has succeeded since: what is on the screen may be in memory only. */
  get isFailing(): boolean {
    return this.saver.isFailing
  }

  /** Whether anything on the screen waits for a save, or for its answer. */
  get isUnsaved(): boolean {
    return this.saver.isUnsaved
  }

  /** Takes an edit that a person made. */
  edited(edit: FormEdit): void {
    this.#sayBegun(edit)
    this.#journal(toJournalStep(edit))
    this.#prepareSoon()
    this.saver.edited()
  }

  /** Saves at once what is not saved yet. Resolves with whether everything on the screen is on the device. */
  flush(): Promise<boolean> {
    return this.saver.flush()
  }

  /** The author leaves the page without what is not saved, unless they go on typing before it closes. */
  discard(): void {
    this.saver.giveUp()
  }

  /** Resolves when all that was typed is on the device, or discarded. */
  untilSaved(): Promise<void> {
    return this.saver.untilSaved()
  }

  /** Saves and submits the page as it is on the screen, even when nothing has changed since the last save. */
  async submit(): Promise<SavedWrite> {
    let result: SavedWrite | null = null
    await this.saver.write(async () => {
      this.#takeBegun()
      result = await this.#write(this.#rest('submit'), this.#memory.submit)
      return this.#outcomeOf(result)
    })
    return result ?? { ok: false, error: { code: 'internal' } }
  }

  /**
   * Takes a newer reading of the entry. A field that a person is editing keeps its value.
   *
   * @param order the device's write number at which it was read
   * @param masked whether it came masked for this reader; unchanged where the caller does not say
   */
  offer(data: EntryData, order: number, masked: boolean = this.#form.masked): void {
    this.#offered = { data, order, masked }
    this.#takeOffered()
  }

  /**
   * Takes what is saved on other pages now. This is no edit: calculated values that change are saved together with the
   * next edit by a person.
   */
  offerOtherPages(otherPages: OtherPages): void {
    // A prepared save holds what the rules gave before.
    this.#prepared = null
    this.#form.setOtherPages(otherPages)
  }

  /** Whether the page was ever submitted: from then on its changes need a reason before they leave the device. */
  offerSubmittedOnce(submittedOnce: boolean): void {
    if (submittedOnce !== this.#submittedOnce) this.#prepared = null
    this.#submittedOnce = submittedOnce
  }

  /**
   * Takes the stored answers to warnings.
   *
   * @param order the device's write number at which they were read
   */
  offerConfirmed(confirmed: readonly Confirmation[], order: number): void {
    this.#confirmed = confirmed
    if (order >= this.#savedAs && !this.#isWriting) this.#sentAnswers = []
    this.#showAnswers()
  }

  /**
   * A person confirms a value that has a warning. The answer goes with the next save, which it triggers, together with
   * the initial values of a new page.
   */
  confirm(answer: Confirmation): void {
    this.#takeBegun()
    this.#memory.journalAnswer(toAnswer(answer), this.#opening)
    this.#answers = withConfirmations(this.#answers, [answer])
    this.#prepared = null
    this.#showAnswers()
    this.saver.edited()
  }

  #showAnswers(): void {
    this.#form.setConfirmed(withConfirmations(withConfirmations(this.#confirmed, this.#sentAnswers), this.#answers))
  }

  /** The page closes: what is not saved is saved, with as many tries as it takes, or discarded. */
  close(): Promise<void> {
    return this.saver.close()
  }

  /**
   * While the page is open, steps that were all taken back stay in the journal, because the next save reports them.
   * Where no save comes, they are cleared: to whoever opens the page next, they must not look like unsaved work.
   */
  async #letGo(): Promise<void> {
    if (this.#steps.length > 0 && isTakenBack(this.#steps)) await this.#memory.letGo(this.#opening)
  }

  #takeOffered(): void {
    const offered = this.#offered
    // Whether a reading holds a save is known only after the save.
    if (offered === null || this.#isWriting) return
    this.#offered = null
    // A reading from before the last save lacks it; the save has changed the tables, so a newer reading is on its way.
    if (offered.order < this.#savedAs) return
    this.#prepared = null
    this.#form.receive(offered.data, offered.masked)
    this.#forgetBegun()
  }

  /** The write for what is to be saved now; null where there is nothing. */
  #take(): (() => Promise<WriteOutcome>) | null {
    clearTimeout(this.#prepareTimer)
    const rest = this.#prepared ?? this.#rest('save')
    this.#prepared = null
    if (!isNothing(rest.save)) return async () => this.#outcomeOf(await this.#write(rest, this.#memory.save))
    // All that was typed was taken back: the data are as before, and the journal keeps the steps.
    this.#rested = this.#steps.length
    return null
  }

  async #write({ save, onScreen }: Rest, write: Memory['save']): Promise<SavedWrite> {
    clearTimeout(this.#prepareTimer)
    this.#prepared = null
    this.#steps = []
    this.#rested = 0
    const answers = this.#answers
    this.#answers = []
    this.#sentAnswers = withConfirmations(this.#sentAnswers, answers)
    this.#isWriting = true
    const result = await settleWrite(write(save))
    this.#isWriting = false
    if (result.ok) this.#succeed(onScreen, result)
    else {
      this.#answers = withConfirmations(answers, this.#answers)
      this.#steps = [...save.journal, ...this.#steps]
      this.#rested = save.journal.length
    }
    return result
  }

  #outcomeOf(result: SavedWrite): WriteOutcome {
    if (result.ok) return { is: 'done' }
    const { error } = result
    // The page is closed and the keys are gone: the journal has the values, and the next unlock recovers them.
    return { is: this.saver.isClosed && error.code === 'vault_locked' ? 'refused' : 'failed', error }
  }

  #rest(kind: 'save' | 'submit'): Rest {
    const seen = kind === 'submit' ? seenData(this.#form) : null
    const progress = progressOf(this.#form)
    // Worked out only where it decides something, because it looks at every field.
    const sound = this.#submittedOnce ? { sound: isSound(this.#form) } : {}
    return {
      save: {
        ...this.#page,
        ...this.#changes(),
        journal: [...this.#steps],
        seen,
        progress,
        ...sound,
        submittedOnce: this.#submittedOnce,
        opening: this.#opening,
      },
      onScreen: this.#form.data(),
    }
  }

  #prepareSoon(): void {
    this.#prepared = null
    clearTimeout(this.#prepareTimer)
    this.#prepareTimer = setTimeout(() => {
      if (this.#isWriting) return
      const rest = this.#rest('save')
      if (isNothing(rest.save)) return
      this.#prepared = rest
      this.#memory.prepare(rest.save)
    }, PREPARE_AFTER_MS)
  }

  #succeed(onScreen: EntryData, { at, order }: Extract<SavedWrite, { readonly ok: true }>): void {
    this.#savedAt = at
    this.#savedAs = order
    // The next save builds on this one, even if no reading has brought this one back yet.
    this.#form.rebase(onScreen)
    this.#forgetBegun()
    this.#takeOffered()
  }

  #changes(): Pick<EntrySave, 'items' | 'rows' | 'calculated' | 'confirms'> {
    const changes = this.#form.changes()
    const items = changes.map(({ table, rid, code, value, base, missing, baseMissing }): ItemChange => ({
      table,
      rid,
      code,
      to: { value, missing },
      base: { value: base, missing: baseMissing },
      isShow: this.#form.getCell(addressKey({ table, rid, code }))?.visible === false ? 0 : 1,
      reason: null,
    }))
    const calculated = new Set(
      changes.flatMap(({ table, rid, code, calculated: isCalculated }) =>
        isCalculated ? [reasonKey({ table, rid, code })] : [],
      ),
    )
    return {
      items,
      rows: this.#form.rowChanges().map((change) => ({ ...change, reason: null })),
      calculated,
      confirms: this.#answers.map(toAnswer),
    }
  }

  /**
   * Journals the initial values of a page with the first act, so that a tablet that dies before the save still has
   * them. Includes the initial value of the field that was just edited, because the edit builds on it.
   */
  #sayBegun(edit: FormEdit | null): void {
    const edited = edit?.kind === 'item' && edit.table === null ? edit.code : null
    for (const [key, value] of this.#begun) {
      const cell = this.#form.getCell(key)
      if (key !== edited && !(cell?.initial === true && (cell.visible || cell.field.show === null))) continue
      this.#begun.delete(key)
      this.#journal({ table: null, rid: null, code: key, from: EMPTY_ITEM, to: { value, missing: null } })
    }
  }

  /** An act that edits no field takes over the initial values, too. */
  #takeBegun(): void {
    this.#sayBegun(null)
    this.#form.takeInitial()
  }

  /** Forgets initial values that were saved, or that gave way to a colleague's entry. */
  #forgetBegun(): void {
    for (const key of this.#begun.keys()) if (this.#form.getCell(key)?.initial !== true) this.#begun.delete(key)
  }

  #journal(said: Omit<JournalStep, 'at'>): void {
    const step: JournalStep = { ...said, at: this.#now() }
    this.#memory.journal(step, this.#opening)
    this.#addStep(step)
  }

  /**
   * Keystrokes in one field that follow each other are one step: from the value before the first to the value after the
   * last.
   */
  #addStep(step: JournalStep): void {
    const last = this.#steps.at(-1)
    if (last === undefined || !isOfOne(last, step) || this.#steps.length === this.#rested) this.#steps.push(step)
    else this.#steps[this.#steps.length - 1] = { ...step, from: last.from }
  }

  #statusOf(state: SaverState): SaveStatus {
    switch (state.is) {
      case 'clean':
      case 'saving':
        return { state: state.is }
      case 'waiting':
        return { state: 'editing' }
      case 'saved':
        return { state: 'saved', at: this.#savedAt }
      case 'failed':
      case 'refused':
        return { state: 'failed', error: state.error }
    }
  }
}

/**
 * An edit as a step of the journal. The journal keeps the text as typed, because it says more than its number ("1.10").
 */
function toJournalStep(edit: FormEdit): Omit<JournalStep, 'at'> {
  if (edit.kind === 'row') return rowStep(edit)
  const { table, rid, code, old, oldMissing, text, value, missing } = edit
  return { table, rid, code, from: { value: old, missing: oldMissing }, to: { value: text ?? value, missing } }
}

function isNothing({ items, rows, confirms = [] }: Pick<EntrySave, 'items' | 'rows' | 'confirms'>): boolean {
  return items.length === 0 && rows.length === 0 && confirms.length === 0
}

/** Whether the page would pass a submit: no error, and no warning that nobody has answered. */
function isSound(form: FormState): boolean {
  return form.issues().every(({ issues }) => issues.every((issue) => !isError(issue) && !isUnanswered(issue)))
}

/** An answer as it is sent: the operation says who gave it. */
function toAnswer({ by: _by, byName: _name, receivedAt: _at, ...answer }: Confirmation): ConfirmationGiven {
  return answer
}

function isOfOne(a: JournalStep, b: JournalStep): boolean {
  return a.code === b.code && a.rid === b.rid && a.table === b.table
}

/** A defect of ours must not end the saving: the page says that the save failed, keeps the values and tries again. */
async function settleWrite(write: Promise<SavedWrite>): Promise<SavedWrite> {
  try {
    return await write
  } catch (thrown) {
    reportError(thrown)
    return { ok: false, error: { code: 'internal' } }
  }
}
