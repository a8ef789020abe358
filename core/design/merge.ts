import { isRecord } from '#core/form/definition/option.ts'
import type { Raw } from '#core/form/definition/option.ts'
import type { JsonValue } from '#core/json.ts'
import { jsonEqual } from '#core/json.ts'

import type { Design, DesignColumn, DesignFolder, DesignForm, DesignPage, DesignSection } from './design.ts'
import { optionText, samePage } from './design.ts'
import { formerCodesOf } from './formerCodes.ts'

/**
 * Two people design one version: the changes of each since their common state are joined, down to a single property.
 * Where both changed the same property, mine stays, and the conflict is reported with what they had written.
 */

/** What both have changed. */
export interface DesignConflict {
  readonly place:
    | { readonly of: 'folder'; readonly folderId: string }
    | { readonly of: 'page'; readonly pageId: string }
    | { readonly of: 'form'; readonly pageId: string }
    | { readonly of: 'section'; readonly pageId: string; readonly key: string }
    | { readonly of: 'field'; readonly pageId: string; readonly prop: string }
  /** The property, from the outside in; empty where one side removed what the other changed. */
  readonly path: readonly string[]
  readonly mine: unknown
  readonly theirs: unknown
}

export interface DesignMerge {
  readonly design: Design
  readonly conflicts: readonly DesignConflict[]
}

type Report = ((path: readonly string[], mine: unknown, theirs: unknown) => void) & {
  /**
   * Whether a change is also reported that one side has set back: theirs was made from mine, so the old value is a
   * decision of theirs.
   */
  readonly tellsReturns: boolean
}

/** Joins the changes of both sides since `base`. */
export function mergeDesigns(base: Design, mine: Design, theirs: Design): DesignMerge {
  return mergeThree(base, mine, theirs, false)
}

/**
 * My changes since `base` that theirs, which was made from mine, has replaced: with something new or with the value
 * before.
 */
export function overwrittenIn(base: Design, mine: Design, theirs: Design): readonly DesignConflict[] {
  return mergeThree(base, mine, theirs, true).conflicts
}

function mergeThree(base: Design, mine: Design, theirs: Design, tellsReturns: boolean): DesignMerge {
  const conflicts: DesignConflict[] = []
  const at = (place: DesignConflict['place']): Report =>
    Object.assign(
      (path: readonly string[], own: unknown, other: unknown) =>
        void conflicts.push({ place, path, mine: own, theirs: other }),
      { tellsReturns },
    )
  const staying = new Map(
    [...base.pages.values()].flatMap((page) => {
      const left = editedAlone(page, mine.pages.get(page.id), theirs.pages.get(page.id))
      return left === null ? [] : [[page.id, left] as const]
    }),
  )
  const isSameFolder = (a: DesignFolder, b: DesignFolder): boolean =>
    isSame(a, b) && !b.pageIds.some((id) => staying.has(id))
  const folders = mergeList(
    list(base.folders, 'id'),
    list(mine.folders, 'id'),
    list(theirs.folders, 'id'),
    (before, own, other) => mergeFolder(before, own, other, staying, at({ of: 'folder', folderId: own.id })),
    isSameFolder,
    (own, other, id) => at({ of: 'folder', folderId: id })([], own, other),
  )
  const pages = new Map<string, DesignPage>()
  for (const id of new Set(folders.flatMap(({ pageIds }) => pageIds))) {
    if (staying.has(id)) at({ of: 'page', pageId: id })([], mine.pages.get(id) ?? null, theirs.pages.get(id) ?? null)
    const page = mergePage(
      { base: base.pages.get(id), mine: mine.pages.get(id), theirs: theirs.pages.get(id) },
      (place) => at(place),
    )
    if (page !== null) pages.set(id, page)
  }
  return { design: { folders, pages }, conflicts }
}

/** A page that one side has edited and the other has removed: it stays, and both are told. Null in all other cases. */
function editedAlone(
  base: DesignPage,
  mine: DesignPage | undefined,
  theirs: DesignPage | undefined,
): DesignPage | null {
  if ((mine === undefined) === (theirs === undefined)) return null
  const left = mine ?? theirs
  return left === undefined || samePage(base, left) ? null : left
}

function mergeFolder(
  base: DesignFolder,
  mine: DesignFolder,
  theirs: DesignFolder,
  staying: ReadonlyMap<string, DesignPage>,
  report: Report,
): DesignFolder {
  return {
    ...mergeRecord(factsOf(base), factsOf(mine), factsOf(theirs), report),
    pageIds: mergeOrder(base.pageIds, mine.pageIds, theirs.pageIds, staying),
  }
}

