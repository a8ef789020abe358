import * as z from 'zod/mini'
import { queryDeed, queryRaise } from '#core/api/calls/review/query.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'
import { conflictResolution } from '#core/sync/conflict.ts'
import { changeReason, entryChange } from '#core/sync/entryChange.ts'
import type { EntryChange, ItemContent, RowChange } from '#core/sync/entryChange.ts'
import { rowsOf, stateOf } from '#core/sync/merge.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'

import type { DataContext } from '#src/data/rows/context.ts'
import { conflictsOfEntry, openOperations, outboxRows } from '#src/data/rows/local.ts'
import { Names } from '#src/data/rows/names.ts'
import { targetOf } from '#src/data/rows/operations.ts'
import { nameAfter, nameBefore, pagePlans } from './pagePlans.ts'
import { readEntry } from './readEntry.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { DrawnPage, UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import type { EntryView } from '#src/data/shapes/types.ts'

/** What this device did to a patient and has not yet sent, in the words of the server's trail. */

/** Newest first. Without a colleague's work that only that colleague's keys open. */
export async function readUnsentTrail(
  context: DataContext,
  projectId: string,
  patientId: string,
  page?: DrawnPage,
): Reading<readonly UnsentTrailLine[]> {
  return context.storage.run(async () => {
    const names = new Names(context)
    const unsent = await openOperations(context, await outboxRows(context, patientId))
    const lines = await Promise.all(
      unsent.map(async ({ row, op }) => {
        const { at, driftMs } = op.acted
        const target = targetOf(op)
        const userName = await names.author(projectId, row.author)
        const of = {
          ...NOTHING,
          entryId: target === null ? null : op.entityId,
          target,
          versionId: op.crfVersionId,
          userName,
          at,
          driftMs,
          waits: row.state === 'reason',
        }
        return (await stepsOf(context, projectId, op)).map((step, no): UnsentTrailLine => ({
          ...of,
          ...step,
          id: `${op.key}.${no}`,
        }))
      }),
    )
    const newest = lines
      .toReversed()
      .flat()
      .filter(({ entryId }) => page === undefined || entryId === page.entryId)
    const views = await viewsOf(context, projectId, newest)
    const numbers = rowNumbers(views)
    const drawnBy = (id: string | null) => (page === undefined ? views.get(id ?? '')?.versionId : page.versionId)
    return Promise.all(
      newest.map(async (line) => {
        const now = await nameNow(context, projectId, line, drawnBy(line.entryId))
        return {
          ...line,
          ...(now === undefined ? {} : { now }),
          rowNo: numbers.get(`${line.entryId}.${line.rid}`) ?? null,
        }
      }),
    )
  })
}

/**
 * Where the field of a line is on the page as it is drawn now, as the server would say it. A code alone would lead to
 * whatever field has that code by now.
 */
async function nameNow(
  context: DataContext,
  projectId: string,
  line: UnsentTrailLine,
  drawnBy: string | undefined,
): Promise<UnsentTrailLine['now']> {
  const { target, versionId, table, prop } = line
  if (
    target === null ||
    versionId === null ||
    drawnBy === undefined ||
    (table === null && (prop === null || prop.startsWith('_')))
  )
    return undefined
  const plans = await pagePlans(context, projectId, versionId, drawnBy, target)
  return plans === null ? undefined : nameAfter(plans, line)
}

type Step = Partial<UnsentTrailLine> & Pick<UnsentTrailLine, 'action'>

const NOTHING = { table: null, rid: null, rowNo: null, prop: null, from: null, to: null, reason: null } as const

/** The pages on which the lines name places, by entry. */
async function viewsOf(
  context: DataContext,
  projectId: string,
  lines: readonly UnsentTrailLine[],
): Promise<ReadonlyMap<string, EntryView>> {
  const pages = new Map(
    lines.flatMap(({ table, prop, entryId, target }) =>
      (table === null && prop === null) || entryId === null || target === null ? [] : [[entryId, target] as const],
    ),
  )
  const views = await Promise.all(
    [...pages].map(async ([entryId, target]): Promise<readonly (readonly [string, EntryView])[]> => {
      const view = await readEntry(context, projectId, target)
      return view.ok ? [[entryId, view.value]] : []
    }),
  )
  return new Map(views.flat())
}

/** The numbers of rows among those that exist now, by entry and row. */
function rowNumbers(views: ReadonlyMap<string, EntryView>): ReadonlyMap<string, number> {
  return new Map(
    [...views].flatMap(([entryId, { data }]) =>
      Object.values(data.values).flatMap((value) =>
        (rowsOf(value) ?? [])
          .filter((row) => !stateOf(row).deleted)
          .map(({ _rid }, at): [string, number] => [`${entryId}.${typeof _rid === 'string' ? _rid : ''}`, at + 1]),
      ),
    ),
  )
}

