import type { UatEntry, UatInput, UatPlace, UatSaved } from '#core/api/calls/uat.ts'
import type { ApiError } from '#core/api/errors.ts'
import { isRetryable } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import type { UnsavedUatSubject } from '#src/data/writes/uat.ts'

/** What a UAT session asks of the server, and of this device. */
export interface UatPort {
  readonly read: () => Promise<Result<readonly UatEntry[], ApiError>>
  readonly save: (body: UatInput) => Promise<Result<UatSaved, ApiError>>
  readonly submit: (
    body: UatInput,
  ) => Promise<Result<UatSaved & { readonly error: Readonly<Record<string, string>> }, ApiError>>
  /** Keeps what is not at the server yet on this device, in place of what it kept before. */
  readonly keep: (pages: UnsavedUatSubject['pages']) => Promise<unknown>
}

/** Where a page stands in the casebook of a test subject. */
export type PageAt = Omit<UatPlace, 'subject'>

/** One page of the test subject. */
export interface UatPage extends PageAt {
  /** As it is on the screen. */
  readonly data: EntryData
  /** How far the server has it; null where it has not. */
  readonly saved: UatSaved | null
  /** Whether it is as the server has it. */
  readonly isSaved: boolean
  /** What was saved elsewhere since, where that is another: a person decides which stands. */
  readonly theirs: UatEntry | null
  /** Rises when the page is to be drawn anew with other values. */
  readonly drawn: number
}

/**
 * `waiting`: edits that are not at the server yet. `away`: the server does not answer; it is asked again. `refused`: it
 * will not have them.
 */
export type UatStatus =
  | { readonly is: 'saved' | 'waiting' | 'saving' | 'away' }
  | { readonly is: 'refused'; readonly error: ApiError }

export interface UatView {
  /** By `pageKey`. */
  readonly pages: ReadonlyMap<string, UatPage>
  readonly status: UatStatus
}

/**
 * Specification §9: from the last edit to its saving, ms. How long a server that is away is left alone; from an edit to
 * its being durable on this device.
 */
const SAVE_AFTER = 500
const RETRY_AFTER = 4000
const KEEP_AFTER = 300

/** One name for a page of a test subject. */
export function pageKey({ folderId, folderRepeat, pageId, pageRepeat }: PageAt): string {
  return [folderId, folderRepeat, pageId, pageRepeat].join('/')
}

/**
 * A test subject that is being filled in: what was entered on its pages, what of it is saved, and what was saved
 * elsewhere meanwhile.
 */
export class UatSession {
  readonly #subject: number
  readonly #port: UatPort
  readonly #listeners = new Set<() => void>()
  #view: UatView
  #timer: ReturnType<typeof setTimeout> | null = null
  #keeping: ReturnType<typeof setTimeout> | null = null
  #running: Promise<boolean> | null = null
  #hasKept: boolean

  /**
   * @param kept what this device has of an earlier time that the server has not: it is sent, and stands over what the
   *   server has
   */
  constructor(subject: number, entries: readonly UatEntry[], kept: UnsavedUatSubject['pages'], port: UatPort) {
    this.#subject = subject
    this.#port = port
    const pages = new Map(entries.map((entry) => [pageKey(entry), pageOf(entry)]))
    for (const { values, missing, rev, ...at } of kept) {
      const server = pages.get(pageKey(at))?.saved ?? null
      // The revision that it was made from: where the server has a newer one, saving finds out.
      const saved = rev === 0 ? null : { status: 'process' as const, savedAt: '', ...server, rev }
      pages.set(pageKey(at), { ...at, data: { values, missing }, saved, isSaved: false, theirs: null, drawn: 0 })
    }
    this.#hasKept = kept.length > 0
    this.#view = { pages, status: { is: this.#hasKept ? 'waiting' : 'saved' } }
    if (this.#hasKept) this.#saveIn(0)
  }

  readonly view = (): UatView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A page was edited: this is on its screen now. */
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
    this.#show({ status: { is: 'waiting' } })
    this.#saveIn(SAVE_AFTER)
    this.#keeping ??= setTimeout(() => void this.keep(), KEEP_AFTER)
  }

