import { readColumnChoices } from './choiceLists.ts'
import type { Choice } from './choiceLists.ts'
import { allPaths } from './choices.ts'
import { itemsOf, listKey, namedList, parentsOf, partOf, textOf } from './lists.ts'
import type { NamedList, RawPart, StoredList } from './lists.ts'
import { PageFailure } from './option.ts'

/** Fetches the lists that a page's option names, and stores them in the option. */

/**
 * Asks for a list under one answer of the field that it follows ('' where it follows none). Null where the list cannot
 * be fetched.
 */
export type AskForList = (named: NamedList, answer: string) => Promise<readonly unknown[] | null>

/**
 * The option with the lists that it names. A list that cannot be fetched stays as it came with the option, or stays
 * absent.
 */
export async function fillLists(option: RawPart, ask: AskForList): Promise<RawPart> {
  const before = partOf(partOf(option.zl).lists)
  const lists: Record<string, StoredList> = {}
  for (const columns of levelsOf(option)) {
    const parents = parentsOf(columns)
    for (const column of inOrder(columns, parents)) {
      const named = namedList(column, parents.get(textOf(column.prop) ?? '') ?? null)
      if (named === null || Object.hasOwn(lists, listKey(named))) continue
      const fetched = await fetchList(named, { columns, parents, lists }, ask)
      const kept = fetched ?? before[listKey(named)]
      if (kept !== undefined) lists[listKey(named)] = kept as StoredList
    }
  }
  if (Object.keys(lists).length === 0 && Object.keys(before).length === 0) return option
  return { ...option, zl: { ...partOf(option.zl), lists } }
}

/** The lists that an option names but does not hold, by their URLs. */
export function listsNotThere(option: RawPart): readonly string[] {
  const lists = partOf(partOf(option.zl).lists)
  const missing = levelsOf(option).flatMap((columns) => {
    const parents = parentsOf(columns)
    return columns.flatMap((column) => {
      const named = namedList(partOf(column), parents.get(textOf(partOf(column).prop) ?? '') ?? null)
      return named === null || Object.hasOwn(lists, listKey(named)) ? [] : [named.url]
    })
  })
  return [...new Set(missing)]
}

interface Level {
  readonly columns: readonly unknown[]
  readonly parents: ReadonlyMap<string, string>
  readonly lists: Readonly<Record<string, StoredList>>
}

async function fetchList(named: NamedList, level: Level, ask: AskForList): Promise<StoredList | null> {
  if (named.parent === null) return ask(named, '')
  const by: Record<string, readonly unknown[]> = {}
  for (const answer of answersOf(named.parent, level)) {
    const items = await ask(named, answer)
    if (items === null) return null
    by[answer] = items
  }
  return { by }
}

/** The values with which a field may be answered. */
function answersOf(code: string, { columns, parents, lists }: Level): readonly string[] {
  const column = columns.map(partOf).find((one) => one.prop === code)
  if (column === undefined) return []
  try {
    const { choices } = readColumnChoices(column, { lists, parents }, code)
    return [...new Set([...allPaths(choices)].flatMap((path: readonly Choice[]) => path.at(-1)?.value ?? []))]
  } catch (error) {
    // Anything that is no list has no answers; reading the page reports that it cannot be read.
    if (error instanceof PageFailure) return []
    throw error
  }
}

/** Columns with a list, each after the column that its list follows. */
function inOrder(columns: readonly unknown[], parents: ReadonlyMap<string, string>): readonly RawPart[] {
  const depth = (column: RawPart): number => {
    let [at, steps] = [textOf(column.prop), 0]
    while (at !== null && steps <= columns.length) {
      at = parents.get(at) ?? null
      steps += 1
    }
    return steps
  }
  return columns.map(partOf).toSorted((a, b) => depth(a) - depth(b))
}

/** The columns of a page, and those of each of its tables: a code is valid within one of these. */
export function levelsOf(option: RawPart): readonly (readonly unknown[])[] {
  const own = itemsOf(option.column)
  const page = [
    ...own,
    ...own.flatMap((item) => (partOf(item).type === 'group' ? itemsOf(partOf(partOf(item).children).column) : [])),
    ...itemsOf(option.group).flatMap((one) => itemsOf(partOf(one).column)),
  ]
  const tables = page.flatMap((item) =>
    partOf(item).type === 'dynamic' ? [itemsOf(partOf(partOf(item).children).column)] : [],
  )
  return [page, ...tables]
}
