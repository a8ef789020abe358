import type { FieldError } from '#core/api/errors.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { checkValueShape } from '#core/form/definition/shape.ts'
import type { ShapeProblem } from '#core/form/definition/shape.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import type { EntryChange, ItemChange, ItemContent, RowChange } from '#core/sync/entryChange.ts'
import { fieldAt } from './reading/pages.ts'

/** The structure of a change: the only ground on which a save is refused. Rules do not matter here. */

/** A change in canonical form, split by whether the entry has a place for its parts. */
export interface PlacedChange {
  readonly items: readonly ItemChange[]
  readonly rows: readonly RowChange[]
  /** Items of fields for which the entry's version has no place. They are kept beside the data, not in them. */
  readonly retired: readonly ItemChange[]
}

export interface Definitions {
  /** The page on which the person entered it. */
  readonly own: PageModel
  /** The page of the version that the entry stands under after the change. */
  readonly target: PageModel
  /** All other definitions that the page ever had; read only where a field is unknown. */
  readonly others: () => Promise<readonly PageModel[]>
}

/** Checks every part of a change and finds its place; or returns all errors. */
export async function placeChange(
  change: EntryChange,
  definitions: Definitions,
): Promise<{ readonly placed: PlacedChange; readonly problems: readonly FieldError[] }> {
  const items: ItemChange[] = []
  const retired: ItemChange[] = []
  const problems: FieldError[] = []
  for (const item of change.items) {
    const field = await knownField(item, definitions)
    if (field === null || (item.table === null) !== (item.rid === null)) {
      problems.push({ path: pathOf(item), code: field === null ? 'unknown_field' : 'address' })
      continue
    }
    const canonical = { ...item, to: canonicalContent(field, item.to), base: canonicalContent(field, item.base) }
    const isOfTable = field.type === 'dynamic'
    // A table is changed row by row, because otherwise two people's rows could not be merged. Only the reason why it
    // has no rows belongs to the table as a whole.
    if (isOfTable && (canonical.to.value !== null || canonical.base.value !== null)) {
      problems.push({ path: pathOf(item), code: 'not_an_item' })
      continue
    }
    const problem = checkValueShape(field, canonical.to.value)
    const place = fieldAt(definitions.target, item.table, item.code)
    if (problem !== null) problems.push(fieldError(pathOf(item), problem))
    // Where a field has become a table, a former single value has no place: the rows stand there.
    else if (place === null || (place.type === 'dynamic') !== isOfTable) retired.push(canonical)
    else items.push(canonical)
  }
  const rows: RowChange[] = []
  for (const row of change.rows) {
    const field = definitions.target.byCode.get(row.table) ?? definitions.own.byCode.get(row.table)
    if (field?.type !== 'dynamic') problems.push({ path: row.table, code: 'unknown_field' })
    else rows.push(row)
  }
  return { placed: { items, rows, retired }, problems }
}

async function knownField(item: ItemChange, { own, target, others }: Definitions): Promise<Field | null> {
  const field = fieldAt(own, item.table, item.code) ?? fieldAt(target, item.table, item.code)
  if (field !== null) return field
  for (const page of await others()) {
    const former = fieldAt(page, item.table, item.code)
    if (former !== null) return former
  }
  return null
}

function canonicalContent(field: Field, content: ItemContent): ItemContent {
  return { value: canonicalValue(field, content.value), missing: content.missing }
}

/** An item's path as errors write it. */
export function pathOf({ table, rid, code }: Pick<ItemChange, 'table' | 'rid' | 'code'>): string {
  return [table, rid, code].filter((part) => part !== null).join('.')
}

/** A problem of structure as errors write it. */
export function fieldError(path: string, problem: ShapeProblem): FieldError {
  switch (problem.kind) {
    case 'unknown-field':
      return { path, code: 'unknown_field' }
    case 'wrong-type':
      return { path, code: 'type' }
    case 'too-long':
      return { path, code: 'too_long', params: { max: problem.max } }
    case 'bad-text':
      return { path, code: 'text' }
  }
}