function factsOf({ id, folderName, folderNameEn, folderCode, schedule }: DesignFolder) {
  return { id, folderName, folderNameEn, folderCode, schedule }
}

function mergePage(
  {
    base,
    mine,
    theirs,
  }: {
    readonly base: DesignPage | undefined
    readonly mine: DesignPage | undefined
    readonly theirs: DesignPage | undefined
  },
  at: (place: DesignConflict['place']) => Report,
): DesignPage | null {
  if (mine === undefined || theirs === undefined) return mine ?? theirs ?? null
  if (base !== undefined && samePage(base, mine)) return theirs
  const { id } = mine
  const isSilent = (is: boolean): boolean => is && !at({ of: 'page', pageId: id }).tellsReturns
  if (base === undefined || isSilent(samePage(base, theirs)) || samePage(mine, theirs)) return mine
  const facts = mergeRecord(pageFacts(base), pageFacts(mine), pageFacts(theirs), at({ of: 'page', pageId: id }))
  if (optionText(mine) === optionText(base)) return { ...theirs, ...facts }
  if (isSilent(optionText(theirs) === optionText(base))) return { ...mine, ...facts }
  if (base.form === null || mine.form === null || theirs.form === null) {
    at({ of: 'page', pageId: id })(['form'], optionText(mine), optionText(theirs))
    return { ...mine, ...facts }
  }
  return { ...facts, form: mergeForm({ base: base.form, mine: mine.form, theirs: theirs.form }, id, at), stored: null }
}

function pageFacts({ id, pageName, pageNameEn, pageCode, repeatable }: DesignPage) {
  return { id, pageName, pageNameEn, pageCode, repeatable }
}

interface Sides<Of> {
  readonly base: Of
  readonly mine: Of
  readonly theirs: Of
}

function mergeForm(
  sides: Sides<DesignForm>,
  pageId: string,
  at: (place: DesignConflict['place']) => Report,
): DesignForm {
  const { base, mine, theirs } = sides
  const rest = mergeRecord(base.rest, mine.rest, theirs.rest, at({ of: 'form', pageId }))
  const columns = new Map(
    mergeList(
      flat(base),
      flat(mine, base),
      flat(theirs, base),
      (before, own, other) => mergeRecord(before, own, other, at({ of: 'field', pageId, prop: own.prop })),
      sameRecord,
      (own, other, prop) => at({ of: 'field', pageId, prop })([], own, other),
      at({ of: 'form', pageId }).tellsReturns ? NOTHING : null,
    ).map((column) => [column.prop, column] as const),
  )
  const sections = mergeList(
    list(base.sections, 'key'),
    list(mine.sections, 'key'),
    list(theirs.sections, 'key'),
    (before, own, other) => ({
      ...own,
      rest: mergeRecord(before.rest, own.rest, other.rest, at({ of: 'section', pageId, key: own.key })),
    }),
    sameSection,
    () => undefined,
  )
  return { rest, sections: arrangeSections(sections, columns, { base, mine, theirs }) }
}

/** An empty column: the base of a new one. */
const NOTHING: DesignColumn = { prop: '' }

/**
 * Puts the columns into their sections. A column that one side moved is where that side put it; a column without a
 * section goes to the first one.
 */
function arrangeSections(
  sections: readonly DesignSection[],
  columns: ReadonlyMap<string, DesignColumn>,
  { base, mine, theirs }: Sides<DesignForm>,
): readonly DesignSection[] {
  const homes = { base: homesOf(base), mine: homesOf(mine), theirs: homesOf(theirs) }
  const known = new Set(sections.map(({ key }) => key))
  const homeOf = (prop: string): string => {
    const [before, own, other] = [homes.base.get(prop), homes.mine.get(prop), homes.theirs.get(prop)]
    const chosen = own === undefined || own === before ? (other ?? own ?? '') : own
    return known.has(chosen) ? chosen : ''
  }
  const bySection = Map.groupBy(columns.keys(), homeOf)
  return sections.map((section) => {
    const props = bySection.get(section.key) ?? []
    const orderIn = (form: DesignForm) =>
      form.sections.find(({ key }) => key === section.key)?.columns.map(({ prop }) => prop) ?? []
    const order = mergeOrder(orderIn(base), orderIn(mine), orderIn(theirs), columns)
    const placed = [...order.filter((prop) => props.includes(prop)), ...props.filter((prop) => !order.includes(prop))]
    return { ...section, columns: placed.flatMap((prop) => columns.get(prop) ?? []) }
  })
}

function homesOf({ sections }: DesignForm): ReadonlyMap<string, string> {
  return new Map(sections.flatMap(({ key, columns }) => columns.map(({ prop }) => [prop, key] as const)))
}

