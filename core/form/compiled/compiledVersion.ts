import type { LookUp } from '#core/form/definition/lookUp.ts'
import type { PageError } from '#core/form/definition/option.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { ALL_VISITS } from '#core/rules/reads.ts'
import type { Rule } from '#core/rules/rule.ts'

import type { CompileResult } from './compile.ts'
import { compilePage } from './compile.ts'
import { topologicalOrder } from './order.ts'
import type { PagePlace, VersionFolder } from './version.ts'
import { VersionPages, placeKey } from './version.ts'

/** The result for a page of a version: an engine, or why there is none. */
export type VersionPageResult = CompileResult | { readonly ok: false; readonly unreadable: PageError | null }

/** The pages of a version, each compiled when it is first asked for, and which page reads which. */
export class CompiledVersion {
  readonly #folders: readonly VersionFolder[]
  readonly #pages: VersionPages
  readonly #compiled = new Map<string, VersionPageResult>()
  #readers: ReadonlyMap<string, readonly PagePlace[]> | null = null

  constructor(folders: readonly VersionFolder[]) {
    this.#folders = folders
    this.#pages = new VersionPages(folders)
  }

  /** The page, compiled for its visit; `unreadable` is null where the version has no such page. */
  page(place: PagePlace): VersionPageResult {
    const key = placeKey(place)
    const known = this.#compiled.get(key)
    if (known !== undefined) return known
    const result = this.#compile(place)
    this.#compiled.set(key, result)
    return result
  }

  /**
   * The pages whose rules need what is saved on this page. The page itself is included where it reads another entry of
   * its own.
   */
  readersOf(place: PagePlace): readonly PagePlace[] {
    this.#readers ??= this.#findReaders()
    return this.#readers.get(placeKey(place)) ?? []
  }

  /** Whether the version has the page, field or table to which a look-up leads. */
  canLookUp({ page, table, column }: LookUp): boolean {
    const place = this.#folders
      .flatMap(({ pages }) => pages)
      .find(({ pageCode, id }) => pageCode === page || id === page)
    const model = place === undefined ? null : this.#pages.model(place.pageCode)
    const fields =
      table === null ? model?.byCode : new Map(model?.byCode.get(table)?.children.map((field) => [field.code, field]))
    return fields !== undefined && fields.size > 0 && (column === null || fields.has(column))
  }

  /**
   * Circles of fields over several pages, as `visit/page/field`: each field is shown or calculated by the next; the
   * first is repeated at the end. A circle within one page is an error of that page.
   */
  circles(): readonly (readonly string[])[] {
    const reads = new Map<string, readonly string[]>()
    for (const place of this.#crossingPages()) {
      const result = this.page(place)
      if (!result.ok) continue
      for (const { field, show, calculate } of result.compiled.cells.values()) {
        const keys = [show, calculate].flatMap((rule) => (rule === null ? [] : this.#keysOf(rule, place)))
        reads.set(`${placeKey(place)}/${field.code}`, keys)
      }
    }
    return topologicalOrder(reads).cycles
  }

  /** The pages to which a place may refer. */
  #pagesOf({ folder, page }: PagePlace): readonly PagePlace[] {
    if (folder !== ALL_VISITS) return [{ folder, page }]
    return this.#folders.flatMap(({ folderCode, pages }) =>
      pages.some(({ pageCode }) => pageCode === page) ? [{ folder: folderCode, page }] : [],
    )
  }

  #crossingPages(): readonly PagePlace[] {
    // Most pages read no other page, which their text alone shows.
    return this.#folders.flatMap(({ folderCode, pages }) =>
      pages.flatMap(({ pageCode, option }) => (CROSSING.test(option) ? [{ folder: folderCode, page: pageCode }] : [])),
    )
  }

  /** The cells that a rule of a page reads, on whatever page. */
  #keysOf(rule: Rule, { folder, page }: PagePlace): readonly string[] {
    const there = rule.readsOtherPages.flatMap((read) => {
      // Each entry of a page may build on the one before it. That is no circle, because the first entry has none before
      // it.
      if (read.pick === 'prev' && read.page === page) return []
      return this.#pagesOf({ folder: read.folder ?? folder, page: read.page }).map(
        (place) => `${placeKey(place)}/${read.code}`,
      )
    })
    return [
      ...rule.reads
        .filter((code) => !rule.readsStored.includes(code))
        .map((code) => `${placeKey({ folder, page })}/${code}`),
      ...there,
    ]
  }

  #compile(place: PagePlace): VersionPageResult {
    const stored = this.#folders
      .find(({ folderCode }) => folderCode === place.folder)
      ?.pages.find(({ pageCode }) => pageCode === place.page)
    if (stored === undefined) return { ok: false, unreadable: null }
    const parsed = parsePage(stored.option)
    if (!parsed.ok) return { ok: false, unreadable: parsed.error }
    return compilePage(parsed.page, { ...place, version: this.#pages })
  }

  #findReaders(): ReadonlyMap<string, readonly PagePlace[]> {
    const readers = new Map<string, PagePlace[]>()
    for (const reader of this.#crossingPages()) {
      const result = this.page(reader)
      const read = new Set(
        result.ok ? result.compiled.otherPages.flatMap((place) => this.#pagesOf(place)).map(placeKey) : [],
      )
      for (const key of read) readers.set(key, [...(readers.get(key) ?? []), reader])
    }
    return readers
  }
}

/** A text that is in every option whose rules read another page. */
const CROSSING = /\b(?:visit|rcVisit|form|visits)\s*\./
