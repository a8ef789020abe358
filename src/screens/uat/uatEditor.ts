import type { UatEntry, UatInput, UatPlace, UatSaved } from '#core/api/calls/uat.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import type { UnsavedUatSubject } from '#src/data/writes/uat.ts'
import { Saver } from '#src/saving/saver.ts'
import type { WriteOutcome } from '#src/saving/saver.ts'
import { outcomeOfError, pausesToServer, serverSavingOf } from '#src/saving/serverSaving.ts'
import type { ServerSaving } from '#src/saving/serverSaving.ts'

/** What a UAT editor needs of the server and of this device. */
export interface UatPort {
  readonly read: () => Promise<Result<readonly UatEntry[], ApiError>>
  readonly save: (body: UatInput) => Promise<Result<UatSaved, ApiError>>
  readonly submit: (
    body: UatInput,
  ) => Promise<Result<UatSaved & { readonly error: Readonly<Record<string, string>> }, ApiError>>
  /**
   * Keeps on this device what is not at the server yet, in place of what it kept before. Resolves with whether that
   * worked.
   */
  readonly keep: (pages: UnsavedUatSubject['pages']) => Promise<boolean>
}

/** Where a page stands in the casebook of a test subject. */
export type PageAt = Omit<UatPlace, 'subject'>

/** One page of the test subject. */
export interface UatPage extends PageAt {
  /** The data as they are on the screen. */
  readonly data: EntryData
  /** The version of the page that the server has; null where it has none. */
  readonly saved: UatSaved | null
  /** Whether the server has the page as it is. */
  readonly isSaved: boolean
  /** A different version that was saved elsewhere meanwhile: a person decides which one stands. */
  readonly theirs: UatEntry | null
  /** Rises when the page must draw again with other values. */
  readonly drawn: number
}

export interface UatView {
  /** Pages by `pageKey`. */
  readonly pages: ReadonlyMap<string, UatPage>
  readonly status: ServerSaving
}

/** Specification §9: from the last edit to the save, in milliseconds. */
const SAVE_AFTER = 500

/** The key of a page of a test subject. */
export function pageKey({ folderId, folderRepeat, pageId, pageRepeat }: PageAt): string {
  return [folderId, folderRepeat, pageId, pageRepeat].join('/')
}

/**
 * A test subject that is being filled in: the data of its pages, which of them are saved, and what was saved elsewhere
 * meanwhile.
 */
export class UatEditor {
  /** Decides when to save. */
  readonly saver: Saver
  readonly #subject: number
  readonly #port: UatPort
  readonly #listeners = new Set<() => void>()
  #view: UatView
  #hasKept: boolean

  /**
   * @param kept what this device kept from an earlier session and the server does not have: it is sent, and takes
   * precedence over the server's data
   */
  constructor(subject: number, entries: readonly UatEntry[], kept: UnsavedUatSubject['pages'], port: UatPort) {
    this.#subject = subject
    this.#port = port
    const pages = new Map(entries.map((entry) => [pageKey(entry), pageOf(entry)]))
    for (const { values, missing, rev, ...at } of kept) {
      const server = pages.get(pageKey(at))?.saved ?? null
      // Keeps the revision on which the data were made: where the server has a newer one, the save finds out.
      const saved = rev === 0 ? null : { status: 'process' as const, savedAt: '', ...server, rev }
      pages.set(pageKey(at), { ...at, data: { values, missing }, saved, isSaved: false, theirs: null, drawn: 0 })
    }
    this.#hasKept = kept.length > 0
    this.#view = { pages, status: { is: 'saved' } }
    this.saver = new Saver(
      {
        take: () => (this.#nextPage() === null ? null : () => this.#savePages()),
        isUnsaved: () => this.#unsaved().length > 0,
        keep: () => this.#keep(),
      },
      pausesToServer(SAVE_AFTER),
    )
    this.saver.subscribe(() => this.#show({ status: serverSavingOf(this.saver.getState()) }))
    if (this.#hasKept) this.saver.resume()
  }

  readonly view = (): UatView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes the data that a page has on the screen after an edit. */
  edited(at: PageAt, data: EntryData): void {
    const page = this.#view.pages.get(pageKey(at)) ?? {
      ...pickPageAt(at),
      data,
      saved: null,
      isSaved: false,
      theirs: null,
      drawn: 0,
    }
    this.#put({ ...page, data, isSaved: false })
    this.saver.edited()
  }

  /** Saves all pages at the server now. @returns whether the server has them */
  flush(): Promise<boolean> {
    return this.saver.flush()
  }

  /** Submits a page as it is on the screen. Returns the server's rule violations by field. */
  async submit(at: PageAt, data: EntryData): Promise<Result<Readonly<Record<string, string>>, ApiError>> {
    this.edited(at, data)
    let answer: Result<Readonly<Record<string, string>>, ApiError> = err({ code: 'revision_changed' })
    await this.saver.write(async () => {
      const page = this.#view.pages.get(pageKey(at))
      if (page === undefined || page.theirs !== null) return { is: 'done' }
      const submitted = await this.#port.submit(this.#inputOf(page))
      if (!submitted.ok) {
        answer = submitted
        return this.#refuse(page, submitted.error)
      }
      const { error, ...saved } = submitted.value
      answer = ok(error)
      this.#takeSaved(page, saved)
      return { is: 'done' }
    })
    if (answer.ok) await this.flush()
    return answer
  }

  /** Takes the user's decision on a page that was also saved elsewhere. */
  async settle(at: PageAt, keeps: 'mine' | 'theirs'): Promise<void> {
    const page = this.#view.pages.get(pageKey(at))
    if (page === undefined || page.theirs === null) return
    const { theirs } = page
    this.#put(
      keeps === 'theirs'
        ? { ...pageOf(theirs), drawn: page.drawn + 1 }
        : { ...page, theirs: null, saved: savedOf(theirs) },
    )
    await this.saver.keep()
    await this.flush()
  }

  #unsaved(): readonly UatPage[] {
    return [...this.#view.pages.values()].filter(({ isSaved }) => !isSaved)
  }

  /** The next page that can be saved; null where there is none. A page that waits for a decision cannot be saved. */
  #nextPage(): UatPage | null {
    return this.#unsaved().find(({ theirs }) => theirs === null) ?? null
  }

