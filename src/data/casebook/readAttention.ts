import type { ConflictRow, EntryRow, InboxRow } from '#core/api/sync/rows.ts'
import { addressKey } from '#core/form/definition/address.ts'
import { rowsOf, stateOf } from '#core/sync/merge.ts'
import { inboxReasons } from '#core/sync/protocol/operation.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import type { ReceiptRow } from '#offline/db/rows.ts'
import { openBounces } from '#src/data/rows/bounced.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { openConflicts } from '#src/data/rows/decisions.ts'
import {
  centersHere,
  localEntry,
  localMembers,
  localPatient,
  localRow,
  openable,
  openOperations,
  outboxRows,
} from '#src/data/rows/local.ts'
import { Names } from '#src/data/rows/names.ts'
import { openReceipt, targetOf } from '#src/data/rows/operations.ts'
import { patientWith } from '#src/data/rows/overlay.ts'
import { overruledChanges } from '#src/data/rows/overruled.ts'
import type { AttentionView } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import { pickTarget } from '#core/sync/entryChange.ts'

/** What needs a person. It is derived from rows, and each line leads to the exact place. */

const PLAIN = { opKey: null, fieldLabel: null, tableRow: null, conflict: null, decision: null, waitsFor: [] } as const

export function readAttention(context: DataContext): Reading<readonly AttentionView[]> {
  return context.storage.run(async () => {
    const names = new Names(context)
    const parts = [rejectedViews, receiptViews, conflictViews, overruledViews, bouncedViews, unexplainedViews]
    const views = (await Promise.all(parts.map((part) => part(context, names)))).flat()
    return views.toSorted((a, b) => (a.at < b.at ? 1 : -1))
  })
}

/** Where an operation of this device was done, in words. */
async function describePlace(context: DataContext, names: Names, row: Parameters<typeof openable>[1]) {
  const { projectId, patientId } = row
  const target = targetOf(await openable(context, row))
  return {
    projectId,
    patientId,
    patientLabel: await names.patient(patientId),
    ...(await names.page(projectId, target)),
    target,
  }
}

async function rejectedViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  const rows = await context.storage.work.outbox.where('state').equals('rejected').sortBy('seq')
  return Promise.all(
    rows.map(async (row): Promise<AttentionView> => {
      return {
        ...PLAIN,
        ...(await describePlace(context, names, row)),
        id: row.key,
        opKey: row.key,
        kind: 'rejected',
        reason: row.error?.code ?? 'internal',
        fieldCode: row.error?.fields?.[0]?.path ?? null,
        at: row.actedAt,
      }
    }),
  )
}

/** Pages whose changes stay on this device until their author gives a reason: one line for each page and author. */
async function unexplainedViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  const rows = await context.storage.work.outbox.where('state').equals('reason').sortBy('seq')
  const groups = [...Map.groupBy(rows, ({ entityId, author }) => `${entityId} ${author}`).values()]
  return Promise.all(
    groups
      .flatMap(([row]) => (row === undefined ? [] : [row]))
      .map(async (row): Promise<AttentionView> => {
        const place = row.unexplained?.[0]
        const mine = row.author === context.user.userId
        return {
          ...PLAIN,
          ...(await describePlace(context, names, row)),
          id: `${row.entityId} ${row.author} reason`,
          kind: 'reason',
          reason: mine ? 'reason_needed' : 'reason_of_colleague',
          fieldCode: place === undefined ? null : place.code === ROW_STEP ? place.table : addressKey(place),
          at: row.actedAt,
          waitsFor: mine ? [] : [await names.author(row.projectId, row.author)].filter((name) => name !== ''),
        }
      }),
  )
}

/**
 * Operations that the server has taken in without applying them and that nobody here has taken note of yet, with their
 * outcome as far as it is known.
 */
export async function waitingReceipts(
  context: DataContext,
): Promise<readonly { readonly row: ReceiptRow; readonly decision: InboxRow | null }[]> {
  const rows = await context.storage.work.receipts.where('outcome').anyOf('inbox', 'held').toArray()
  const all = await Promise.all(rows.map(async (row) => ({ row, decision: await decisionOn(context, row) })))
  const waiting = all.filter(
    ({ row, decision }) =>
      decision?.state !== 'released' && !(decision?.state === 'returned' && row.notedAt !== undefined),
  )
  // A colleague's operation is sealed under that colleague's keys: only the colleague follows it.
  const shown = await Promise.all(
    waiting.map(async ({ row }) => row.author === context.user.userId || (await openReceipt(context, row)) !== null),
  )
  return waiting.filter((_, at) => shown[at])
}

/** The decision about an operation in the inbox; null while this device has not heard of it. */
export async function decisionOn(
  context: DataContext,
  { key, projectId, outcome }: ReceiptRow,
): Promise<InboxRow | null> {
  return outcome === 'inbox' ? localRow(context, projectId, 'inbox', key) : null
}

