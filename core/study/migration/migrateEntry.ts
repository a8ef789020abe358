import type { Field } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { jsonEqual } from '#core/json.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { missingKey, rowsOf } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'

import { convertValue } from './convertValue.ts'
import type { FieldPlan, ContinuedField, PagePlan } from './migrationPlan.ts'

/**
 * What becomes of an entry's data by the plan of its page. Nothing is lost: each item is in the data afterwards, or is
 * retired.
 */

/** An item that has another code now, or is written in another way. */
export interface MovedItem {
  readonly from: ItemPlace
  readonly to: ItemPlace
  readonly old: ItemContent
  readonly now: ItemContent
}

/**
 * An item without a place on the new page: its field is gone (`removed`), or its value does not fit into the field
 * (`unfit`).
 */
export interface RetiredItem extends ItemPlace {
  readonly content: ItemContent
  readonly why: 'removed' | 'unfit'
  /** The field in which the item was entered; null where the old page did not have it either. */
  readonly field: Field | null
  /** The table, for a value in a row. */
  readonly tableField: Field | null
}

/** An item that keeps its old value, although all or a part of that is no value of its new field. */
export interface UnconvertedItem extends ItemPlace {
  readonly content: ItemContent
  readonly field: Field
}

export interface MigratedEntry {
  readonly data: EntryData
  readonly moved: readonly MovedItem[]
  readonly retired: readonly RetiredItem[]
  readonly unconverted: readonly UnconvertedItem[]
}

/** The data of an entry under the new definition of its page. */
export function migrateEntry(plan: PagePlan, data: EntryData): MigratedEntry {
  const work = new Migration(data)
  const codes = new Set([...Object.keys(data.values), ...Object.keys(data.missing).filter((key) => !key.includes('.'))])
  for (const code of codes) work.field(plan.bySource.get(code), code)
  return work.result()
}

/** What an item becomes by the plan of its field. */
export type ItemFate =
  | {
      readonly kind: 'stands'
      readonly code: string
      readonly content: ItemContent
      readonly fate: 'same' | 'converted' | 'kept'
    }
  | { readonly kind: 'retired'; readonly why: RetiredItem['why'] }

/** @param plan of the item's field; undefined where the old page had no field of that code */
export function itemFate(plan: FieldPlan | undefined, content: ItemContent): ItemFate {
  if (plan === undefined || !isContinued(plan)) return { kind: 'retired', why: 'removed' }
  if (isEmptyValue(content.value)) return { kind: 'stands', code: plan.to.code, content, fate: 'same' }
  const { fate, value } = convertValue(plan, content.value)
  if (fate === 'unfit') return { kind: 'retired', why: 'unfit' }
  return { kind: 'stands', code: plan.to.code, content: { ...content, value }, fate }
}

/** The plan of a table's column; undefined where there is none. */
export function columnPlan(table: FieldPlan | undefined, code: string): FieldPlan | undefined {
  if (table === undefined || !isContinued(table)) return undefined
  return table.columns.find((plan) => plan.kind !== 'new' && plan.from.code === code)
}

export function isContinued(plan: FieldPlan): plan is ContinuedField {
  return plan.kind === 'mapped' || plan.kind === 'converted'
}

type Row = Record<string, JsonValue>

class Migration {
  readonly #before: EntryData
  readonly #values: Record<string, JsonValue> = {}
  readonly #missing: Record<string, NonNullable<ItemContent['missing']>> = {}
  readonly #moved: MovedItem[] = []
  readonly #retired: RetiredItem[] = []
  readonly #unconverted: UnconvertedItem[] = []
  /** Keys of missing reasons that are already placed. */
  readonly #placed = new Set<string>()

  constructor(before: EntryData) {
    this.#before = before
  }

