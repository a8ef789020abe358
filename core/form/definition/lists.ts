/**
 * Lists that a definition does not write down but names by a URL (`dicUrl`, or the `url` of a table to pick from). They
 * are fetched when the definition is saved and then stored in the page's option (`zl.lists`). So a tablet without a
 * network offers the very list that was released, and a list that changes elsewhere changes no version. A list that
 * follows another field's answer (`cascader`) is fetched once for each answer (docs/adr/0024-lists-and-look-ups.md).
 */

/** Part of an option, as stored. */
export type RawPart = Readonly<Record<string, unknown>>

/** What came from a URL: the items, or the items by the answer that they follow. */
export type StoredList = readonly unknown[] | { readonly by: Readonly<Record<string, readonly unknown[]>> }

export type StoredLists = Readonly<Record<string, StoredList>>

/** A list that a column names. */
export interface NamedList {
  /** As written, with its placeholders. */
  readonly url: string
  /** Path to the items in the answer, where the column names one. */
  readonly path: string | null
  /** How the URL is asked for a list page by page; null where it gives the whole list at once. */
  readonly paging: {
    readonly current: string
    readonly size: string
    readonly records: string
    readonly total: string
  } | null
  /** The field of the same page or row whose answer the list follows. */
  readonly parent: string | null
}

/** The key of a list among the stored lists of its page. */
export function listKey({ url, parent }: Pick<NamedList, 'url' | 'parent'>): string {
  return parent === null ? url : `${parent}>${url}`
}

/**
 * The list that a column names; null for a column that has its choices written down, or has none.
 *
 * @param parent the field that the list follows, from `parentsOf`
 */
export function namedList(column: RawPart, parent: string | null): NamedList | null {
  if (column.type === 'table') return tableList(column)
  if (Array.isArray(column.dicData) && column.dicData.length > 0) return null
  const url = textOf(column.dicUrl)
  return url === null ? null : { url, path: textOf(partOf(column.props).res), paging: null, parent }
}

function tableList({ children }: RawPart): NamedList | null {
  const props = partOf(partOf(children).props)
  const url = textOf(props.url)
  if (url === null) return null
  // The designer writes the path as its own client sees the answer: `data.` stands for the body.
  const path = textOf(props.resKey)?.replace(/^data\.?/, '') ?? ''
  const records = textOf(props.recordsKey) ?? 'records'
  const paging =
    props.needPage === false
      ? null
      : {
          current: textOf(props.currentPageKey) ?? 'current',
          size: textOf(props.pageSizeKey) ?? 'size',
          records,
          total: textOf(props.totalKey) ?? 'total',
        }
  return { url, path: path === '' ? null : path, paging, parent: null }
}

/**
 * Which column's answer each column's list follows: the nearest column that names it as its `cascader`, or the column
 * whose code its URL holds as a placeholder.
 */
export function parentsOf(columns: readonly unknown[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  const parts = columns.map(partOf)
  const codes = new Set(parts.flatMap(({ prop }) => textOf(prop) ?? []))
  for (const { prop, dicUrl } of parts) {
    const [code, url] = [textOf(prop), textOf(dicUrl)]
    const asked =
      url === null
        ? []
        : [...url.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => (codes.has(name) && name !== code ? [name] : []))
    if (code !== null && asked[0] !== undefined) parents.set(code, asked[0])
  }
  for (const { prop, cascader } of parts) {
    const code = textOf(prop)
    if (code === null || !Array.isArray(cascader)) continue
    for (const child of cascader)
      if (typeof child === 'string' && codes.has(child) && child !== code) parents.set(child, code)
  }
  return parents
}

/** A URL with an answer in place of its placeholder; with an empty text there where the whole list is asked for. */
export function listUrlFor(url: string, answer: string): string {
  return url.replaceAll(PLACEHOLDER, encodeURIComponent(answer))
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g

/**
 * The items in the answer of a URL: at the path, or where the two families of servers put them; null where there are
 * none.
 */
export function itemsIn(body: unknown, path: string | null): readonly unknown[] | null {
  const found = path === null ? body : path.split('.').reduce<unknown>((at, name) => partOf(at)[name], body)
  if (Array.isArray(found)) return itemsOf(found)
  const { data, records } = partOf(found)
  if (Array.isArray(records)) return itemsOf(records)
  return data === undefined ? null : itemsIn(data, null)
}

/** The lists that are stored with a page; anything that is not a list is left out. */
export function storedLists(settings: unknown): StoredLists {
  return Object.fromEntries(
    Object.entries(partOf(partOf(settings).lists)).flatMap(([key, list]) => (isStoredList(list) ? [[key, list]] : [])),
  )
}

function isStoredList(list: unknown): list is StoredList {
  return Array.isArray(list) || Object.values(partOf(partOf(list).by)).every(Array.isArray)
}

/** The items of a list; an empty array where the value is not a list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

export function partOf(value: unknown): RawPart {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawPart) : {}
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
