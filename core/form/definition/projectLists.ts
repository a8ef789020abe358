import { levelsOf } from './fillLists.ts'
import { listKey, namedList, parentsOf, partOf, textOf } from './lists.ts'
import type { RawPart, StoredList } from './lists.ts'

/**
 * Fields whose choices are a dictionary of their own project. Such a field names the dictionary by one of our URLs, as
 * it names any list kept elsewhere. A tablet offers the copy that is stored with the page
 * (docs/adr/0024-lists-and-look-ups.md).
 */

const PATH = '/api/edc/project/dict/child-list'
const ADDRESS = /^(?:\/api)?\/?edc\/project\/dict\/(?:child|lazy)-list$/

/** The URL by which a field names a dictionary. */
export function projectListUrl(code: string): string {
  return `${PATH}?code=${encodeURIComponent(code)}`
}

/** Which dictionary a URL names: by its code, or by its id as other systems of the family do. */
export interface ProjectList {
  readonly code: string | null
  readonly parentId: string | null
  /** Only entries below the entry with this key, for a list that follows another answer. Null for all entries. */
  readonly below: string | null
}

/** The dictionary that a URL names; null for a URL that names none of the project. */
export function projectListOf(url: string): ProjectList | null {
  const [path = '', query = ''] = url.split('?')
  if (!ADDRESS.test(path)) return null
  const asked = askedIn(query)
  const [code = null, parentId = null, below = null] = [
    asked.get('code'),
    asked.get('parentId'),
    asked.get('parentKey'),
  ]
  return code === null && parentId === null ? null : { code, parentId, below }
}

/** The parameters of a query, by name; those that are wrongly written are left out. */
function askedIn(query: string): ReadonlyMap<string, string> {
  return new Map(
    query.split('&').flatMap((part): [string, string][] => {
      const [name = '', value = ''] = part.split('=')
      try {
        return name === '' || value === '' ? [] : [[name, decodeURIComponent(value.replaceAll('+', ' '))]]
      } catch (error) {
        if (error instanceof URIError) return []
        throw error
      }
    }),
  )
}

/** An entry of a dictionary, with those below it. */
export interface ListedEntry {
  readonly dictKey: string
  readonly dictValue: string
  readonly labelEn: string | null
  readonly isDisabled: boolean
  readonly children: readonly ListedEntry[]
}

/** Entries as items of a choice list, under the names of the family and under those that a column reads by default. */
export function choicesOf(entries: readonly ListedEntry[]): readonly object[] {
  return entries.map(({ dictKey, dictValue, labelEn, isDisabled, children }) => ({
    dictKey,
    dictValue,
    value: dictKey,
    label: dictValue,
    ...(labelEn === null ? {} : { labelEn }),
    // A disabled entry stays, so that a former choice keeps its label; nobody can choose it any more.
    ...(isDisabled ? { disabled: true } : {}),
    ...(children.length === 0 ? {} : { children: choicesOf(children) }),
  }))
}

/** The entries below the entry with a key; none where there is no such entry. */
export function entriesBelow(entries: readonly ListedEntry[], key: string): readonly ListedEntry[] {
  for (const entry of entries) {
    if (entry.dictKey === key) return entry.children
    const below = entriesBelow(entry.children, key)
    if (below.length > 0) return below
  }
  return []
}

/** A field that names a dictionary of the project. */
export interface ListUse {
  readonly code: string
  readonly label: string
  readonly list: ProjectList
  /** The copy that is stored with the page; null where there is none. */
  readonly copy: StoredList | null
}

/** Fields of a page, and of the rows of its tables, that name dictionaries of the project. */
export function usesOfProjectLists(option: RawPart): readonly ListUse[] {
  const copies = partOf(partOf(option.zl).lists)
  return levelsOf(option).flatMap((columns) => {
    const parents = parentsOf(columns)
    return columns.map(partOf).flatMap((column): ListUse[] => {
      const code = textOf(column.prop)
      if (code === null) return []
      const named = namedList(column, parents.get(code) ?? null)
      const list = named === null ? null : projectListOf(named.url)
      if (named === null || list === null) return []
      const copy = copies[listKey(named)]
      return [
        { code, label: textOf(column.label) ?? code, list, copy: copy === undefined ? null : (copy as StoredList) },
      ]
    })
  })
}
