import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'

import { halfWidth } from './dates.ts'
import type { Field, PageModel } from './page.ts'
import { canonicalValue, isList, readMissing, readValue } from './value.ts'

/** What two entries of one page say differently: what double entry compares, and two visits side by side. */

/**
 * How two contents of an item differ, from what a person must look at to what they mostly need not:
 * `missing` one entry says nothing · `different` they say different things · `format` the same but for width, blanks and line ends ·
 * `case` the same but for capital letters.
 */
export type DifferenceKind = 'missing' | 'different' | 'format' | 'case'

/** One item that two entries hold differently. */
export interface Difference {
  readonly field: Field
  /** The table and the place of the row in it, counted from 0; null for an item of the page. */
  readonly row: { readonly table: Field; readonly at: number } | null
  readonly kind: DifferenceKind
  /** Canonical values. A row that one entry has not is empty there. */
  readonly first: ItemContent
  readonly second: ItemContent
}

/**
 * The items that two entries of a page hold differently, in reading order. Values are compared in their canonical form, so `"0,1"` and
 * `["0","1"]` are the same. What is calculated is left out: it follows from the rest. Rows of tables are compared in their order; what is
 * hidden is compared as well, for the caller knows the rules' moment and this does not.
 */
export function entryDifferences(page: PageModel, first: EntryData, second: EntryData): readonly Difference[] {
  return page.fields.flatMap((field): readonly Difference[] => {
    if (field.calculate !== null) return []
    if (field.type === 'dynamic') return rowDifferences(field, first, second)
    return difference(field, null, contentOf(field, first), contentOf(field, second))
  })
}

function rowDifferences(table: Field, first: EntryData, second: EntryData): readonly Difference[] {
  const [ours, theirs] = [rowsOf(table, first), rowsOf(table, second)]
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, at) =>
    table.children.flatMap((child) => {
      if (child.calculate !== null) return []
      return difference(child, { table, at }, cellOf(child, ours[at], first), cellOf(child, theirs[at], second))
    }),
  ).flat()
}

function difference(field: Field, row: Difference['row'], first: ItemContent, second: ItemContent): readonly Difference[] {
  if (sameContent(first, second)) return []
  return [{ field, row, kind: kindOf(first, second), first, second }]
}

function kindOf(first: ItemContent, second: ItemContent): DifferenceKind {
  if (saysNothing(first) || saysNothing(second)) return 'missing'
  if (first.missing !== null || second.missing !== null) return 'different'
  const [a, b] = [plainText(first.value), plainText(second.value)]
  if (a === null || b === null) return 'different'
  if (a === b) return 'format'
  return a.toLowerCase() === b.toLowerCase() ? 'case' : 'different'
}

function saysNothing({ value, missing }: ItemContent): boolean {
  return value === null && missing === null
}

/** What a text says whatever the width of its characters and its blanks; null for what is no text. Items of a list stay apart. */
function plainText(value: JsonValue): string | null {
  if (typeof value === 'string') return halfWidth(value.normalize('NFKC')).replaceAll(/\s+/g, ' ').trim()
  if (!isList(value)) return null
  const items = value.map(plainText)
  return items.some((item) => item === null) ? null : items.join('\n')
}

function contentOf(field: Field, data: EntryData): ItemContent {
  return { value: readValue(field, data), missing: readMissing(field, data) }
}

type Row = Readonly<Record<string, JsonValue>>

/** The rows of a table that are there, in the order in which they stand. */
function rowsOf(table: Field, data: EntryData): readonly Row[] {
  const value = readValue(table, data)
  const rows = isList(value) ? value.filter(isRow) : []
  return rows.filter((row) => row['_deleted'] !== true).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0))
}

function isRow(value: JsonValue): value is Row {
  return typeof value === 'object' && value !== null && !isList(value)
}

function orderOf(row: Row): string {
  return typeof row['_ord'] === 'string' ? row['_ord'] : ''
}

function cellOf(field: Field, row: Row | undefined, data: EntryData): ItemContent {
  if (row === undefined) return { value: null, missing: null }
  const rid = typeof row['_rid'] === 'string' ? row['_rid'] : ''
  return { value: canonicalValue(field, row[field.prop]), missing: data.missing[`${rid}.${field.prop}`] ?? null }
}