async function receiptViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  const views = await Promise.all(
    (await waitingReceipts(context)).map(async ({ row, decision }): Promise<AttentionView> => {
      const receipt = await openReceipt(context, row)
      if (receipt === null) return withoutKeys(row)
      const held = receipt.outcome === 'held'
      const returned = decision?.state === 'returned'
      return {
        ...PLAIN,
        ...(await describePlace(context, names, row)),
        id: row.key,
        opKey: row.key,
        kind: held ? 'held' : returned ? 'returned' : 'inbox',
        reason: inboxReasons.find((reason) => reason === receipt.reason) ?? (held ? 'project_stopped' : 'inbox'),
        fieldCode: null,
        at: (returned ? decision.decidedAt : null) ?? row.receivedAt,
        decision: returned ? { byName: decision.decidedByName, at: decision.decidedAt, note: decision.note } : null,
        waitsFor: held || returned ? [] : await dataManagers(context, row.projectId),
      }
    }),
  )
  return views
}

/** What a person sent before they lost a right: the line says where the operation is, not what it contains. */
function withoutKeys({ key, projectId, outcome, receivedAt }: ReceiptRow): AttentionView {
  const held = outcome === 'held'
  const about = { projectId, patientId: null, patientLabel: '', pageName: null, target: null, fieldCode: null }
  return {
    ...PLAIN,
    ...about,
    id: key,
    opKey: key,
    kind: held ? 'held' : 'inbox',
    reason: held ? 'project_stopped' : 'inbox',
    at: receivedAt,
  }
}

/** The names of the people who decide what is in the inbox. */
async function dataManagers(context: DataContext, projectId: string): Promise<readonly string[]> {
  const members = await localMembers(context, projectId)
  return members
    .filter(({ userRole, status }) => userRole === 'DBD' && status === 'active')
    .map(({ realName }) => realName)
}

async function conflictViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  const views: AttentionView[] = []
  for (const center of await centersHere(context)) {
    const { projectId } = center
    for (const conflict of await openConflicts(context, [center])) {
      const entry = await localEntry(context, center.text, conflict.entryId)
      views.push({
        ...PLAIN,
        id: conflict.id,
        projectId,
        kind: 'conflict',
        reason: 'conflict',
        patientId: entry?.patientId ?? null,
        patientLabel: entry === null ? '' : await names.patient(entry.patientId),
        ...(await names.page(projectId, entry)),
        target: entry === null ? null : pickTarget(entry),
        fieldCode: conflict.code,
        ...(entry === null ? {} : await names.field(projectId, entry, conflict)),
        tableRow: entry === null ? null : await tableRowOf(names, projectId, entry, conflict),
        at: conflict.mineAt,
        conflict: { id: conflict.id, entryId: conflict.entryId },
      })
    }
  }
  return views
}

/** The row that a conflict lies in, as the page counts its rows. */
async function tableRowOf(
  names: Names,
  projectId: string,
  entry: EntryRow,
  { table, rid, formerVersionId = null }: ConflictRow,
): Promise<AttentionView['tableRow']> {
  if (table === null || rid === null) return null
  const there = (rowsOf(entry.values[table]) ?? []).filter((row) => !stateOf(row).deleted)
  const at = there.findIndex((row) => row['_rid'] === rid)
  const { fieldLabel, fieldLabelEn } = await names.field(projectId, entry, {
    table: null,
    code: table,
    formerVersionId,
  })
  return { fieldLabel: fieldLabel ?? table, fieldLabelEn, no: at === -1 ? null : at + 1 }
}

/** Facts of patients where another person's change came first and stands. */
async function overruledViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  const rows = await context.storage.work.receipts.where('outcome').equals('conflict').toArray()
  const views: AttentionView[] = []
  for (const patientId of new Set(
    rows.flatMap((row) => (row.call === 'patient.update' && row.notedAt === undefined ? [row.patientId] : [])),
  )) {
    const outbox = await outboxRows(context, patientId)
    const patient = patientWith(
      await localPatient(context, patientId),
      await openOperations(
        context,
        outbox.filter(({ call }) => call.startsWith('patient.')),
      ),
    )
    for (const { opKey, at } of patient === null ? [] : await overruledChanges(context, patient, outbox)) {
      const projectId = rows.find(({ key }) => key === opKey)?.projectId ?? ''
      const patientLabel = await names.patient(patientId)
      views.push({
        ...PLAIN,
        id: opKey,
        projectId,
        opKey,
        kind: 'overruled',
        reason: 'conflict',
        patientId,
        patientLabel,
        pageName: null,
        target: null,
        fieldCode: null,
        at,
      })
    }
  }
  return views
}

async function bouncedViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  return Promise.all(
    (await openBounces(context)).map(async ({ row, entry, answer }): Promise<AttentionView> => ({
      ...PLAIN,
      id: `${row.entityId} submit`,
      projectId: row.projectId,
      kind: 'bounced',
      reason: `submit_${row.why}`,
      patientId: row.patientId,
      patientLabel: await names.patient(row.patientId),
      ...(await names.page(row.projectId, entry)),
      target: pickTarget(entry),
      fieldCode: answer.field,
      at: row.receivedAt,
    })),
  )
}
