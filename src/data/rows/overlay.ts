import { patientChange, patientEnrolment } from '#core/api/calls/patient.ts'
import type { ConflictRow, PatientRow } from '#core/api/sync/rows.ts'
import type { JsonValue } from '#core/json.ts'
import { conflictResolution, isAboutFormer } from '#core/sync/conflict.ts'
import type { ConflictResolution } from '#core/sync/conflict.ts'
import type { EntryChange, ItemChange, RowChange } from '#core/sync/entryChange.ts'
import { entryChange } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryMark, EntryStatus } from '#core/sync/entryMark.ts'
import { DELETED, EMPTY_ENTRY, contentAt, mergeEntry, ownContent, rowsOf, stateOf } from '#core/sync/merge.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import type { SyncStage } from '#src/data/shapes/types.ts'

import type { Unsent } from './local.ts'

/** The device's unsent work over the server's rows: a person sees what they entered. */

/**
 * An entry's data with unsent operations applied in their order.
 *
 * @param conflicts those of the entry: a decision names its conflict, and the conflict says where it lies
 */
export function withUnsent(
  server: EntryData | null,
  unsent: readonly Pick<Unsent, 'op'>[],
  conflicts: readonly ConflictRow[] = [],
): EntryData {
  let data = server ?? EMPTY_ENTRY
  for (const { op } of unsent) {
    const change = changeOf(data, op, conflicts)
    if (change !== null) data = applyChange(data, change, op.call === 'conflict.resolve')
  }
  return data
}

type Change = Pick<EntryChange, 'items' | 'rows'>

function changeOf(data: EntryData, op: Operation, conflicts: readonly ConflictRow[]): Change | null {
  if (op.call === 'conflict.resolve') {
    const decision = conflictResolution.safeParse(op.body)
    return decision.success ? readDecision(data, decision.data, conflicts) : null
  }
  const change = op.call === 'entry.delete' ? null : entryChange.safeParse(op.body)
  return change?.success === true ? change.data : null
}

/** A decision as the change that it makes. */
function readDecision(
  data: EntryData,
  { conflictId, seen, to, reason }: ConflictResolution,
  conflicts: readonly ConflictRow[],
): Change | null {
  const conflict = conflicts.find(({ id }) => id === conflictId)
  // The server keeps a decision about a field that the page no longer has beside the page's data.
  if (conflict === undefined || isAboutFormer(conflict)) return null
  const { table, rid, code } = conflict
  if (code !== DELETED) return { items: [{ table, rid, code, base: seen, to, isShow: 1, reason }], rows: [] }
  const row = table === null || rid === null ? undefined : rowOf(data, table, rid)
  if (table === null || rid === null || row === undefined) return null
  const base = stateOf(row)
  return { items: [], rows: [{ table, rid, base, to: { ...base, deleted: to.value === true }, seen: null, reason }] }
}

/** A row of a table, deleted or not. */
export function rowOf(data: EntryData, table: string, rid: string): Readonly<Record<string, JsonValue>> | undefined {
  return rowsOf(data.values[table])?.find((row) => row['_rid'] === rid)
}

/**
 * Applies a change whatever the data hold. On their own screen, people see their own word; the server sees the true
 * bases and finds the conflict.
 *
 * @param decides whether the change decides a conflict
 */
export function applyChange(data: EntryData, change: Pick<EntryChange, 'items' | 'rows'>, decides = false): EntryData {
  const rows = mergeEntry(data, { items: [], rows: change.rows.map((row) => rebasedRow(data, row)) }).data
  return mergeEntry(
    rows,
    { items: change.items.map((item) => rebasedItem(rows, item, decides)), rows: [] },
    { seesRows: true },
  ).data
}

function rebasedItem(data: EntryData, item: ItemChange, decides: boolean): ItemChange {
  const base = contentAt(data, item) ?? item.base
  return { ...item, base, to: ownContent(base, item, decides) }
}

function rebasedRow(data: EntryData, row: RowChange): RowChange {
  const known = rowOf(data, row.table, row.rid)
  if (known === undefined) return { ...row, base: null }
  const [stands, { base, to }] = [stateOf(known), row]
  // A reason for an added row leaves the row as it is; moving a row does not bring it back.
  const own = {
    deleted: base?.deleted === to.deleted ? stands.deleted : to.deleted,
    order: base?.order === to.order ? stands.order : to.order,
  }
  return { ...row, base: stands, to: own, seen: null }
}

const NONE: ReadonlySet<string> = new Set()

/**
 * A page's status with unsent saves and submits. `conflicts` counts those that wait for a decision as the server knows
 * it.
 *
 * @param keeping keys of decisions that leave the value as it is: they change no page
 */
export function statusWith(
  server: Pick<EntryMark, 'status' | 'conflicts'> | null,
  rows: readonly Pick<OutboxRow, 'key' | 'call' | 'state' | 'explains' | 'mark'>[],
  keeping: ReadonlySet<string> = NONE,
): EntryStatus {
  let status: EntryStatus = server?.status ?? 'init'
  let conflicts = server?.conflicts ?? 0
  for (const { call, key, explains, state, mark } of rows) {
    if (keeping.has(key)) conflicts -= 1
    if (call === 'entry.delete' || explains === 1 || keeping.has(key)) continue
    const submits = call === 'entry.submit' && state !== 'rejected'
    // A correction with its reason leaves the page submitted where the page passes the checks and no decision is due;
    // the server comes to the same result.
    const corrects =
      status === SUBMITTED &&
      conflicts <= 0 &&
      call === 'entry.save' &&
      state !== 'reason' &&
      state !== 'rejected' &&
      mark?.sound === true
    status = submits || corrects ? SUBMITTED : 'process'
  }
  return status
}

/** How far the work of these rows is: refused first, then unsent, then being sent. Null without rows. */
export function markOf(rows: readonly Pick<OutboxRow, 'state'>[]): SyncStage | null {
  if (rows.some(({ state }) => state === 'rejected')) return 'attention'
  if (rows.some(({ state }) => state === 'queued' || state === 'retry' || state === 'reason')) return 'local'
  return rows.some(({ state }) => state === 'sending') ? 'sending' : null
}

/** A patient with unsent enrolment, changes and removal. Null without a row and without an enrolment. */
export function patientWith(server: PatientRow | null, unsent: readonly Pick<Unsent, 'op'>[]): PatientRow | null {
  let patient = server
  for (const { op } of unsent) {
    if (op.call === 'patient.save' && patient === null) patient = readEnrolment(op)
    else if (op.call === 'patient.update' && patient !== null) patient = changePatient(patient, op.body)
    else if (op.call === 'patient.remove' && patient !== null) patient = { ...patient, deleted: true }
  }
  return patient
}

function readEnrolment({ author, acted, body }: Operation): PatientRow | null {
  const parsed = patientEnrolment.safeParse(body)
  if (!parsed.success) return null
  const { projectId: _project, ...patient } = parsed.data
  return { ...patient, rev: 0, deleted: false, createdBy: author, createdAt: acted.at, updatedAt: acted.at }
}

function changePatient(patient: PatientRow, body: unknown): PatientRow {
  const parsed = patientChange.safeParse(body)
  if (!parsed.success) return patient
  let next = patient
  for (const { field, to } of parsed.data.fields) {
    if (field === 'initials' || field === 'enrolledOn') next = { ...next, [field]: to }
    else if (field === 'sex') next = { ...next, sex: to === 'F' || to === 'M' ? to : null }
    else if (next.identity !== null) next = { ...next, identity: { ...next.identity, [field]: to } }
  }
  return next
}
