import type { DesignStep, DesignInput, DesignState } from '#core/api/calls/design.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { Design, DesignPage } from '#core/design/design.ts'
import { designOf, optionText, readForm, samePage } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import type { History } from '#core/design/history.ts'
import { editHistory, editedTogether, historyOf, rebaseHistory, redoEdit, undoEdit } from '#core/design/history.ts'
import { readUnsaved, packUnsaved, packSteps, readSteps } from '#core/design/unsaved.ts'
import type { DesignConflict } from '#core/design/merge.ts'
import { mergeDesigns, overwrittenIn } from '#core/design/merge.ts'
import type { Result } from '#core/result.ts'
import type { UnsavedDesign } from '#src/data/writes/designs.ts'
import { Saver } from '#src/saving/saver.ts'
import type { WriteOutcome } from '#src/saving/saver.ts'
import { outcomeOfError, pausesToServer, serverSavingOf } from '#src/saving/serverSaving.ts'
import type { ServerSaving } from '#src/saving/serverSaving.ts'

import type { Selection } from './selection.ts'
import { afterEdit } from './selection.ts'

/** What a design editor needs of the server and of this device. */
export interface DesignPort {
  readonly read: () => Promise<Result<{ readonly state: DesignState; readonly version: VersionRow }, ApiError>>
  readonly readState: () => Promise<Result<DesignState, ApiError>>
  /**
   * Keeps on this device what is not at the server yet; null where the server has everything. Resolves with whether
   * that worked.
   */
  readonly keep: (design: UnsavedDesign | null) => Promise<boolean>
  /** Brings the draft back to an earlier design state. */
  readonly restore: (body: { readonly stateId: string; readonly rev: number }) => Promise<Result<DesignState, ApiError>>
  readonly save: (
    body: DesignInput,
  ) => Promise<
    Result<
      { readonly state: DesignState; readonly pages: readonly { readonly id: string; readonly option: string }[] },
      ApiError
    >
  >
}

/** What two designers have both changed, and whose value stands in the design until a person decides. */
export type OpenConflict = DesignConflict & { readonly stands: 'mine' | 'theirs' }

export interface DesignView {
  readonly design: Design
  readonly selection: Selection
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly status: ServerSaving
  /** Recent acts of others that this design has taken in, the latest first. */
  readonly joined: readonly DesignStep[]
  /** The last acts on the draft, by anybody; the latest first. */
  readonly acts: readonly DesignStep[]
  readonly conflicts: readonly OpenConflict[]
}

/** From the last edit to the save, in milliseconds. */
const SAVE_AFTER = 800
/** How many steps can still be undone after a reload. */
const MOST_STEPS_KEPT = 20

/**
 * A draft that is being designed: the edits, which of them are saved, and what others have saved meanwhile. Edits show
 * at once. They are saved in the background, in order, and merged with those of others.
 */
export class DesignEditor {
  /** Decides when to save. */
  readonly saver: Saver
  readonly #port: DesignPort
  readonly #listeners = new Set<() => void>()
  /** The selection at each step of the history. */
  readonly #selections = new WeakMap<Design, Selection>()
  #history: History
  /** The design as the server has it. */
  #saved: Design
  /** The saved design without this editor's own changes, as far as nobody has overwritten them. */
  #withoutMine: Design
  #rev: number
  #view: DesignView
  #hasKept: boolean

