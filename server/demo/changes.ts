import { v5 } from 'uuid'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ChangeReason, EntryChange, EntryTarget, ItemChange, ItemContent } from '#core/sync/entryChange.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import type { EnteredPage, Values } from '#server/demo/course/entered.ts'

/** The entered data of a page, in the form that the server's calls take. */

const DEMO_NAMESPACE = '3f0c7c52-1d0f-5e4b-9a63-6a8f0b7d2c19'

/** The id or key of a part of the demo. */
export function deriveId(name: string): string {
  return v5(name, DEMO_NAMESPACE)
}

interface Step {
  readonly change: EntryChange
  readonly submit: boolean
  /** Who makes it; absent for whoever entered the page. */
  readonly by?: DemoAccount
}

/**
 * The saves of a page, in their order.
 *
 * @param name of the page among all of the demo
 * @param place ids of the subject, the visit and the page
 */
export function changesOf(
  name: string,
  place: Pick<EntryTarget, 'patientId' | 'folderId' | 'folderRepeat' | 'pageId' | 'pass'>,
  entered: EnteredPage,
): readonly Step[] {
  const { values, missing = {}, rows = {}, repeat, submit, corrections } = entered
  const pageRepeat = repeat === 0 ? FIRST_REPEAT : orderById(deriveId(`repeat ${name}`), repeat)
  const target: EntryTarget = { ...place, pageRepeat, parentEntryId: null }
  const first: EntryChange = {
    target,
    items: [
      ...Object.entries(values).map(([code, value]) => item(code, makeContent(value))),
      ...Object.entries(missing).map(([code, reason]) => item(code, { value: null, missing: reason })),
      ...rowsOf(name, rows).flatMap(({ table, rid, cells }) =>
        Object.entries(cells).map(([code, value]) => ({ ...item(code, makeContent(value)), table, rid })),
      ),
    ],
    rows: rowsOf(name, rows).map(({ table, rid, order }) => ({
      table,
      rid,
      to: { deleted: false, order },
      base: null,
      seen: null,
      reason: null,
    })),
    journal: [],
    seen: null,
  }
  const held: Record<string, JsonValue> = { ...values }
  const later = corrections.map((correction): Step => {
    const { by, unseen = false } = correction
    const items = Object.entries(correction.values).map(([code, value]) =>
      item(code, makeContent(value), unseen ? EMPTY_ITEM : makeContent(held[code] ?? null), correction.reason),
    )
    if (!unseen) Object.assign(held, correction.values)
    const change = { target, items, rows: [], journal: [], seen: null }
    return { change, submit: correction.submit, ...(by === undefined ? {} : { by }) }
  })
  return [{ change: first, submit }, ...later]
}

function item(
  code: string,
  to: ItemContent,
  base: ItemContent = EMPTY_ITEM,
  reason: ChangeReason | null = null,
): ItemChange {
  return { table: null, rid: null, code, to, base, isShow: 1, reason }
}

function makeContent(value: JsonValue): ItemContent {
  return { value, missing: null }
}

function rowsOf(name: string, tables: Readonly<Record<string, readonly Values[]>>) {
  return Object.entries(tables).flatMap(([table, rows]) =>
    rows.map((cells, at) => ({ table, rid: deriveId(`row ${name} ${table} ${at}`), order: orderAt(at), cells })),
  )
}

/** The place of a row, which is compared as a text: ten of one digit, and more of two after them. */
function orderAt(at: number): string {
  return at < 10 ? `a${at}` : `b${String(at - 10).padStart(2, '0')}`
}

/** The key of a visit: one of the schedule's own, or one that somebody made. */
export function visitRepeatOf(no: string, folder: string, repeat: number): string {
  return repeat === 0 ? FIRST_REPEAT : orderById(deriveId(`visit ${no} ${folder} ${repeat}`), repeat)
}

/**
 * Repeats are listed by their ids, which a tablet makes in the order of time. The ids of the demo begin with the
 * repeat's number.
 */
function orderById(id: string, repeat: number): string {
  return `${String(repeat).padStart(8, '0')}${id.slice(8)}`
}
