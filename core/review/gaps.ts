import { addressKey } from '#core/form/definition/address.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'
import { canonicalValue, isList, readMissing, readValue } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { missingKey, rowContent, rowsOf, sameContent, stateOf } from '#core/sync/merge.ts'

import { pairRows } from './pairs.ts'
import { plainText } from './plainText.ts'

/** What the two passes of double entry say differently about one page. */

/**
 * How two contents of an item differ, from what a person must look at to what they mostly need not: `row` only one pass
 * has the row · `missing` one pass says nothing · `different` they say different things · `format` the same but for
 * width, blanks and line ends · `case` the same but for capital letters.
 */
export type GapKind = 'row' | 'missing' | 'different' | 'format' | 'case'

/** One thing that the passes say differently. */
export interface Gap {
  /** Its name within the page: the address in the first pass; of a row that only the second has, the address there. */
  readonly key: string
  /** The field; of a row, its table. */
  readonly field: Field
  /** The rows that were compared, and the place of the pair, counted from 0; null for a field of the page. */
  readonly row: {
    readonly table: Field
    readonly first: string | null
    readonly second: string | null
    readonly at: number
  } | null
  readonly kind: GapKind
  /**
   * Canonical values. A row is an object of what it holds, by field code; one that is not there is empty, or why its
   * table has none.
   */
  readonly first: ItemContent
  readonly second: ItemContent
}

/** What was compared: an item that at least one pass says something about, or a row that only one has. */
export interface ComparedItem extends Pick<Gap, 'field' | 'row'> {
  /** Where the two are not the same. */
  readonly gap: Gap | null
}

/** Gaps of a page, and what was compared to find them. */
export interface Comparison {
  readonly gaps: readonly Gap[]
  readonly compared: readonly ComparedItem[]
}

/**
 * Compares the two passes of a page. Values are compared in their canonical form, so `"0,1"` and `["0","1"]` are the
 * same; files by what is in them. What is calculated is left out: it follows from the rest. Rows of tables are paired
 * by their key columns where the definition declares some, else by their order. What is hidden is compared as well: it
 * is kept, and may come back. Why a table has no rows is compared where neither has any; where one has, its rows are
 * the difference.
 */
export function comparePasses(page: PageModel, first: EntryData, second: EntryData): Comparison {
  const compared: ComparedItem[] = []
  const compare = (field: Field, row: Gap['row'], ours: ItemContent, theirs: ItemContent) => {
    if (field.calculate !== null || (saysNothing(ours) && saysNothing(theirs))) return
    const differs = !sameFor(field, ours, theirs)
    compared.push({
      field,
      row,
      gap: differs
        ? { key: keyOf(field, row), field, row, kind: kindOf(ours, theirs), first: ours, second: theirs }
        : null,
    })
  }
  for (const field of page.fields) {
    if (!holdsData(field)) continue
    if (!isTable(field)) {
      compare(field, null, contentOf(field, first), contentOf(field, second))
      continue
    }
    const [ours, theirs] = [whyNoRows(field, first), whyNoRows(field, second)]
    const pairs = pairRows(field, liveRows(field, first), liveRows(field, second))
    if (pairs.length === 0) compare(field, null, ours, theirs)
    for (const [at, pair] of pairs.entries()) {
      const row = {
        table: field,
        first: pair.first === null ? null : ridOf(pair.first),
        second: pair.second === null ? null : ridOf(pair.second),
        at,
      }
      if (pair.first !== null && pair.second !== null) {
        for (const child of field.children)
          compare(child, row, cellOf(child, pair.first, first), cellOf(child, pair.second, second))
      } else {
        compared.push({
          field,
          row,
          gap: {
            key: keyOf(field, row),
            field,
            row,
            kind: 'row',
            first: wholeRow(pair.first, ours),
            second: wholeRow(pair.second, theirs),
          },
        })
      }
    }
  }
  return { gaps: compared.flatMap(({ gap }) => (gap === null ? [] : [gap])), compared }
}

function keyOf(field: Field, row: Gap['row']): string {
  if (row === null) return field.code
  const code = field.code === row.table.code ? '_row' : field.code
  return addressKey({ table: row.table.code, rid: row.first ?? row.second, code })
}

/** The address of what is compared, in one of the passes; null where that pass has no such row. */
export function placeIn(
  { field, row }: Pick<Gap, 'field' | 'row'>,
  pass: 1 | 2,
): { readonly table: string | null; readonly rid: string | null; readonly code: string } | null {
  if (row === null) return { table: null, rid: null, code: field.code }
  const rid = pass === 1 ? row.first : row.second
  return rid === null ? null : { table: row.table.code, rid, code: field.code }
}

function sameFor(field: Field, first: ItemContent, second: ItemContent): boolean {
  if (field.type !== 'upload') return sameContent(first, second)
  return sameContent({ ...first, value: contentsOf(first.value) }, { ...second, value: contentsOf(second.value) })
}

/** Files by what is in them, in no order: each pass takes its own photo of one page, under its own id. */
function contentsOf(files: JsonValue): JsonValue {
  if (!isList(files)) return files
  const hashes = files.map((file) =>
    typeof file === 'object' && file !== null && !isList(file) ? (file['hash'] ?? file['id'] ?? file) : file,
  )
  return hashes
    .map((hash) => (typeof hash === 'string' ? hash : JSON.stringify(hash)))
    .toSorted((a, b) => (a < b ? -1 : 1))
}

function kindOf(first: ItemContent, second: ItemContent): GapKind {
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

function contentOf(field: Field, data: EntryData): ItemContent {
  return { value: readValue(field, data), missing: readMissing(field, data) }
}

type Row = Readonly<Record<string, JsonValue>>

/** Why a table has no rows. One that has some has no such reason, whatever was left beside them. */
export function whyNoRows(table: Field, data: EntryData): ItemContent {
  return { value: null, missing: liveRows(table, data).length > 0 ? null : readMissing(table, data) }
}

/** The rows of a table that are there, in the order in which they stand. */
export function liveRows(table: Field, data: EntryData): readonly Row[] {
  const rows = rowsOf(readValue(table, data) ?? []) ?? []
  return rows
    .filter((row) => !stateOf(row).deleted)
    .toSorted((a, b) => (stateOf(a).order < stateOf(b).order ? -1 : stateOf(a).order > stateOf(b).order ? 1 : 0))
}

export function ridOf(row: Row): string {
  return typeof row['_rid'] === 'string' ? row['_rid'] : ''
}

function wholeRow(row: Row | null, why: ItemContent): ItemContent {
  return row === null ? why : { value: rowContent(row), missing: null }
}

function cellOf(field: Field, row: Row, data: EntryData): ItemContent {
  const reason = data.missing[missingKey({ table: '', rid: ridOf(row), code: field.code })] ?? null
  return { value: canonicalValue(field, row[field.code]), missing: reason }
}
