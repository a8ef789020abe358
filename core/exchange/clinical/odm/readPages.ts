import { isFieldCode } from '#core/form/definition/page.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemContent, MissingReason } from '#core/sync/entryChange.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import type { EntryStatus } from '#core/sync/entryMark.ts'

import { enteredValue } from './readItem.ts'

/** Pages of subjects as a file tells them, in the shape in which entries are stored. */

export interface ReadSubject {
  readonly key: string
  /** OID of its center; null where the file names none. */
  readonly locationOid: string | null
  readonly visits: readonly ReadVisit[]
  readonly pages: readonly ReadPage[]
}

export interface ReadVisit {
  /** Code of the folder. */
  readonly folder: string
  readonly folderRepeat: string
  readonly actualDate: string | null
  readonly outcome: string | null
}

export interface ReadPage {
  /** Codes; of a folder '' where the file knows no visits. */
  readonly folder: string
  readonly folderRepeat: string
  readonly page: string
  readonly pageRepeat: string
  readonly parentEntryId: string | null
  readonly pass: 1 | 2
  /** OID of the version that its data are of. */
  readonly versionOid: string
  readonly status: EntryStatus | null
  /** OID of the user who saved it last, and when; null where the file does not say. */
  readonly savedBy: string | null
  readonly savedAt: string | null
  /** As entries are stored: tables are rows with `_rid` and `_ord`, in their order. */
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: Readonly<Record<string, MissingReason>>
  /** What no field has a place for since a release, each as it was written. */
  readonly retired: readonly JsonValue[]
}

/** Where something stands, from the outside in; null where it is about what is around. */
export interface ReadPlace {
  readonly subject: string
  /** Codes; of a folder '' where the file knows no visits. */
  readonly folder: string | null
  readonly folderRepeat: string | null
  readonly page: string | null
  readonly pageRepeat: string | null
  readonly pass: 1 | 2 | null
  readonly table: string | null
  readonly rid: string | null
  /** Code of the field. */
  readonly code: string | null
}

/** Something that was done, by whom and when, with the reason. */
export interface ReadChange extends ReadPlace {
  /** `TransactionType`; '' in a snapshot. */
  readonly transaction: string
  readonly userOid: string
  readonly at: string
  readonly reason: string | null
  readonly source: string | null
}

/** Something that is asked. */
export interface ReadQuery extends ReadPlace {
  /** State of ODM 2.0, in small letters. */
  readonly state: string
  readonly name: string
  readonly text: string
}

interface ItemPlaceRead {
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
}

type PagePlace = Pick<ReadPage, 'folder' | 'folderRepeat' | 'page' | 'pageRepeat' | 'parentEntryId' | 'pass'>

/** The pages of one subject while its data come in. */
export class PagesOfSubject {
  readonly key: string
  readonly #locationOid: string | null
  readonly #visits = new Map<string, ReadVisit>()
  readonly #pages = new Map<string, PageBeingRead>()

  constructor(key: string, locationOid: string | null) {
    this.key = key
    this.#locationOid = locationOid
  }