  /**
   * @param kept what this device kept from an earlier session and the server does not have: the editor goes on from
   * there, and merges it with what others have saved since
   */
  constructor(
    { state, version }: { readonly state: DesignState; readonly version: VersionRow },
    kept: UnsavedDesign | null,
    port: DesignPort,
  ) {
    this.#port = port
    const server = designOf(version.folders)
    const waiting = kept === null || kept.saved === true ? null : kept
    const { base, mine } = waiting === null ? { base: server, mine: server } : readUnsaved(waiting, server)
    this.#saved = base
    this.#rev = waiting?.rev ?? state.rev
    // The steps lead back to the old states of this design. Where somebody has saved since, they no longer fit, and the
    // history of the draft takes their place.
    const past = kept?.rev === state.rev ? readSteps(kept.past ?? [], mine) : []
    this.#withoutMine = past[0] ?? base
    this.#history = { ...historyOf(mine), past }
    this.#view = {
      design: mine,
      selection: null,
      canUndo: past.length > 0,
      canRedo: false,
      status: { is: 'saved' },
      joined: [],
      acts: state.acts,
      conflicts: [],
    }
    this.#hasKept = kept !== null
    this.saver = new Saver(
      {
        take: () => (this.#history.present === this.#saved ? null : () => this.#save()),
        isUnsaved: () => this.#history.present !== this.#saved,
        keep: () => this.#keep(),
      },
      pausesToServer(SAVE_AFTER),
    )
    this.saver.subscribe(() => this.#show({ status: serverSavingOf(this.saver.getState()) }))
    if (waiting !== null) this.saver.resume()
  }

  readonly view = (): DesignView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Makes one step of the edits. */
  edit(...edits: readonly DesignEdit[]): void {
    const [first] = edits
    if (first === undefined) return
    const next =
      edits.length === 1 ? editHistory(this.#history, first, performance.now()) : editedTogether(this.#history, edits)
    if (next === this.#history) return
    this.#step(next, edits.reduce(afterEdit, this.#view.selection))
  }

  undo(): void {
    this.#goTo(undoEdit(this.#history))
  }

  redo(): void {
    this.#goTo(redoEdit(this.#history))
  }

  select(selection: Selection): void {
    this.#show({ selection })
  }

  /** Closes a conflict that the user has decided. */
  settle(conflict: OpenConflict): void {
    this.#show({ conflicts: this.#view.conflicts.filter((one) => one !== conflict) })
  }

  /** Saves all edits at the server now. @returns whether the server has them */
  flush(): Promise<boolean> {
    return this.saver.flush()
  }

  /**
   * Brings the draft back to an earlier design state; this can be undone as one step. @returns why that failed, or null
   */
  async restore(stateId: string): Promise<ApiError | null> {
    if (!(await this.flush())) return this.#view.status.is === 'refused' ? this.#view.status.error : { code: 'offline' }
    const answer = await this.#port.restore({ stateId, rev: this.#rev })
    if (!answer.ok) {
      if (answer.error.code === 'draft_changed') await this.#join()
      return answer.error
    }
    const read = await this.#port.read()
    if (!read.ok) return read.error
    const { state, version } = read.value
    const { past, present } = this.#history
    const design = designOf(version.folders)
    this.#history = { ...historyOf(design), past: [...past, present] }
    this.#saved = design
    this.#withoutMine = design
    this.#rev = state.rev
    this.#show({ acts: state.acts, conflicts: [] })
    await this.keep()
    return null
  }

  /** Looks whether somebody else has saved, and merges that. */
  async look(): Promise<void> {
    if (!this.saver.isAtRest) return
    const state = await this.#port.readState()
    if (!state.ok || state.value.rev <= this.#rev || !this.saver.isAtRest) return
    await this.#join()
    await this.flush()
  }

  /** Takes in whether the server answers, as far as is known: waiting edits are sent as soon as it does again. */
  hear(reachable: boolean | null): void {
    this.saver.hear(reachable)
  }

  /** Makes edits that the server does not have durable on this device. */
  keep(): Promise<boolean> {
    return this.saver.keep()
  }

  stop(): void {
    this.saver.stop()
  }

  /** Goes to another step, with the selection that was left there. */
  #goTo(history: History): void {
    this.#step(history, this.#selections.get(history.present) ?? this.#view.selection)
  }

  #step(history: History, selection: Selection): void {
    if (history === this.#history) return
    this.#selections.set(this.#history.present, this.#view.selection)
    this.#history = history
    this.#show({ selection })
    this.saver.edited()
  }

  async #keep(): Promise<boolean> {
    const { present, past } = this.#history
    const saved = present === this.#saved
    if (saved && past.length === 0) {
      if (!this.#hasKept) return true
      this.#hasKept = false
      const isGone = await this.#port.keep(null)
      if (!isGone) this.#hasKept = true
      return isGone
    }
    this.#hasKept = true
    return this.#port.keep({
      rev: this.#rev,
      ...packUnsaved(this.#saved, present),
      past: packSteps(past.slice(-MOST_STEPS_KEPT), present),
      saved,
    })
  }

  async #save(): Promise<WriteOutcome> {
    const sent = this.#history.present
    const answer = await this.#port.save(changesOf(this.#saved, sent, this.#rev))
    if (!answer.ok) return answer.error.code === 'draft_changed' ? this.#join() : outcomeOfError(answer.error)
    this.#rev = answer.value.state.rev
    const stored = answer.value.pages.length === 0 ? sent : withOptions(sent, answer.value.pages)
    if (stored !== sent)
      this.#history = rebaseHistory(this.#history, (design) =>
        design === sent ? stored : mergeDesigns(sent, design, stored).design,
      )
    this.#saved = stored
    this.#view = { ...this.#view, acts: answer.value.state.acts }
    return { is: 'done' }
  }

