import type { JsonValue } from '#core/json.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ItemChange, ItemContent, JournalStep, RowChange } from '#core/sync/entryChange.ts'
import { isWord } from '#core/sync/merge.ts'
import type { Changes, ItemPlace, WantedItem } from '#core/sync/merge.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'

import { columnPlan, isContinued, itemFate } from './migrateEntry.ts'
import type { FieldPlan, PagePlan } from './migrationPlan.ts'

/** A change that was made under one version, rewritten for the next. */
export interface MigratedChange extends Changes {
  readonly journal: readonly JournalStep[]
  /** Items that have no place in the next version, with the place in which they were entered. */
  readonly retired: readonly ItemChange[]
}

/**
 * A change as it would have been made under the new definition. Each item moves to where its value went and is written
 * as it is written there. Its base is converted too, so that it meets the entry's migrated data as it met the data
 * before.
 */
export function migrateChange(plan: PagePlan, change: Omit<MigratedChange, 'retired'>): MigratedChange {
  const items: WantedItem[] = []
  const retired: ItemChange[] = []
  for (const item of change.items) {
    const fate = itemFate(planAt(plan, item), item.to)
    if (fate.kind === 'retired') retired.push(item)
    else {
      const moved = {
        ...item,
        ...placeAt(plan, item, fate.code),
        to: fate.content,
        base: baseOf(planAt(plan, item), item.base),
      }
      // What was changed stays a change, even where both values are now the same: it must not become a mere remark.
      items.push(isWord(moved) && !isWord(item) ? { ...moved, wanted: true } : moved)
    }
  }
  const rows: RowChange[] = []
  for (const row of change.rows) {
    const table = plan.bySource.get(row.table)
    if (table === undefined || !isContinued(table)) retired.push(rowAsItem(row))
    else rows.push({ ...row, table: table.to.code, seen: row.seen === null ? null : seenNow(table, row.seen) })
  }
  return { items, rows, journal: change.journal.map((step) => ({ ...step, ...nowAt(plan, step) })), retired }
}

/** The new place of an item; its old place, if it has no new one. */
export function nowAt(plan: PagePlan, place: ItemPlace): ItemPlace {
  const { table, rid, code } = place
  const own = planAt(plan, place)
  if (own !== undefined && isContinued(own)) return placeAt(plan, place, own.to.code)
  const rows = table === null ? undefined : plan.bySource.get(table)
  return { table: rows !== undefined && isContinued(rows) ? rows.to.code : table, rid, code }
}

/** Whether a place is on the new page. A row has a place as long as its table has one. */
export function hasPlace(plan: PagePlan, place: ItemPlace): boolean {
  const own = place.code === ROW_STEP && place.table !== null ? plan.bySource.get(place.table) : planAt(plan, place)
  return own !== undefined && isContinued(own)
}

/** The place of an item after several plans; null where its field is gone. */
export function placeAfter(plans: readonly PagePlan[], place: ItemPlace): ItemPlace | null {
  return plans.reduce<ItemPlace | null>(
    (now, plan) => (now === null || !hasPlace(plan, now) ? null : nowAt(plan, now)),
    place,
  )
}

/** Content that somebody saw in an item, as it is written now. Content without a place is empty now. */
export function contentNow(plan: PagePlan, place: ItemPlace, content: ItemContent): ItemContent {
  return baseOf(planAt(plan, place), content)
}

/** The place of an item under the version before; null where its field is new. */
export function placeBefore(plan: PagePlan, { table, rid, code }: ItemPlace): ItemPlace | null {
  const rows = table === null ? null : plan.fields.find((one) => isContinued(one) && one.to.code === table)
  if (rows === undefined || (rows !== null && !isContinued(rows))) return null
  const own = (rows === null ? plan.fields : rows.columns).find((one) => isContinued(one) && one.to.code === code)
  return own === undefined || !isContinued(own)
    ? null
    : { table: rows === null ? null : rows.from.code, rid, code: own.from.code }
}

function planAt(plan: PagePlan, { table, code }: ItemPlace): FieldPlan | undefined {
  return table === null ? plan.bySource.get(code) : columnPlan(plan.bySource.get(table), code)
}

function placeAt(plan: PagePlan, { table, rid }: ItemPlace, code: string): ItemPlace {
  const rows = table === null ? undefined : plan.bySource.get(table)
  return { table: rows !== undefined && isContinued(rows) ? rows.to.code : table, rid, code }
}

function baseOf(plan: FieldPlan | undefined, base: ItemContent): ItemContent {
  const fate = itemFate(plan, base)
  return fate.kind === 'stands' ? fate.content : EMPTY_ITEM
}

/** What a person saw of a row that they deleted, as that row is now. */
function seenNow(table: FieldPlan, seen: NonNullable<RowChange['seen']>): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(seen).flatMap(([code, value]): readonly (readonly [string, JsonValue])[] => {
      const fate = itemFate(columnPlan(table, code), { value, missing: null })
      return fate.kind === 'stands' ? [[fate.code, fate.content.value]] : []
    }),
  )
}

/** A change of a row (added, moved, deleted) as an item, where its table has no place any more. */
function rowAsItem({ table, rid, to, base, reason }: RowChange): ItemChange {
  const content = (state: RowChange['base']): ItemContent =>
    state === null ? EMPTY_ITEM : { value: { deleted: state.deleted, order: state.order }, missing: null }
  return { table, rid, code: ROW_STEP, to: content(to), base: content(base), isShow: 1, reason }
}
