import type { ApiError } from '#core/api/errors.ts'
import { isEntryChange } from '#core/api/sync/operation.ts'
import type { AnyOperation } from '#core/api/sync/operation.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryChange, ItemContent } from '#core/sync/entryChange.ts'
import { contentAt, deletion, sameContent, stateOf } from '#core/sync/merge.ts'
import { isExplanation, isRowExplanation, reasonKey } from '#core/sync/reasons.ts'
import type { GivenReason, ReasonPlace } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import type { PlannedOperation } from '#offline/outbox/plannedOperation.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { localMembers } from '#src/data/rows/local.ts'
import { rowOf } from '#src/data/rows/overlay.ts'
import type { EntrySave, EntryView, ExplainedChange, UnexplainedChange } from '#src/data/shapes/types.ts'

import type { SavedPage } from './savedPages.ts'

/**
 * Changes of a page that was submitted before and that still need a reason: on this device, or listed by the server.
 */

type Change = Pick<EntryChange, 'items' | 'rows'>

/** @throws a storage error */
export async function unexplainedOf(
  context: DataContext,
  projectId: string,
  { server, own, unsent }: SavedPage,
): Promise<readonly UnexplainedChange[]> {
  const waiting = own.filter(({ state }) => state === 'reason')
  const listed = server?.unexplained ?? []
  if (waiting.length + listed.length === 0) return []
  const members = new Map((await localMembers(context, projectId)).map((member) => [member.userId, member.realName]))
  const { userId, realName } = context.user
  // Each author explains only their own change: a colleague on this device explains what they did to the same place.
  const found = new Map<string, UnexplainedChange>()
  for (const row of waiting) {
    const change = changeOf(unsent.find(({ row: { key } }) => key === row.key)?.op)
    const by = {
      mine: row.author === userId,
      byName: row.author === userId ? realName : (members.get(row.author) ?? ''),
      at: row.actedAt,
      where: 'device' as const,
    }
    for (const place of row.unexplained ?? []) {
      const one = { ...place, ...findChange(change, place), ...by }
      const key = `${row.author} ${reasonKey(place)}`
      const before = found.get(key)
      // Two saves of one item that could not be joined count as one change: from the value before the first to the
      // value of the last.
      found.set(key, before === undefined ? one : { ...one, from: before.from })
    }
  }
  const said = new Set(unsent.flatMap(({ op }) => explainedBy(changeOf(op))))
  const waits = new Set([...found.values()].map(reasonKey))
  const told = listed.filter((place) => !said.has(reasonKey(place)) && !waits.has(reasonKey(place)))
  return [...found.values(), ...told.map((place) => ofServer(place, server))]
}

/** The entry change that an operation makes; null for any other operation. */
function changeOf(op: AnyOperation | undefined): Change | null {
  return op !== undefined && isEntryChange(op) ? op.body : null
}

function findChange(change: Change | null, place: ReasonPlace): Pick<UnexplainedChange, 'from' | 'to' | 'row'> {
  const nothing = { from: null, to: null }
  if (place.code === ROW_STEP) {
    const row = change?.rows.find(({ table, rid }) => table === place.table && rid === place.rid)
    return {
      ...nothing,
      row: row === undefined || row.base === null ? 'added' : row.to.deleted ? 'deleted' : 'restored',
    }
  }
  const item = change?.items.find((one) => reasonKey(one) === reasonKey(place))
  return item === undefined ? { ...nothing, row: null } : { from: item.base, to: item.to, row: null }
}

/** Places for which an unsent operation gives a reason without changing them. */
function explainedBy(change: Change | null): readonly string[] {
  if (change === null) return []
  return [
    ...change.items.filter(isExplanation).map(reasonKey),
    ...change.rows.filter(isRowExplanation).map(({ table, rid }) => reasonKey({ table, rid, code: ROW_STEP })),
  ]
}

function ofServer(
  { table, rid, code, byName, at }: NonNullable<EntryRow['unexplained']>[number],
  server: EntryRow | null,
): UnexplainedChange {
  const place = { table, rid, code, byName, at, mine: true, where: 'server' as const, from: null }
  if (code !== ROW_STEP)
    return { ...place, to: server === null ? null : contentAt(server, { table, rid, code }), row: null }
  const row = server === null || table === null || rid === null ? undefined : rowOf(server, table, rid)
  return { ...place, to: null, row: row !== undefined && stateOf(row).deleted ? 'deleted' : 'added' }
}

/**
 * Gives reasons for changes that the server lists of a page. The data of the page stay as they are. Durable when it
 * resolves.
 *
 * @param given by place (`reasonKey`); a change that was shown otherwise than the server has it is left out
 */
export async function explainListed(
  context: DataContext,
  view: EntryView,
  given: ReadonlyMap<string, GivenReason>,
  draftOf: (save: EntrySave) => Promise<Result<PlannedOperation, ApiError>>,
): Promise<Result<unknown, ApiError>> {
  const author = context.author()
  const change = explanation(view, given)
  if (change === null) return ok(true)
  if (author === null) return err({ code: 'vault_locked' })
  const draft = await draftOf(saveOf(view, change))
  return draft.ok ? enqueue(context.storage, author, draft.value) : draft
}

/** A save of the page that brings only reasons. */
function saveOf({ target, versionId, server }: EntryView, change: Change): EntrySave {
  return {
    target,
    versionId,
    ...change,
    journal: [],
    seen: null,
    progress: server?.progress ?? null,
    submittedOnce: true,
  }
}

/**
 * A change without values that gives reasons for what the server lists; null where the server lists nothing of what was
 * given.
 */
function explanation({ unexplained, server }: EntryView, given: ReadonlyMap<string, GivenReason>): Change | null {
  const listed = unexplained.flatMap((change) => {
    const [one, stands] = [given.get(reasonKey(change)), shownOf(change)]
    return change.where === 'server' && one !== undefined && stands !== null && sameContent(stands, one.shown)
      ? [{ ...change, ...one }]
      : []
  })
  // Only changes that were shown: what this device has entered there since has a reason of its own.
  const items = listed.flatMap(({ table, rid, code, shown, reason }): Change['items'] =>
    code === ROW_STEP ? [] : [{ table, rid, code, to: shown, base: shown, isShow: 1, reason }],
  )
  const rows = listed.flatMap(({ table, rid, code, reason }): Change['rows'] => {
    const row = server === null || table === null || rid === null ? undefined : rowOf(server, table, rid)
    if (table === null || rid === null || row === undefined || code !== ROW_STEP) return []
    return [{ table, rid, to: stateOf(row), base: stateOf(row), seen: null, reason }]
  })
  return items.length + rows.length === 0 ? null : { items, rows }
}

/** What a person sees of a change that they explain; null where nothing of the change can be shown. */
function shownOf({ to, row }: Pick<UnexplainedChange, 'to' | 'row'>): ItemContent | null {
  return row === null ? to : deletion(row === 'deleted')
}

/** The given reasons, by place. */
export function givenOf(explained: readonly ExplainedChange[]): ReadonlyMap<string, GivenReason> {
  return new Map(
    explained.flatMap(({ change, reason }): readonly (readonly [string, GivenReason])[] => {
      const shown = shownOf(change)
      return shown === null ? [] : [[reasonKey(change), { reason, shown }]]
    }),
  )
}