  /** Brings all pages to the server now. @returns whether they are there */
  async flush(): Promise<boolean> {
    this.stop()
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** Submits a page as it is on the screen. What the rules have against it at the server is told by field. */
  async submit(at: PageAt, data: EntryData): Promise<Result<Readonly<Record<string, string>>, ApiError>> {
    this.edited(at, data)
    // Writes that are under way come first: each builds on the one before.
    while (this.#running !== null) await this.#running
    this.stop()
    const page = this.#view.pages.get(pageKey(at))
    if (page === undefined || page.theirs !== null) return { ok: false, error: { code: 'revision_changed' } }
    const submitting = this.#submitPage(page)
    const running = submitting
      .then(({ ok: done }) => done)
      .finally(() => {
        this.#running = null
      })
    this.#running = running
    const answer = await submitting
    await running
    if (answer.ok) await this.flush()
    return answer
  }

  /** Decides for a page that was saved elsewhere too. */
  async settle(at: PageAt, keeps: 'mine' | 'theirs'): Promise<void> {
    const page = this.#view.pages.get(pageKey(at))
    if (page === undefined || page.theirs === null) return
    const { theirs } = page
    this.#put(
      keeps === 'theirs'
        ? { ...pageOf(theirs), drawn: page.drawn + 1 }
        : { ...page, theirs: null, saved: savedOf(theirs) },
    )
    await this.keep()
    await this.flush()
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Makes what is not at the server durable on this device. */
  async keep(): Promise<void> {
    if (this.#keeping !== null) clearTimeout(this.#keeping)
    this.#keeping = null
    const unsaved = [...this.#view.pages.values()].filter(({ isSaved }) => !isSaved)
    if (unsaved.length === 0 && !this.#hasKept) return
    this.#hasKept = unsaved.length > 0
    await this.#port.keep(
      unsaved.map((page) => ({
        ...pickPageAt(page),
        rev: page.saved?.rev ?? 0,
        values: page.data.values,
        missing: page.data.missing,
      })),
    )
  }

  #saveIn(millis: number): void {
    this.stop()
    this.#timer = setTimeout(() => void this.flush(), millis)
  }

  async #saveAll(): Promise<boolean> {
    for (;;) {
      const page = [...this.#view.pages.values()].find(({ isSaved, theirs }) => !isSaved && theirs === null)
      if (page === undefined) break
      this.#show({ status: { is: 'saving' } })
      const answer = await this.#port.save(this.#inputOf(page))
      if (answer.ok) this.#took(page, answer.value)
      else if (!(await this.#refused(page, answer.error))) return false
    }
    const isWhole = [...this.#view.pages.values()].every(({ isSaved }) => isSaved)
    this.#show({ status: { is: isWhole ? 'saved' : 'waiting' } })
    await this.keep()
    return isWhole
  }

  async #submitPage(page: UatPage): Promise<Result<Readonly<Record<string, string>>, ApiError>> {
    this.#show({ status: { is: 'saving' } })
    const answer = await this.#port.submit(this.#inputOf(page))
    if (!answer.ok) {
      await this.#refused(page, answer.error)
      return answer
    }
    const { error, ...saved } = answer.value
    this.#took(page, saved)
    return ok(error)
  }

  /** What was sent is at the server; what was typed meanwhile is not. */
  #took(sent: UatPage, saved: UatSaved): void {
    const page = this.#view.pages.get(pageKey(sent)) ?? sent
    this.#put({ ...page, saved, isSaved: page.data === sent.data })
  }

  /** A save that was not taken. Gives whether the others can go on. */
  async #refused(page: UatPage, error: ApiError): Promise<boolean> {
    if (error.code === 'revision_changed') return this.#meet(page)
    const away = isRetryable(error.code) || error.code === 'unauthenticated'
    this.#show({ status: away ? { is: 'away' } : { is: 'refused', error } })
    await this.keep()
    if (away) this.#saveIn(RETRY_AFTER)
    return false
  }

  /** The page was saved since: by an answer of ours that was lost, or in another window. */
  async #meet(sent: UatPage): Promise<boolean> {
    const read = await this.#port.read()
    if (!read.ok) return this.#refused(sent, read.error.code === 'revision_changed' ? { code: 'busy' } : read.error)
    const theirs = read.value.find((entry) => pageKey(entry) === pageKey(sent)) ?? null
    const page = this.#view.pages.get(pageKey(sent)) ?? sent
    // Put away elsewhere: it begins anew with what is here.
    if (theirs === null) this.#put({ ...page, saved: null })
    else if (entryDataText(theirs) === entryDataText(sent.data))
      this.#put({ ...page, saved: savedOf(theirs), isSaved: page.data === sent.data })
    else this.#put({ ...page, theirs })
    return true
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