  get subject(): ReadSubject {
    return {
      key: this.key,
      locationOid: this.#locationOid,
      visits: [...this.#visits.values()],
      pages: [...this.#pages.values()].map((page) => page.page),
    }
  }

  visit(folder: string, folderRepeat: string, said: Partial<Pick<ReadVisit, 'actualDate' | 'outcome'>>): void {
    const key = `${folder} ${folderRepeat}`
    const known = this.#visits.get(key) ?? { folder, folderRepeat, actualDate: null, outcome: null }
    this.#visits.set(key, { ...known, ...said })
  }

  removeVisit(folder: string, folderRepeat: string): void {
    this.#visits.delete(`${folder} ${folderRepeat}`)
    for (const [key, { page }] of this.#pages)
      if (page.folder === folder && page.folderRepeat === folderRepeat) this.#pages.delete(key)
  }

  removePage(place: PagePlace): void {
    this.#pages.delete(keyOf(place))
  }

  /** @param isMade whether it is made now, so that nothing of before is left */
  page(place: PagePlace, versionOid: string, isMade: boolean): PageBeingRead {
    const known = isMade ? undefined : this.#pages.get(keyOf(place))
    const page = known ?? new PageBeingRead(place)
    page.versionOid = versionOid
    this.#pages.set(keyOf(place), page)
    return page
  }

  has(place: PagePlace): boolean {
    return this.#pages.has(keyOf(place))
  }
}

interface RowBeingRead {
  order: string
  readonly values: Map<string, JsonValue>
}

class PageBeingRead {
  versionOid = ''
  readonly #place: PagePlace
  readonly #values = new Map<string, JsonValue>()
  readonly #missing = new Map<string, MissingReason>()
  readonly #tables = new Map<string, Map<string, RowBeingRead>>()
  readonly #retired: JsonValue[] = []
  #status: EntryStatus | null = null
  #saved: readonly [by: string | null, at: string | null] = [null, null]

  constructor(place: PagePlace) {
    this.#place = place
  }

  get page(): ReadPage {
    const tables = [...this.#tables].filter(([, rows]) => rows.size > 0)
    const [savedBy, savedAt] = this.#saved
    return {
      ...this.#place,
      versionOid: this.versionOid,
      status: this.#status,
      savedBy,
      savedAt,
      values: Object.fromEntries([...this.#values, ...tables.map(([code, rows]) => [code, rowsOf(rows)] as const)]),
      missing: Object.fromEntries(this.#missing),
      retired: this.#retired,
    }
  }

  setStatus(status: EntryStatus): void {
    this.#status = status
  }

  setSaved(by: string, at: string): void {
    this.#saved = [by, at]
  }

  addRetired(value: JsonValue | undefined): void {
    if (value !== undefined) this.#retired.push(value)
  }

  /** A key for a row of a file that names none. */
  nextRow(table: string): string {
    return String((this.#tables.get(table)?.size ?? 0) + 1)
  }

  /** @param order null where nothing is said: it keeps its place, or stands after those that are there */
  setRow(table: string, rid: string, order: string | null, isMade: boolean): void {
    const rows = this.#tables.get(table) ?? new Map<string, RowBeingRead>()
    const known = isMade ? undefined : rows.get(rid)
    const place = String(rows.size).padStart(6, '0')
    rows.set(rid, { order: order ?? known?.order ?? place, values: known?.values ?? new Map<string, JsonValue>() })
    this.#tables.set(table, rows)
  }

  removeRow(table: string, rid: string): void {
    this.#tables.get(table)?.delete(rid)
    for (const address of this.#missing.keys()) if (address.startsWith(`${rid}.`)) this.#missing.delete(address)
  }

  /** @param content null where nothing is left of it */
  setItem({ table, rid, code }: ItemPlaceRead, content: ItemContent | null): void {
    const values = table === null || rid === null ? this.#values : this.#rowOf(table, rid).values
    const address = rid === null ? code : `${rid}.${code}`
    if (content === null || content.value === null) values.delete(code)
    else values.set(code, content.value)
    const missing = content?.missing ?? null
    if (missing === null) this.#missing.delete(address)
    else this.#missing.set(address, missing)
  }

  /** What stands with the page because the version has no field for it. False where the comment says no such thing. */
  setUnplaced(comment: string | null): boolean {
    const said = enteredValue('json', comment ?? '')
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return false
    const { table = null, rid = null, code, value, missing = null } = said as Readonly<Record<string, JsonValue>>
    const content = itemContent.safeParse({ value, missing })
    const isPlace = (one: JsonValue) => one === null || typeof one === 'string'
    if (typeof code !== 'string' || !isFieldCode(code) || !isPlace(table) || !isPlace(rid) || !content.success)
      return false
    if (content.data.missing !== null && !MISSING_CODES.includes(content.data.missing.m)) return false
    this.setItem(
      { table: typeof table === 'string' ? table : null, rid: typeof rid === 'string' ? rid : null, code },
      content.data,
    )
    return true
  }

  #rowOf(table: string, rid: string): RowBeingRead {
    const known = this.#tables.get(table)?.get(rid)
    if (known !== undefined) return known
    this.setRow(table, rid, null, true)
    return this.#tables.get(table)?.get(rid) ?? { order: '', values: new Map() }
  }
}

function rowsOf(rows: ReadonlyMap<string, RowBeingRead>): JsonValue {
  const key = ([rid, { order }]: readonly [string, RowBeingRead]) => `${order} ${rid}`
  return [...rows]
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(([rid, { order, values }]) => ({ _rid: rid, _ord: order, ...Object.fromEntries(values) }))
}

function keyOf({ folder, folderRepeat, page, pageRepeat, parentEntryId, pass }: PagePlace): string {
  return [folder, folderRepeat, page, pageRepeat, parentEntryId ?? '', pass].join(' ')
}