/**
 * Columns by their codes. With `base`, by the codes that they had there: a field that one side renamed is the same
 * field.
 */
function flat({ sections }: DesignForm, base: DesignForm | null = null): ReadonlyMap<string, DesignColumn> {
  const columns = sections.flatMap((section) => section.columns)
  if (base === null) return list(columns, 'prop')
  const [known, own] = [new Set(flat(base).keys()), new Set(columns.map(({ prop }) => prop))]
  const before = (column: DesignColumn) =>
    known.has(column.prop)
      ? column.prop
      : (formerCodesOf(column).findLast((code) => known.has(code) && !own.has(code)) ?? column.prop)
  return new Map(columns.map((column) => [before(column), column]))
}

function list<Item, Key extends keyof Item>(items: readonly Item[], key: Key): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [String(item[key]), item]))
}

/** Joins lists of named things: order and contents. */
function mergeList<Item>(
  base: ReadonlyMap<string, Item>,
  mine: ReadonlyMap<string, Item>,
  theirs: ReadonlyMap<string, Item>,
  merge: (base: Item, mine: Item, theirs: Item) => Item,
  same: (a: Item, b: Item) => boolean,
  removedAndChanged: (mine: Item | null, theirs: Item | null, key: string) => void,
  /** The base of something new, if conflicts in it must be reported as well. */
  nothing: Item | null = null,
): readonly Item[] {
  const mergeItem = (key: string): Item | null => {
    const [before, own, other] = [base.get(key), mine.get(key), theirs.get(key)]
    const from = before ?? nothing
    if (own !== undefined && other !== undefined) return from === null ? own : merge(from, own, other)
    const left = own ?? other
    if (left === undefined) return null
    if (before === undefined) {
      if (nothing !== null && other === undefined) removedAndChanged(left, null, key)
      return left
    }
    // One side removed it: it is gone, unless the other side has changed it.
    if (same(before, left)) return null
    removedAndChanged(own ?? null, other ?? null, key)
    return left
  }
  const keys = [...new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])]
  const left = new Map(
    keys.flatMap((key) => {
      const item = mergeItem(key)
      return item === null ? [] : [[key, item] as const]
    }),
  )
  return mergeOrder([...base.keys()], [...mine.keys()], [...theirs.keys()], left).flatMap((key) => left.get(key) ?? [])
}

/**
 * Joins two orders. What one side moved is where that side put it; what one side added comes after its predecessor
 * there; what one side removed is gone, unless it stays.
 */
function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  staying: ReadonlyMap<string, unknown> = new Map(),
): readonly string[] {
  const [inBase, inMine, inTheirs] = [new Set(base), new Set(mine), new Set(theirs)]
  const moved = base.filter((key) => inMine.has(key)).join('\n') !== mine.filter((key) => inBase.has(key)).join('\n')
  const [start, other, inOther] = moved ? [mine, theirs, inTheirs] : [theirs, mine, inMine]
  const result = start.filter((key) => !inBase.has(key) || inOther.has(key) || staying.has(key))
  other.forEach((key, at) => {
    if ((inBase.has(key) && !staying.has(key)) || result.includes(key)) return
    const follows = other.slice(0, at).findLast((one) => result.includes(one))
    result.splice(follows === undefined ? 0 : result.indexOf(follows) + 1, 0, key)
  })
  return result
}

/** Joins two records key by key, including nested records. */
function mergeRecord<Of extends Raw>(base: Of, mine: Of, theirs: Of, report: Report): Of {
  const merged: Record<string, unknown> = {}
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const [before, own, other] = [base[key], mine[key], theirs[key]]
    const value = isSame(own, before)
      ? other
      : (isSame(other, before) && !report.tellsReturns) || isSame(own, other)
        ? own
        : isRecord(own) && isRecord(other)
          ? mergeRecord<Raw>(
              isRecord(before) ? before : {},
              own,
              other,
              Object.assign((path: readonly string[], a: unknown, b: unknown) => report([key, ...path], a, b), {
                tellsReturns: report.tellsReturns,
              }),
            )
          : both(key, own, other, report)
    if (value !== undefined) merged[key] = value
  }
  // Each key holds the value of one side, or the two values joined.
  return merged as Of
}

function both(key: string, mine: unknown, theirs: unknown, report: Report): unknown {
  report([key], mine, theirs)
  return mine
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  return jsonEqual(a as JsonValue, b as JsonValue)
}

function sameRecord(a: Raw, b: Raw): boolean {
  return isSame(a, b)
}

function sameSection(a: DesignSection, b: DesignSection): boolean {
  return isSame(a.rest, b.rest)
}