  async #keep(): Promise<boolean> {
    const unsaved = this.#unsaved()
    if (unsaved.length === 0 && !this.#hasKept) return true
    this.#hasKept = unsaved.length > 0
    const isKept = await this.#port.keep(
      unsaved.map((page) => ({
        ...pickPageAt(page),
        rev: page.saved?.rev ?? 0,
        values: page.data.values,
        missing: page.data.missing,
      })),
    )
    if (!isKept) this.#hasKept = true
    return isKept
  }

  /** Saves one page after the other, including pages that are edited meanwhile. */
  async #savePages(): Promise<WriteOutcome> {
    for (let page = this.#nextPage(); page !== null; page = this.#nextPage()) {
      const answer = await this.#port.save(this.#inputOf(page))
      if (answer.ok) {
        this.#takeSaved(page, answer.value)
        continue
      }
      const outcome = await this.#refuse(page, answer.error)
      if (outcome.is !== 'again') return outcome
    }
    return { is: 'done' }
  }

  /** Marks what was sent as saved, but not what was typed meanwhile. */
  #takeSaved(sent: UatPage, saved: UatSaved): void {
    const page = this.#view.pages.get(pageKey(sent)) ?? sent
    this.#put({ ...page, saved, isSaved: page.data === sent.data })
  }

  /** Handles a save that the server refused. */
  async #refuse(page: UatPage, error: ApiError): Promise<WriteOutcome> {
    return error.code === 'revision_changed' ? this.#meet(page) : outcomeOfError(error)
  }

  /** The page was saved meanwhile: in another window, or by a save of ours whose answer was lost. */
  async #meet(sent: UatPage): Promise<WriteOutcome> {
    const read = await this.#port.read()
    if (!read.ok) return outcomeOfError(read.error)
    const theirs = read.value.find((entry) => pageKey(entry) === pageKey(sent)) ?? null
    const page = this.#view.pages.get(pageKey(sent)) ?? sent
    // The page was emptied elsewhere: its data here begin a new entry.
    if (theirs === null) this.#put({ ...page, saved: null })
    else if (entryDataText(theirs) === entryDataText(sent.data))
      this.#put({ ...page, saved: savedOf(theirs), isSaved: page.data === sent.data })
    else this.#put({ ...page, theirs })
    return { is: 'again' }
  }

  #inputOf(page: UatPage): UatInput {
    const { values, missing } = page.data
    return {
      subject: this.#subject,
      ...pickPageAt(page),
      rev: page.saved?.rev ?? 0,
      values: { ...values },
      missing: { ...missing },
    }
  }

  #put(page: UatPage): void {
    this.#show({ pages: new Map(this.#view.pages).set(pageKey(page), page) })
  }

  #show(part: Partial<UatView>): void {
    this.#view = { ...this.#view, ...part }
    for (const listener of this.#listeners) listener()
  }
}

function pageOf(entry: UatEntry): UatPage {
  return {
    ...pickPageAt(entry),
    data: { values: entry.values, missing: entry.missing },
    saved: savedOf(entry),
    isSaved: true,
    theirs: null,
    drawn: 0,
  }
}

function pickPageAt({ folderId, folderRepeat, pageId, pageRepeat }: PageAt): PageAt {
  return { folderId, folderRepeat, pageId, pageRepeat }
}

function savedOf({ rev, status, savedAt }: UatSaved): UatSaved {
  return { rev, status, savedAt }
}