  field(plan: FieldPlan | undefined, code: string): void {
    const value = this.#before.values[code]
    const rows = rowsOf(value) ?? []
    // What stands in a table but is no row is treated as an item.
    if (
      plan !== undefined &&
      isContinued(plan) &&
      plan.from.type === 'dynamic' &&
      rows.length > 0 &&
      rows.every((row) => typeof row['_rid'] === 'string')
    ) {
      this.#values[plan.to.code] = rows.map((row) => this.#row(plan, row))
      // The reason why a table is empty belongs to the table as a whole.
      this.#reasonOf({ table: null, rid: null, code }, { table: null, rid: null, code: plan.to.code })
      return
    }
    this.#item(plan, { table: null, rid: null, code }, null, this.#values)
  }

  result(): MigratedEntry {
    // Reasons for rows that do not exist belong to nothing that could be retired; they stay where they are.
    for (const [key, reason] of Object.entries(this.#before.missing))
      if (!this.#placed.has(key)) this.#missing[key] = reason
    return {
      data: { values: this.#values, missing: this.#missing },
      moved: this.#moved,
      retired: this.#retired,
      unconverted: this.#unconverted,
    }
  }

  #row(table: ContinuedField, row: Row): Row {
    const rid = typeof row['_rid'] === 'string' ? row['_rid'] : null
    const made: Row = {}
    const reasons =
      rid === null
        ? []
        : Object.keys(this.#before.missing).flatMap((key) =>
            key.startsWith(`${rid}.`) ? [key.slice(rid.length + 1)] : [],
          )
    for (const code of new Set([...Object.keys(row), ...reasons])) {
      // The row's own state (`_rid` and the like) is no field.
      if (code.startsWith('_')) made[code] = row[code] ?? null
      else this.#item(columnPlan(table, code), { table: table.from.code, rid, code }, table, made, row[code] ?? null)
    }
    return made
  }

  #item(
    plan: FieldPlan | undefined,
    from: ItemPlace,
    table: ContinuedField | null,
    into: Row,
    value: JsonValue = this.#before.values[from.code] ?? null,
  ): void {
    const missing = this.#before.missing[missingKey(from)] ?? null
    const content = { value, missing }
    this.#placed.add(missingKey(from))
    if (isEmptyValue(value) && missing === null) return
    const fate = itemFate(plan, content)
    if (fate.kind === 'retired') {
      const field = plan === undefined || plan.kind === 'new' ? null : plan.from
      this.#retired.push({ ...from, content, why: fate.why, field, tableField: table?.from ?? null })
      for (const row of rowsOf(value) ?? []) this.#reasonsOfRow(from.code, row['_rid'], field)
      return
    }
    const to = { table: table?.to.code ?? null, rid: from.rid, code: fate.code }
    if (!isEmptyValue(fate.content.value)) into[fate.code] = fate.content.value
    if (missing !== null) this.#missing[missingKey(to)] = missing
    if (fate.fate === 'converted' || to.code !== from.code || to.table !== from.table)
      this.#moved.push({ from, to, old: content, now: fate.content })
    else if (!jsonEqual(fate.content.value, value)) this.#moved.push({ from, to, old: content, now: fate.content })
    if (fate.fate === 'kept' && plan !== undefined && isContinued(plan))
      this.#unconverted.push({ ...to, content: fate.content, field: plan.to })
  }

  /** Reasons in a row whose table is retired: they are retired with it. */
  #reasonsOfRow(table: string, rid: JsonValue | undefined, tableField: Field | null): void {
    if (typeof rid !== 'string') return
    for (const [key, missing] of Object.entries(this.#before.missing)) {
      if (!key.startsWith(`${rid}.`)) continue
      this.#placed.add(key)
      const code = key.slice(rid.length + 1)
      const field = tableField?.children.find((child) => child.code === code) ?? null
      this.#retired.push({ table, rid, code, content: { value: null, missing }, why: 'removed', field, tableField })
    }
  }

  #reasonOf(from: ItemPlace, to: ItemPlace): void {
    const missing = this.#before.missing[missingKey(from)]
    if (missing === undefined) return
    this.#placed.add(missingKey(from))
    this.#missing[missingKey(to)] = missing
    const content = { value: null, missing }
    if (to.code !== from.code) this.#moved.push({ from, to, old: content, now: content })
  }
}
