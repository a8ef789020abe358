import type { JsonValue } from '#core/json.ts'
import { contentNow, hasPlace, migrateChange, nowAt, placeBefore } from '#core/study/migration/migrateChange.ts'
import type { MigratedChange } from '#core/study/migration/migrateChange.ts'
import type { RetiredItem, UnconvertedItem, MovedItem } from '#core/study/migration/migrateEntry.ts'
import { itemFate, migrateEntry } from '#core/study/migration/migrateEntry.ts'
import type { PagePlan } from '#core/study/migration/migrationPlan.ts'
import { wordsOf } from '#core/study/migration/retiredWords.ts'
import type { ItemChange, ItemContent } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { contentAt, DELETED, isWord, missingKey, sameContent } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { RetiredValue } from '#core/sync/retired.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'

import type { PageStep, Step } from './migrationSteps.ts'

/**
 * Migrates an entry of one release to a later one (docs/adr/0028-migration.md): its data, the values beside them, and
 * the audit rows for both.
 */

/** The person and the operation that bring the entry there; null where the server does, after a release. */
export interface Mover {
  readonly userId: string
  readonly at: string
  readonly opKey: string | null
}

export interface MovedEntry {
  readonly entry: StoredEntry
  readonly audit: readonly NewAuditRow[]
  readonly moved: readonly MovedItem[]
  readonly retired: readonly RetiredItem[]
  readonly unconverted: readonly UnconvertedItem[]
}

/** The reason code of all these audit rows. */
const REASON = 'migration'

/** The entry after all steps. The caller sets its version when writing it. */
export function moveEntry(entry: StoredEntry, place: EntryPlace, steps: readonly PageStep[], by: Mover): MovedEntry {
  let now = entry
  const audit: NewAuditRow[] = []
  const [moved, retired, unconverted]: [MovedItem[], RetiredItem[], UnconvertedItem[]] = [[], [], []]
  for (const { step, plan } of steps) {
    const result = migrateEntry(plan, now)
    const why = { reasonCode: REASON, reasonText: stepName(step) }
    audit.push(
      {
        ...place,
        versionId: step.toId,
        action: 'entry.migrate',
        old: versionName(step.fromNo),
        new: versionName(step.toNo),
        ...why,
      },
      ...result.moved.map((item) => ({
        ...place,
        versionId: step.toId,
        action: 'item.migrate',
        ...at(item.to),
        old: { ...item.old },
        new: { ...item.now },
        ...why,
        reasonText: whence(item, why.reasonText),
      })),
      ...result.unconverted.map((item) => ({
        ...place,
        versionId: step.toId,
        action: 'item.unconverted',
        ...at(item),
        old: { ...item.content },
        new: { ...item.content },
        ...why,
      })),
      ...result.retired.map((item) => ({
        ...place,
        versionId: step.toId,
        action: 'item.retire',
        ...at(item),
        old: { ...item.content },
        new: { ...item.content },
        ...why,
      })),
    )
    const { values, missing } = result.data
    const gone = new Set(result.retired.map(missingKey))
    // The values of a removed table were retired with it as a whole. An emptied item had no value.
    const stays = (one: ItemPlace): boolean => hasPlace(plan, one) && !gone.has(missingKey(one))
    const unexplained = now.unexplained.filter(stays).map((one) => ({ ...one, ...nowAt(plan, one) }))
    const confirmed = now.confirmed.filter(stays).map((one) => ({ ...one, ...nowAt(plan, one) }))
    now = { ...now, values, missing, unexplained, confirmed, retired: addRetired(now.retired, result.retired, by) }
    moved.push(...result.moved)
    retired.push(...result.retired)
    unconverted.push(...result.unconverted)
  }
  return { entry: now, audit, moved, retired, unconverted }
}

/**
 * The retired values, with new ones added. A different value that is already kept under the same address keeps its
 * place too.
 */
function addRetired(
  before: StoredEntry['retired'],
  items: readonly RetiredItem[],
  { userId, at: time, opKey }: Mover,
): StoredEntry['retired'] {
  const kept: Record<string, JsonValue> = { ...before }
  for (const { table, rid, code, content, why, field, tableField } of items) {
    const value: RetiredValue = {
      table,
      rid,
      code,
      value: content.value,
      missing: content.missing,
      why,
      label: field?.label ?? code,
      tableLabel: tableField?.label ?? table,
      text: wordsOf(field, content.value),
    }
    const key = missingKey({ table, rid, code })
    let free = key
    for (let nth = 2; kept[free] !== undefined; nth += 1) free = `${key}#${String(nth)}`
    const said = { ...value, by: userId, at: time, opKey }
    kept[free] = Object.fromEntries(
      Object.entries(said).flatMap(([name, part]): readonly (readonly [string, JsonValue])[] =>
        part === undefined ? [] : [[name, part as JsonValue]],
      ),
    )
  }
  return kept
}