/** What operations say of patients, visits and folders: field by field, or only a reason. */
const spoken = z.object({
  fields: z._default(
    z.array(z.object({ field: z.string(), to: z.nullable(z.string()), base: z.nullable(z.string()) })),
    [],
  ),
  reason: z._default(z.nullable(changeReason), null),
})

async function stepsOf(context: DataContext, projectId: string, op: Operation): Promise<readonly Step[]> {
  const change = entryChange.safeParse(op.body)
  if (change.success) return ofEntry(change.data, op.call === 'entry.submit')
  const decision = conflictResolution.safeParse(op.body)
  if (decision.success) {
    const { conflictId, seen: from, to, reason } = decision.data
    const conflict = (await conflictsOfEntry(context, op.entityId)).find(({ id }) => id === conflictId)
    const place = conflict === undefined ? {} : await findConflictPlace(context, projectId, op, conflict)
    return [{ action: 'conflict.resolve', ...place, from, to, reason }]
  }
  const asked = queryRaise.safeParse(op.body)
  if (op.call === 'query.raise' && asked.success) {
    const { table, rid, code } = asked.data.place
    return [{ action: 'query.raise', table, rid, prop: code, to: plain(asked.data.text) }]
  }
  const deed = queryDeed.safeParse(op.body)
  if (op.call === 'query.act' && deed.success) return [{ action: `query.${deed.data.act}`, to: plain(deed.data.text) }]
  const said = spoken.safeParse(op.body)
  const { fields, reason } = said.success ? said.data : { fields: [], reason: null }
  const rid = op.call.startsWith('visit.') ? op.entityId : null
  const action = op.call.startsWith('patient.') ? 'patient.update' : 'visit.update'
  if (fields.length === 0) return [{ action: WORDS[op.call] ?? op.call, rid, reason }]
  return fields.map(({ field, base, to }) => ({ action, rid, prop: field, from: plain(base), to: plain(to), reason }))
}

/**
 * Where a conflict lies, in the words under which it was decided. A release may have moved it since, while its decision
 * is still unsent.
 */
async function findConflictPlace(
  context: DataContext,
  projectId: string,
  op: Operation,
  conflict: ConflictRow,
): Promise<Pick<UnsentTrailLine, 'table' | 'rid' | 'prop' | 'versionId'>> {
  const { table, rid, code: prop, formerVersionId = null } = conflict
  const { crfVersionId } = op
  const target = targetOf(op)
  const view = formerVersionId !== null || target === null ? null : await readEntry(context, projectId, target)
  const stands = view?.ok === true ? (view.value.server?.versionId ?? null) : null
  if (target === null || crfVersionId === null || stands === null)
    return { table, rid, prop, versionId: formerVersionId ?? crfVersionId }
  const plans = await pagePlans(context, projectId, crfVersionId, stands, target)
  const then = plans === null ? null : nameBefore(plans, { table, prop })
  return then === null ? { table, rid, prop, versionId: stands } : { ...then, rid, versionId: crfVersionId }
}

/** The trail's word for a whole operation, where it differs. */
const WORDS: Readonly<Partial<Record<Operation['call'], string>>> = {
  'patient.save': 'patient.enrol',
  'visit.save': 'visit.make',
}

function ofEntry({ items, rows, journal }: EntryChange, submits: boolean): readonly Step[] {
  const typedAt = new Map(journal.map(({ table, rid, code, at }) => [placeText(table, rid, code), at]))
  return [
    ...(submits ? [{ action: 'entry.submit' }] : []),
    ...rows.map((row): Step => ({ action: rowAction(row), table: row.table, rid: row.rid, reason: row.reason })),
    ...items.map(({ table, rid, code, base, to, reason }): Step => {
      const at = typedAt.get(placeText(table, rid, code))
      return {
        action: 'item.update',
        table,
        rid,
        prop: code,
        from: base,
        to,
        reason,
        ...(at === undefined ? {} : { at }),
      }
    }),
  ]
}

function placeText(...parts: readonly (string | null)[]): string {
  return parts.map((part) => part ?? '').join('.')
}

function rowAction({ base, to }: RowChange): string {
  if (base === null) return 'row.insert'
  if (base.deleted === to.deleted) return 'row.move'
  return to.deleted ? 'row.delete' : 'row.restore'
}

function plain(value: string | null): ItemContent {
  return { value, missing: null }
}
