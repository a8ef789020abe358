import * as z from 'zod/mini'
import { conflictResolution } from '#core/sync/conflict.ts'
import { changeReason, entryChange } from '#core/sync/entryChange.ts'
import type { EntryChange, ItemContent, RowChange } from '#core/sync/entryChange.ts'
import { rowsOf, stateOf } from '#core/sync/merge.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'

import type { DataContext } from './rows/context.ts'
import { conflictsOfEntry, opened, outboxRows } from './rows/local.ts'
import { Names } from './rows/names.ts'
import { targetOf } from './rows/operations.ts'
import { readEntry } from './casebook/readEntry.ts'
import type { Reading } from './source.ts'
import type { UnsentTrailLine } from './shapes/trailTypes.ts'
import type { Loadable } from './shapes/types.ts'
import { useReading } from './hooks/useReading.ts'

/** What this device did to a patient and has not yet sent, in the words of the server's trail. */

/** Newest first. */
export function useUnsentTrail(projectId: string, patientId: string): Loadable<readonly UnsentTrailLine[]> {
  return useReading(['outbox'], `unsent trail ${patientId}`, (device) => device.unsentTrail(projectId, patientId))
}

/** Newest first. Of a colleague's work what their own keys alone open is not among it. */
export async function readUnsentTrail(context: DataContext, projectId: string, patientId: string): Reading<readonly UnsentTrailLine[]> {
  return context.storage.run(async () => {
    const names = new Names(context)
    const unsent = await opened(context, await outboxRows(context, patientId))
    const lines = await Promise.all(
      unsent.map(async ({ row, op }) => {
        const { at, driftMs } = op.acted
        const target = targetOf(op)
        const userName = await names.author(projectId, row.author)
        const of = { ...NOTHING, entryId: target === null ? null : op.entityId, target, versionId: op.crfVersionId, userName, at, driftMs, waits: row.state === 'reason' }
        return (await stepsOf(context, op)).map((step, no): UnsentTrailLine => ({ ...of, ...step, id: `${op.key}.${no}` }))
      }),
    )
    const newest = lines.toReversed().flat()
    const numbers = await rowNumbers(context, projectId, newest)
    return newest.map((line) => ({ ...line, rowNo: numbers.get(`${line.entryId}.${line.rid}`) ?? null }))
  })
}

type Step = Partial<UnsentTrailLine> & Pick<UnsentTrailLine, 'action'>

const NOTHING = { table: null, rid: null, rowNo: null, prop: null, from: null, to: null, reason: null } as const

/** Places of rows among those that are there now, by entry and row. */
async function rowNumbers(context: DataContext, projectId: string, lines: readonly UnsentTrailLine[]): Promise<ReadonlyMap<string, number>> {
  const pages = new Map(lines.flatMap(({ table, entryId, target }) => (table === null || entryId === null || target === null ? [] : [[entryId, target] as const])))
  const numbers = await Promise.all(
    [...pages].map(async ([entryId, target]) => {
      const view = await readEntry(context, projectId, target)
      const tables = view.ok ? Object.values(view.value.data.values).map((value) => rowsOf(value) ?? []) : []
      return tables.flatMap((rows) =>
        rows.filter((row) => !stateOf(row).deleted).map(({ _rid }, at): [string, number] => [`${entryId}.${typeof _rid === 'string' ? _rid : ''}`, at + 1]),
      )
    }),
  )
  return new Map(numbers.flat())
}

/** What people say of patients, visits and folders: field by field, or with a reason alone. */
const spoken = z.object({
  fields: z._default(z.array(z.object({ field: z.string(), to: z.nullable(z.string()), base: z.nullable(z.string()) })), []),
  reason: z._default(z.nullable(changeReason), null),
})

async function stepsOf(context: DataContext, op: Operation): Promise<readonly Step[]> {
  const change = entryChange.safeParse(op.body)
  if (change.success) return ofEntry(change.data, op.call === 'entry.submit')
  const decision = conflictResolution.safeParse(op.body)
  if (decision.success) {
    const { conflictId, seen: from, to, reason } = decision.data
    const conflict = (await conflictsOfEntry(context, op.entityId)).find(({ id }) => id === conflictId)
    const place = conflict === undefined ? {} : { table: conflict.table, rid: conflict.rid, prop: conflict.code, versionId: conflict.formerVersionId ?? op.crfVersionId }
    return [{ action: 'conflict.resolve', ...place, from, to, reason }]
  }
  const said = spoken.safeParse(op.body)
  const { fields, reason } = said.success ? said.data : { fields: [], reason: null }
  const rid = op.call.startsWith('visit.') ? op.entityId : null
  const action = op.call.startsWith('patient.') ? 'patient.update' : 'visit.update'
  if (fields.length === 0) return [{ action: WORDS[op.call] ?? op.call, rid, reason }]
  return fields.map(({ field, base, to }) => ({ action, rid, prop: field, from: plain(base), to: plain(to), reason }))
}

/** What the trail calls an operation as a whole, where that is another word. */
const WORDS: Readonly<Partial<Record<Operation['call'], string>>> = { 'patient.save': 'patient.enrol', 'visit.save': 'visit.make' }

function ofEntry({ items, rows, journal }: EntryChange, submits: boolean): readonly Step[] {
  const typedAt = new Map(journal.map(({ table, rid, code, at }) => [placeText(table, rid, code), at]))
  return [
    ...(submits ? [{ action: 'entry.submit' }] : []),
    ...rows.map((row): Step => ({ action: rowAction(row), table: row.table, rid: row.rid, reason: row.reason })),
    ...items.map(({ table, rid, code, base, to, reason }): Step => {
      const at = typedAt.get(placeText(table, rid, code))
      return { action: 'item.update', table, rid, prop: code, from: base, to, reason, ...(at === undefined ? {} : { at }) }
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
