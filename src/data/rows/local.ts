import { Dexie } from 'dexie'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import type { Scope } from '#core/sync/protocol/scope.ts'
import type { AnyOperation } from '#core/api/sync/operation.ts'
import type {
  CenterRow,
  ConflictRow,
  EntryRow,
  MemberRow,
  PatientRow,
  ProjectRow,
  RowKind,
  RowOf,
  VersionRow,
} from '#core/api/sync/rows.ts'
import { getMeta } from '#offline/db/meta.ts'
import type { CacheRow, KeptRow, OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import type { OutboxLine } from '#offline/outbox/outboxLines.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import { cacheId, isOwnView, openRows } from '#offline/sync/cache.ts'
import { entriesOfPatient, entryHere } from '#offline/sync/pull/entries.ts'
import { openedHere } from '#offline/sync/pull/opened.ts'
import { asGranted } from '#offline/vault/codec.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

import type { DataContext } from './context.ts'

/** Reading the device's rows in the clear. Nothing here asks the server; all of it may throw a storage error. */

export type CenterScope = Extract<Scope, { kind: 'center' }> & {
  readonly text: string
  /** Patients who are here where only opened patients of the center are; null where the user keeps the whole center. */
  readonly opened: ReadonlySet<string> | null
}

/** An unsent operation with its outbox row. */
export interface Unsent {
  readonly row: OutboxRow
  readonly op: AnyOperation
}

/** An operation that the server has taken in, with its receipt's row. */
export interface TakenOperation {
  readonly row: ReceiptRow
  readonly op: AnyOperation
}

/** Scopes of which anything is here for the user and whose keys are open. */
export async function listKeptScopes(context: DataContext): Promise<readonly string[]> {
  return (await scopesHere(context)).map(({ scope }) => scope)
}

async function scopesHere({ storage, user, ring }: DataContext): Promise<readonly KeptRow[]> {
  const rows = await storage.work.kept.where('userId').equals(user.userId).toArray()
  return rows.filter(({ scope }) => ring().has(scope))
}

/**
 * Centers of which anything is here, in one project or in all: those that the user keeps, and those of which they have
 * opened patients.
 */
export async function centersHere(context: DataContext, projectId?: string): Promise<readonly CenterScope[]> {
  const { cache } = context.storage
  const centers = await Promise.all(
    (await scopesHere(context)).map(async ({ scope: text, light }): Promise<readonly CenterScope[]> => {
      const scope = parseScope(text)
      if (scope?.kind !== 'center' || (projectId !== undefined && scope.projectId !== projectId)) return []
      return [
        {
          ...scope,
          text,
          opened: light === 1 ? await openedHere(cache, context.ring(), text, context.user.userId) : null,
        },
      ]
    }),
  )
  return centers.flat()
}

/** Whether a patient of a center that is here may be read and entered on this device. */
export function isHere({ opened }: CenterScope, patientId: string): boolean {
  return opened === null || opened.has(patientId)
}

/** The center scope in which a patient is read and entered here; null where the patient is not here. */
export function centerOf(
  centers: readonly CenterScope[],
  patient: Pick<PatientRow, 'id' | 'centerId'> | null,
): CenterScope | undefined {
  return patient === null
    ? undefined
    : centers.find((center) => center.centerId === patient.centerId && isHere(center, patient.id))
}

/** How many rows are read and decrypted at once: a center's thousands must not block the main thread. */
const AT_ONCE = 100

export async function localRows<Kind extends RowKind>(
  context: DataContext,
  scope: string,
  kind: Kind,
): Promise<RowOf<Kind>[]> {
  const all: RowOf<Kind>[] = []
  await readInParts(context, scope, kind, async (batch) => {
    all.push(...(await openOwn(context, kind, batch)))
  })
  return all
}

/** Hands over the sealed rows of a kind, some at a time. While they are being opened, the next ones are read. */
async function readInParts(
  context: DataContext,
  scope: string,
  kind: RowKind,
  take: (batch: readonly CacheRow[]) => Promise<void>,
): Promise<void> {
  const { rows } = context.storage.cache
  const readAfter = (after: string | typeof Dexie.minKey): Promise<CacheRow[]> =>
    rows
      .where('[scope+kind+id]')
      .between([scope, kind, after], [scope, kind, Dexie.maxKey], false, true)
      .limit(AT_ONCE)
      .toArray()
  let reading: Promise<CacheRow[]> | null = readAfter(Dexie.minKey)
  while (reading !== null) {
    const batch: CacheRow[] = await reading
    const last = batch.at(-1)
    reading = last === undefined || batch.length < AT_ONCE ? null : readAfter(last.id)
    await take(batch)
  }
}

/** Opens rows as this user pulled them; rows that a colleague pulled are stored beside them. */
function openOwn<Kind extends RowKind>(
  context: DataContext,
  kind: Kind,
  rows: readonly CacheRow[],
): Promise<RowOf<Kind>[]> {
  const ring = context.ring()
  return openRows(
    ring,
    kind,
    rows.filter((row) => isOwnView(ring, context.user.userId, row)),
  )
}

/** One row of a scope; null where it is not on this device. */
export async function localRow<Kind extends Exclude<RowKind, 'entry'>>(
  context: DataContext,
  scope: string,
  kind: Kind,
  id: string,
): Promise<RowOf<Kind> | null> {
  const row = await context.storage.cache.rows.get([
    scope,
    kind,
    cacheId(context.ring(), context.user.userId, scope, kind, id),
  ])
  return row === undefined ? null : ((await openOwn(context, kind, [row]))[0] ?? null)
}

/** The project as the user pulled it; null where it is not kept or has not come yet. */
export function localProject(context: DataContext, projectId: string): Promise<ProjectRow | null> {
  return localRow(context, projectId, 'project', projectId)
}

export function localCenters(context: DataContext, projectId: string): Promise<CenterRow[]> {
  return localRows(context, projectId, 'center')
}

export function localVersions(context: DataContext, projectId: string): Promise<VersionRow[]> {
  return localRows(context, projectId, 'version')
}

export function localMembers(context: DataContext, projectId: string): Promise<MemberRow[]> {
  return localRows(context, projectId, 'member')
}

export function localEntries(context: DataContext, patientId: string): Promise<EntryRow[]> {
  return entriesOfPatient(readerOf(context), patientId)
}

/** One entry of a scope; null where it is not on this device. With the patient given it is found faster. */
export function localEntry(
  context: DataContext,
  scope: string,
  id: string,
  patientId: string | null = null,
): Promise<EntryRow | null> {
  return entryHere(readerOf(context), scope, id, patientId)
}

function readerOf({ storage, ring, user }: DataContext) {
  return { storage, ring: ring(), userId: user.userId }
}

/** Conflicts of a center, decided ones included, for patients who are here. */
export async function localConflicts(
  context: DataContext,
  { text, opened: here }: CenterScope,
): Promise<readonly ConflictRow[]> {
  const rows = await localRows(context, text, 'conflict')
  if (here === null || rows.length === 0) return rows
  const entries = await Promise.all(rows.map(({ entryId }) => localEntry(context, text, entryId)))
  return rows.filter((_, at) => here.has(entries[at]?.patientId ?? ''))
}

/** Conflicts of an entry, decided ones included. */
export async function conflictsOfEntry(context: DataContext, entry: string): Promise<ConflictRow[]> {
  const rows = await context.storage.cache.rows.where('[kind+parent]').equals(['conflict', entry]).toArray()
  return openOwn(context, 'conflict', rows)
}

/** Rows of the outbox with their contents. */
export async function rowsOf(context: DataContext, lines: readonly OutboxLine[]): Promise<readonly OutboxRow[]> {
  if (lines.length === 0) return []
  const rows = await context.storage.work.outbox.bulkGet(lines.map(({ key }) => key))
  return rows.filter((row) => row !== undefined)
}

/** Rows of the outbox that still count: all but those set aside, oldest first. */
export async function outboxRows(context: DataContext, patientId?: string): Promise<readonly OutboxRow[]> {
  const { outbox } = context.storage.work
  const rows = await (patientId === undefined
    ? outbox.toArray()
    : outbox.where('patientId').equals(patientId).toArray())
  return rows.filter(({ state }) => state !== 'aside').toSorted((a, b) => a.seq - b.seq)
}

/** A patient's rows that still count, and the device's write number at which they were read. */
export async function outboxAsOf(
  context: DataContext,
  patientId: string,
): Promise<{ readonly outbox: readonly OutboxRow[]; readonly order: number }> {
  const { work } = context.storage
  return work.transaction('r', work.outbox, work.meta, async () => ({
    outbox: await outboxRows(context, patientId),
    order: (await getMeta(work, 'writes')) ?? 0,
  }))
}

/**
 * Operations that the server has taken in and keeps until the paused project goes on: neither unsent nor in its data,
 * and still what was entered.
 */
export async function readTakenOperations(
  context: DataContext,
  patientId?: string,
): Promise<readonly TakenOperation[]> {
  const { receipts } = context.storage.work
  const all = await receipts.where('outcome').equals('held').toArray()
  const held = all.filter((row) => patientId === undefined || row.patientId === patientId)
  const operations = await Promise.all(held.map(async (row) => ({ row, op: await openable(context, row) })))
  return operations.flatMap(({ row, op }) => (op === null ? [] : [{ row, op }])).toSorted((a, b) => a.op.seq - b.op.seq)
}

/** Operations of rows that the user's keys open. */
export async function openOperations(context: DataContext, rows: readonly OutboxRow[]): Promise<readonly Unsent[]> {
  const all = await Promise.all(rows.map(async (row) => ({ row, op: await openable(context, row) })))
  return all.flatMap(({ row, op }) => (op === null ? [] : [{ row, op }]))
}

/**
 * An operation. Null where the keys are somebody else's, or its bytes are damaged: a damaged one is listed for a person
 * when it is sent. After a right was withdrawn, only the user's own operations are opened.
 */
export async function openable(context: DataContext, row: OutboxRow | ReceiptRow): Promise<AnyOperation | null> {
  const open = (ring: KeyRing): Promise<Result<AnyOperation | null, ApiError>> =>
    attempt(() => openOperation(ring, row))
  const op = await open(context.ring())
  if (!op.ok || op.value === null || op.value.author === context.user.userId) return op.ok ? op.value : null
  const granted = await open(asGranted(context.ring()))
  return granted.ok ? granted.value : null
}

/** A patient's row of a kept scope. */
export async function localPatient(context: DataContext, patientId: string): Promise<PatientRow | null> {
  const { rows: table } = context.storage.cache
  const rows = await table
    .where('[kind+id]')
    .between(['patient', patientId], ['patient', `${patientId}\uffff`])
    .toArray()
  return (await openOwn(context, 'patient', rows))[0] ?? null
}