function at({ table, rid, code }: ItemPlace): Pick<NewAuditRow, 'table' | 'rid' | 'prop'> {
  return { table, rid, prop: code }
}

function versionName(no: number): string {
  return `V${String(no)}.0`
}

export function stepName({ fromNo, toNo }: Pick<Step, 'fromNo' | 'toNo'>): string {
  return `${versionName(fromNo)} → ${versionName(toNo)}`
}

/** The former code of an item that has another code now. */
function whence({ from, to }: MovedItem, text: string): string {
  const name = ({ table, code }: ItemPlace) => (table === null ? code : `${table}.${code}`)
  return name(from) === name(to) ? text : `${text}: ${name(from)} → ${name(to)}`
}

/** A change that was made under an older release. */
export function moveChange(change: Omit<MigratedChange, 'retired'>, steps: readonly PageStep[]): MigratedChange {
  let now: MigratedChange = { ...change, retired: [] }
  for (const { plan } of steps) {
    const next = migrateChange(plan, now)
    now = { ...next, retired: [...now.retired, ...next.retired] }
  }
  return now
}

/**
 * A change under the entry's release, from a device that had not yet seen the migrated entry. It builds on a value
 * from before the migration. Afterwards it builds on the migrated value.
 */
export function baseAfter(
  items: readonly ItemChange[],
  entry: StoredEntry,
  steps: readonly PageStep[],
): readonly ItemChange[] {
  return items.map((item) => {
    const stands = contentAt(entry, item) ?? EMPTY_ITEM
    if (sameContent(stands, item.base)) return item
    const became = throughSteps(steps, item, item.base)
    if (became === null || !sameContent(became, stands)) return item
    // A word about the former value becomes a word about the migrated one.
    return { ...item, base: stands, ...(isWord(item) ? { to: stands } : {}) }
  })
}

/** The place of a present item before the first of the steps; null where one of the steps added its field. */
export function placeAtFirst(steps: readonly PageStep[], item: ItemPlace): ItemPlace | null {
  return steps.reduceRight<ItemPlace | null>(
    (place, { plan }) => (place === null ? null : placeBefore(plan, place)),
    item,
  )
}

/**
 * Content at a present place, as if it had been there before the first of the steps; null where the place did not
 * exist then.
 */
export function throughSteps(steps: readonly PageStep[], item: ItemPlace, content: ItemContent): ItemContent | null {
  const places: { readonly plan: PagePlan; readonly from: ItemPlace }[] = []
  let place = item
  for (const { plan } of steps.toReversed()) {
    const from = placeBefore(plan, place)
    if (from === null) return null
    places.unshift({ plan, from })
    place = from
  }
  return places.reduce((now, { plan, from }) => contentNow(plan, from, now), content)
}

/** What two people want, and its place. */
export interface ConflictNow<Contents> {
  readonly place: ItemPlace
  readonly contents: Contents
  /**
   * Where the field is gone, or cannot hold the waiting value: the last version that had a place for it. All parts
   * are then in its words.
   */
  readonly formerVersionId: string | null
}

/**
 * What two people want of an item, or of whether a row is deleted, after all steps. It stops before the step that
 * removed the field, or the place for the waiting value: nobody could answer a question about a value that the field
 * cannot hold. A current value without a place in the field is beside the data by then, and the place is empty.
 */
export function conflictAfter<Contents extends { readonly [Name in 'base' | 'server' | 'mine']?: ItemContent }>(
  place: ItemPlace,
  contents: Contents,
  steps: readonly PageStep[],
): ConflictNow<Contents> {
  if (place.code === DELETED)
    return { place: steps.reduce((now, { plan }) => nowAt(plan, now), place), contents, formerVersionId: null }
  let now = place
  let said = contents
  for (const { step, plan } of steps) {
    const own = now.table === null ? plan.bySource.get(now.code) : planOfColumn(plan, now)
    const next: Record<string, ItemContent> = {}
    for (const [name, content] of Object.entries(said)) {
      const fate = itemFate(own, content)
      if (fate.kind === 'stands') next[name] = fate.content
      else if (fate.why === 'removed' || name === 'mine')
        return { place: now, contents: said, formerVersionId: step.fromId }
      else next[name] = EMPTY_ITEM
    }
    // The names stay the same: each step makes one of each.
    said = next as Contents
    now = nowAt(plan, now)
  }
  return { place: now, contents: said, formerVersionId: null }
}

function planOfColumn(plan: PagePlan, { table, code }: ItemPlace) {
  const rows = table === null ? undefined : plan.bySource.get(table)
  return rows !== undefined && 'columns' in rows
    ? rows.columns.find((column) => column.kind !== 'new' && column.from.code === code)
    : undefined
}
