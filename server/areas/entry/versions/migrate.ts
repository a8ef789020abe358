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
import type { AuditDraft } from '#server/database/auditDigest.ts'

import type { PageStep, Step } from './migrationSteps.ts'

/**
 * An entry of one release as one of a later (docs/adr/0028-migration.md): its data, what is kept beside them, and the
 * trail of both.
 */

/** Who brings it there, and with which operation; null where the server does, after a release. */
export interface Mover {
  readonly userId: string
  readonly at: string
  readonly opKey: string | null
}

export interface MovedEntry {
  readonly entry: StoredEntry
  readonly audit: readonly AuditDraft[]
  readonly moved: readonly MovedItem[]
  readonly retired: readonly RetiredItem[]
  readonly unconverted: readonly UnconvertedItem[]
}

/** Code of the reason under which all of it stands in the trail. */
const REASON = 'migration'

/** The entry after all steps. Its version is to be set by whoever writes it. */
export function moveEntry(entry: StoredEntry, place: EntryPlace, steps: readonly PageStep[], by: Mover): MovedEntry {
  let now = entry
  const audit: AuditDraft[] = []
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
    // What stood in a table that is gone was retired with it as a whole, and nothing was where something was emptied.
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
 * What was retired before, and what comes to it. What is kept already under the same address, and is another, keeps its
 * place as well.
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

function at({ table, rid, code }: ItemPlace): Pick<AuditDraft, 'table' | 'rid' | 'prop'> {
  return { table, rid, prop: code }
}

function versionName(no: number): string {
  return `V${String(no)}.0`
}

export function stepName({ fromNo, toNo }: Pick<Step, 'fromNo' | 'toNo'>): string {
  return `${versionName(fromNo)} → ${versionName(toNo)}`
}

/** Where an item was that stands under another code now. */
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
 * A change that was made under the entry's release, by somebody whose device had not seen yet what the entry became
 * there: what it builds on is what stood before. It builds on what that became.
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
    // A word about what stood before is one about what it became.
    return { ...item, base: stands, ...(isWord(item) ? { to: stands } : {}) }
  })
}

/** Where an item of now stood before the first of the steps; null where its field came with one of them. */
export function placeAtFirst(steps: readonly PageStep[], item: ItemPlace): ItemPlace | null {
  return steps.reduceRight<ItemPlace | null>(
    (place, { plan }) => (place === null ? null : placeBefore(plan, place)),
    item,
  )
}

/**
 * Content at a place of now, as if it had been there before the first of the steps; null where nothing was there then.
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

/** What two people want, and of what. */
export interface ConflictNow<Contents> {
  readonly place: ItemPlace
  readonly contents: Contents
  /**
   * Where the field is gone, or what waits cannot stand in it: the last version that had a place for it, in whose words
   * all this is.
   */
  readonly formerVersionId: string | null
}

/**
 * What two people want of an item, or of whether a row is deleted, after all steps, or up to that which took away its
 * field or the place for what waits: a question about a value that the field cannot hold could be answered by nobody.
 * What stood and has no place in the field is beside the data by then, and nothing stands there.
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
    // The same names as before: each step makes one of each.
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