  /**
   * Merges what others have saved. Where both sides have changed the same thing, an unsaved value of this editor stays;
   * a value that it had saved and another designer has overwritten stays overwritten. Both become conflicts with both
   * values, for the user to decide.
   */
  async #join(): Promise<WriteOutcome> {
    const read = await this.#port.read()
    if (!read.ok) return outcomeOfError(read.error)
    const { state, version } = read.value
    const theirs = designOf(version.folders)
    const base = this.#saved
    const { past, present } = this.#history
    const conflicts = [...unsavedConflicts(base, present, theirs), ...findOverwritten(this.#withoutMine, base, theirs)]
    this.#withoutMine = mergeDesigns(base, theirs, this.#withoutMine).design
    this.#history =
      present === base && past.length === 0
        ? historyOf(theirs)
        : rebaseHistory(this.#history, (design) =>
            design === base ? theirs : mergeDesigns(base, design, theirs).design,
          )
    const joined = state.acts.filter(({ toRev }) => toRev > this.#rev)
    this.#saved = theirs
    this.#rev = state.rev
    this.#show({
      joined: joined.length === 0 ? this.#view.joined : joined,
      acts: state.acts,
      conflicts: withNew(this.#view.conflicts, conflicts),
    })
    return { is: 'again' }
  }

  #show(part: Partial<DesignView>): void {
    const { past, present, future } = this.#history
    this.#view = { ...this.#view, ...part, design: present, canUndo: past.length > 0, canRedo: future.length > 0 }
    for (const listener of this.#listeners) listener()
  }
}

function unsavedConflicts(base: Design, mine: Design, theirs: Design): readonly OpenConflict[] {
  return mergeDesigns(base, mine, theirs).conflicts.flatMap((one) =>
    isEcho(one)
      ? []
      : [{ ...one, stands: one.path.length === 0 && one.mine === null ? ('theirs' as const) : ('mine' as const) }],
  )
}

/** What this editor has saved and somebody else has changed afterwards. */
function findOverwritten(before: Design, mine: Design, theirs: Design): readonly OpenConflict[] {
  return overwrittenIn(before, mine, theirs).flatMap((one) =>
    isEcho(one) ? [] : [{ ...one, stands: 'theirs' as const }],
  )
}

/** For each place, the newest conflict counts. */
function withNew(before: readonly OpenConflict[], fresh: readonly OpenConflict[]): readonly OpenConflict[] {
  const keyOf = ({ place, path }: OpenConflict) => JSON.stringify([place, path])
  const all = new Map<string, OpenConflict>()
  for (const one of before) all.set(keyOf(one), one)
  for (const one of fresh.toReversed()) all.set(keyOf(one), one)
  return [...all.values()]
}

/**
 * Whether the conflict only repeats the label in another place of the column: then the label's own conflict is decided.
 */
function isEcho({ place, path }: DesignConflict): boolean {
  return place.of === 'field' && ['zl.labels.zh', 'zl.was', 'rules'].includes(path.join('.'))
}

/** What is sent: all visits, and the pages that differ from the stored ones. */
export function changesOf(saved: Design, design: Design, rev: number): DesignInput {
  const folders = design.folders.map(({ id, folderName, folderNameEn, folderCode, schedule, pageIds }) => ({
    id,
    folderName,
    ...(folderNameEn === null ? {} : { folderNameEn }),
    folderCode,
    pageIds: [...pageIds],
    ...(schedule === null ? {} : { schedule }),
  }))
  const pages = [...design.pages.values()].flatMap((page) => {
    const before = saved.pages.get(page.id)
    if (before !== undefined && samePage(before, page)) return []
    const { id, pageName, pageNameEn, pageCode, repeatable } = page
    return [
      { id, pageName, ...(pageNameEn === null ? {} : { pageNameEn }), pageCode, repeatable, option: optionText(page) },
    ]
  })
  return { rev, folders, pages }
}

function withOptions(design: Design, options: readonly { readonly id: string; readonly option: string }[]): Design {
  const pages = new Map(design.pages)
  for (const { id, option } of options) {
    const page = pages.get(id)
    if (page !== undefined) pages.set(id, { ...page, form: readForm(option), stored: option } satisfies DesignPage)
  }
  return { ...design, pages }
}
