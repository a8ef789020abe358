import { patientChange, patientEnrolment } from '#core/api/calls.patient.ts'
import type { EntryChange, ItemChange, RowChange } from '#core/sync/entryChange.ts'
import { entryChange } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { EMPTY_ENTRY, contentAt, mergeEntry, rowsOf, stateOf } from '#core/sync/merge.ts'
import type { EntryStatus, PatientRow } from '#core/sync/rows.ts'
import type { Operation } from '#core/sync/operation.ts'
import type { OutboxRow } from '#offline/db/rows.ts'

import type { Unsent } from './local.ts'
import type { SyncMark } from './types.ts'

/** The device's unsent work over the server's rows: what a person entered is what they see. */

/** An entry's data with unsent operations applied in their order. */
export function withUnsent(server: EntryData | null, unsent: readonly Pick<Unsent, 'op'>[]): EntryData {
  let data = server ?? EMPTY_ENTRY
  for (const { op } of unsent) {
    if (op.call === 'entry.delete') continue
    const change = entryChange.safeParse(op.body)
    if (change.success) data = applied(data, change.data)
  }
  return data
}

/**
 * Applies a change whatever the data hold: on the own screen the own word stands, and the server, which sees the true bases, finds
 * the conflict.
 */
export function applied(data: EntryData, change: Pick<EntryChange, 'items' | 'rows'>): EntryData {
  const rows = mergeEntry(data, { items: [], rows: change.rows.map((row) => rebasedRow(data, row)) }, nothingCalculated).data
  return mergeEntry(rows, { items: change.items.map((item) => rebasedItem(rows, item)), rows: [] }, nothingCalculated).data
}

function rebasedItem(data: EntryData, item: ItemChange): ItemChange {
  return { ...item, base: contentAt(data, item) ?? item.base }
}

function rebasedRow(data: EntryData, row: RowChange): RowChange {
  const known = rowsOf(data.values[row.table])?.find((candidate) => candidate['_rid'] === row.rid)
  return known === undefined ? { ...row, base: null } : { ...row, base: stateOf(known), seen: null }
}

function nothingCalculated(): boolean {
  return false
}

/** A page's status with unsent saves and submits. */
export function statusWith(server: EntryStatus, rows: readonly OutboxRow[]): EntryStatus {
  const last = rows.findLast(({ call }) => call !== 'entry.delete')
  if (last === undefined) return server
  return last.call === 'entry.submit' && last.state !== 'rejected' ? 'other' : 'process'
}

/** Where the work of these rows is: refused first, then unsent, then under way. Null when there is none. */
export function markOf(rows: readonly Pick<OutboxRow, 'state'>[]): SyncMark | null {
  if (rows.some(({ state }) => state === 'rejected')) return 'attention'
  if (rows.some(({ state }) => state === 'queued' || state === 'retry')) return 'local'
  return rows.some(({ state }) => state === 'sending') ? 'sending' : null
}

/** A patient with unsent enrolment and changes. Null when there is neither row nor enrolment. */
export function patientWith(server: PatientRow | null, unsent: readonly Pick<Unsent, 'op'>[]): PatientRow | null {
  let patient = server
  for (const { op } of unsent) {
    if (op.call === 'patient.save' && patient === null) patient = enrolled(op)
    else if (op.call === 'patient.update' && patient !== null) patient = changed(patient, op.body)
  }
  return patient
}

function enrolled({ author, acted, body }: Operation): PatientRow | null {
  const parsed = patientEnrolment.safeParse(body)
  if (!parsed.success) return null
  const { projectId: _project, ...patient } = parsed.data
  return { ...patient, rev: 0, deleted: false, createdBy: author, createdAt: acted.at, updatedAt: acted.at }
}

function changed(patient: PatientRow, body: unknown): PatientRow {
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
