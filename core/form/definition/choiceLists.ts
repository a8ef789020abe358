import { itemsIn, listKey, namedList, partOf, textOf } from './lists.ts'
import type { StoredList, StoredLists } from './lists.ts'
import type { Raw } from './option.ts'
import { PageFailure, isRecord, list, record, scalarText, text } from './option.ts'

/** Reads the choices of a column: those written down with it, or those in the lists that are stored with its page. */

/** One option of a choice field. Values are always text; a number in a stored dictionary is read as its digits. */
export interface Choice {
  readonly value: string
  readonly label: string
  /** In English, where the definition has both languages. */
  readonly labelEn?: string
  readonly disabled: boolean
  readonly children: readonly Choice[]
  /** Of a record to pick from a table: the values of its columns, by their codes. */
  readonly cells?: Readonly<Record<string, string>>
}

/** Choices that follow the answer of another field of the page, or of the row. */
export interface ChoiceChain {
  readonly parent: string
  /** The choices, by the answer. */
  readonly by: ReadonlyMap<string, readonly Choice[]>
}

/** A column of the records of a table to pick from. */
export interface PickColumn {
  readonly code: string
  readonly label: string
}

export interface ColumnChoices {
  /** All that may be chosen; of a chain the choices of all answers, each once. */
  readonly choices: readonly Choice[]
  readonly chain: ChoiceChain | null
  readonly pickColumns: readonly PickColumn[]
}

/** The lists from which columns may take their choices, besides those that they have written down. */
export interface ListsAround {
  readonly lists: StoredLists
  /** The field whose answer a column's list follows, by the column's code (`parentsOf`). */
  readonly parents: ReadonlyMap<string, string>
}

/** Reads a column's choices. Where a value is no list of choices, the whole page cannot be read. */
export function readColumnChoices(raw: Raw, { lists, parents }: ListsAround, path: string): ColumnChoices {
  const named = namedList(raw, parents.get(textOf(raw.prop) ?? '') ?? null)
  if (raw.type === 'table') return tableChoices(raw, named === null ? undefined : lists[listKey(named)], path)
  if (named === null)
    return { choices: readChoices(raw.dicData, raw.props, `${path}.dicData`, 0), chain: null, pickColumns: [] }
  const stored = lists[listKey(named)]
  if (stored === undefined) return NO_CHOICES
  const read = (items: readonly unknown[]) => readChoices(items, raw.props, `${path}.dicUrl`, 0)
  if (isPlain(stored)) return { choices: read(stored), chain: null, pickColumns: [] }
  const by = new Map(Object.entries(stored.by).map(([answer, items]) => [answer, read(items)]))
  const choices = [...new Map([...by.values()].flat().map((choice) => [choice.value, choice])).values()]
  return { choices, chain: named.parent === null ? null : { parent: named.parent, by }, pickColumns: [] }
}

const NO_CHOICES: ColumnChoices = { choices: [], chain: null, pickColumns: [] }

function tableChoices(raw: Raw, stored: StoredList | undefined, path: string): ColumnChoices {
  const children = partOf(raw.children)
  const pickColumns = list(children.column, `${path}.children.column`).flatMap((item) => {
    const { prop, label } = partOf(item)
    const code = textOf(prop)
    return code === null ? [] : [{ code, label: textOf(label) ?? code }]
  })
  const props = partOf(raw.props)
  const key = textOf(partOf(children.props).rowKey) ?? textOf(props.value) ?? 'id'
  const name = textOf(props.label) ?? pickColumns[0]?.code ?? key
  const items = stored !== undefined && isPlain(stored) ? stored : (itemsIn(raw.dicData, null) ?? [])
  const choices = items.flatMap((item): Choice[] => {
    const fields = partOf(item)
    const value = scalarText(fields[key])
    if (value === null) return []
    const cells = Object.fromEntries(pickColumns.map(({ code }) => [code, scalarText(fields[code]) ?? '']))
    return [{ value, label: scalarText(fields[name]) ?? value, disabled: false, children: [], cells }]
  })
  return { choices, chain: null, pickColumns }
}

function isPlain(stored: StoredList): stored is readonly unknown[] {
  return Array.isArray(stored)
}

/** Deepest tree of choices that is read. */
const MAX_LEVELS = 20

function readChoices(dicData: unknown, props: unknown, path: string, depth: number): readonly Choice[] {
  if (dicData === undefined) return []
  if (depth > MAX_LEVELS) throw new PageFailure({ kind: 'wrong-shape', path })
  const names = isRecord(props) ? props : {}
  const labelKey = text(names.label) ?? 'label'
  const valueKey = text(names.value) ?? 'value'
  const childrenKey = text(names.children) ?? 'children'
  return list(dicData, path).map((item, at) => {
    const raw = record(item, `${path}[${at}]`)
    const value = scalarText(raw[valueKey])
    if (value === null) throw new PageFailure({ kind: 'wrong-shape', path: `${path}[${at}]` })
    const labelEn = text(raw.labelEn)
    return {
      value,
      label: scalarText(raw[labelKey]) ?? value,
      ...(labelEn === null ? {} : { labelEn }),
      disabled: raw.disabled === true,
      children: readChoices(raw[childrenKey] ?? undefined, props, `${path}[${at}].children`, depth + 1),
    }
  })
}
