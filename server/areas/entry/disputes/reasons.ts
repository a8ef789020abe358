import { fail } from '#core/api/errors.ts'
import type { ItemChange, RowChange } from '#core/sync/entryChange.ts'
import { contentAt, rowsOf, sameContent, stateOf } from '#core/sync/merge.ts'
import type { Changes, Merged } from '#core/sync/merge.ts'
import { isExplanation, isRowExplanation, placesWithoutReason, reasonKey } from '#core/sync/reasons.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import type { UnexplainedPlace } from '#core/api/sync/rows.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { pathOf } from '#server/areas/entry/structure.ts'
import type { AnyAct } from '#server/operations/act.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'

/**
 * Reasons for change on the server: who must give one, and which changes are listed until somebody gives one
 * (docs/adr/0022-reasons-for-change.md).
 */

type Booked = Pick<AnyAct, 'author' | 'acted'> & { readonly call?: AnyAct['call'] }
type Fact = Pick<StoredEntry, 'submittedOnce' | 'unexplained' | 'values' | 'missing'>

/** The places of a merged change that need a reason and have none. */
export function unexplainedIn(
  entry: Pick<StoredEntry, 'submittedOnce'>,
  merged: Pick<Merged, 'items' | 'rows'>,
): readonly ReasonPlace[] {
  if (!entry.submittedOnce) return []
  return placesWithoutReason({
    items: merged.items.map(({ change, from, to }) => ({ ...change, base: from, to })),
    rows: merged.rows.map(({ change, from, to }) => ({ ...change, base: from, to })),
  })
}

/**
 * Whether an act is refused because reasons are missing. This is so for a call of its own: its caller still has the
 * values and can give the reasons. Operations of a tablet are taken in, whatever they lack.
 */
export function isRefusedWithoutReason(
  act: Pick<AnyAct, 'deviceSeq' | 'admission'>,
  entry: Pick<StoredEntry, 'submittedOnce'>,
  merged: Pick<Merged, 'items' | 'rows'>,
): boolean {
  return act.deviceSeq === null && act.admission === 'usual' && unexplainedIn(entry, merged).length > 0
}

/**
 * @throws ApiFailure invalid for each place, where `isRefusedWithoutReason`
 */
export function requireReasons(
  act: Pick<AnyAct, 'deviceSeq' | 'admission'>,
  entry: Pick<StoredEntry, 'submittedOnce'>,
  merged: Pick<Merged, 'items' | 'rows'>,
): void {
  if (!isRefusedWithoutReason(act, entry, merged)) return
  throw fail('invalid', {
    fields: unexplainedIn(entry, merged).map((place) => ({ path: pathOf(place), code: 'reason_required' })),
  })
}

/** What an act does to the list of changes without a reason. */
export interface BookedReasons {
  readonly unexplained: readonly UnexplainedPlace[]
  /** Keys (`reasonKey`) of the changes that this act makes without a reason. */
  readonly missing: ReadonlySet<string>
  /** Audit rows of reasons for values that stay as they are, whether or not a reason was missing. */
  readonly audit: readonly NewAuditRow[]
}

/**
 * Lists changes that came without a reason. Takes off the list what now has one, given with a later change or
 * afterwards. A reason belongs to the value that it came with. Where that value waits for a decision, or is no longer
 * the current one, the reason explains nothing of the current value.
 */
export function bookReasons(
  { call, author, acted }: Booked,
  place: EntryPlace,
  entry: Fact,
  placed: Changes,
  merged: Pick<Merged, 'items' | 'rows'>,
): BookedReasons {
  const listed = new Set(entry.unexplained.map(reasonKey))
  const missing = unexplainedIn(entry, merged)
  const keys = new Set(missing.map(reasonKey))
  const changed = new Set([
    ...merged.items.filter(hasReason).map(reasonKey),
    ...merged.rows.filter((row) => hasReason(row) && row.from?.deleted !== row.to.deleted).map(rowKey),
  ])
  // The reason for a decision is in the trail with that decision.
  const isTold = (key: string): boolean => changed.has(key) || (call === 'conflict.resolve' && !listed.has(key))
  const isSaid = (key: string, reason: ItemChange['reason']): boolean => reason !== null && !isTold(key)
  const items = placed.items
    .filter((item) => isSaid(reasonKey(item), item.reason))
    .map((item) => ({ item, stands: standsAs(entry, item) }))
  const rows = placed.rows
    .filter((row) => isSaid(rowKey(row), row.reason) && !isMove(row))
    .map((row) => ({ row, stands: presenceOf(entry, row) === row.to.deleted }))
  const given = new Set([
    ...changed,
    ...items.flatMap(({ item, stands }) => (stands ? [reasonKey(item)] : [])),
    ...rows.flatMap(({ row, stands }) => (stands ? [rowKey(row)] : [])),
  ])
  const by = { by: author.userId, byName: author.realName, at: acted.at }
  return {
    unexplained: [
      ...entry.unexplained.filter((one) => !given.has(reasonKey(one)) && !keys.has(reasonKey(one))),
      ...missing.map(({ table, rid, code }) => ({ table, rid, code, ...by })),
    ],
    missing: keys,
    audit: [
      // A reason for a value that is no longer there is kept as well, with that value.
      ...items
        .filter(({ item, stands }) => stands || isExplanation(item))
        .map(({ item: { table, rid, code, to, reason } }): NewAuditRow => {
          return {
            ...place,
            action: 'item.explain',
            table,
            rid,
            prop: code,
            old: to,
            new: to,
            reasonCode: reason?.code ?? null,
            reasonText: reason?.text ?? null,
          }
        }),
      ...rows
        .filter(({ row, stands }) => stands || isRowExplanation(row))
        .map(({ row: { table, rid, to, reason } }): NewAuditRow => {
          return {
            ...place,
            action: 'row.explain',
            table,
            rid,
            old: to,
            new: to,
            reasonCode: reason?.code ?? null,
            reasonText: reason?.text ?? null,
          }
        }),
    ],
  }
}

function hasReason({ change }: { readonly change: Pick<ItemChange, 'reason'> }): boolean {
  return change.reason !== null
}

function standsAs(entry: Fact, item: ItemChange): boolean {
  const stands = contentAt(entry, item)
  return stands !== null && sameContent(stands, item.to)
}

/** Whether a row is only moved. */
function isMove({ base, to }: RowChange): boolean {
  return base !== null && base.deleted === to.deleted && base.order !== to.order
}

/** Whether a row is deleted now; null where the row does not exist. */
function presenceOf({ values }: Fact, { table, rid }: RowChange): boolean | null {
  const row = rowsOf(values[table])?.find((candidate) => candidate['_rid'] === rid)
  return row === undefined ? null : stateOf(row).deleted
}

function rowKey({ table, rid }: { readonly table: string; readonly rid: string }): string {
  return reasonKey({ table, rid, code: ROW_STEP })
}
