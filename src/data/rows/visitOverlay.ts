import { folderConfig, folderRemoval, visitChange, visitRemoval, visitSave } from '#core/api/calls/visit.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { visitOutcomes } from '#core/study/visits/schedule.ts'
import type { Operation, QueueableCall } from '#core/sync/protocol/operation.ts'
import type { VisitRow } from '#core/api/sync/rows.ts'

import type { Unsent } from './local.ts'

/**
 * What people said of visits on this device and the server does not have yet, over the server's rows: a person sees
 * what they said.
 */

/** A visit as this device knows it. */
export type KnownVisit = VisitRow

type Fields = readonly { readonly field: string; readonly to: string | null }[]

const VISIT_CALLS: ReadonlySet<QueueableCall> = new Set([
  'visit.save',
  'visit.update',
  'visit.remove',
  'folder.config',
  'folder.remove',
])

/** Whether a call says something of a visit. */
export function isVisitCall(call: QueueableCall): boolean {
  return VISIT_CALLS.has(call)
}

/** The visits of some patients with unsent operations, in the order in which they were made. */
export function visitsWith(rows: readonly VisitRow[], unsent: readonly Pick<Unsent, 'op'>[]): readonly KnownVisit[] {
  const visits = new Map(rows.map((row) => [row.id, row]))
  for (const { op } of unsent) {
    const said = fieldsOf(op)
    if (said === null) continue
    const before = visits.get(op.entityId) ?? unsaidVisit(op, said)
    visits.set(op.entityId, said.fields.reduce(changeVisit, before))
  }
  return [...visits.values()]
}

interface Said {
  readonly patientId: string
  readonly folderId: string
  readonly folderRepeat: string
  readonly fields: Fields
}

function fieldsOf({ call, body }: Operation): Said | null {
  if (call === 'visit.save' || call === 'visit.update')
    return (call === 'visit.save' ? visitSave : visitChange).safeParse(body).data ?? null
  if (call === 'visit.remove') {
    const said = visitRemoval.safeParse(body).data
    return said === undefined ? null : { ...said, fields: [{ field: 'removed', to: 'true' }] }
  }
  if (call === 'folder.config') {
    const said = folderConfig.safeParse(body).data
    return said === undefined ? null : { ...said, folderRepeat: FIRST_REPEAT }
  }
  if (call !== 'folder.remove') return null
  const said = folderRemoval.safeParse(body).data
  return said === undefined ? null : { ...said, folderRepeat: FIRST_REPEAT, fields: [{ field: 'applies', to: 'no' }] }
}

function unsaidVisit(
  { entityId, centerId, acted }: Operation,
  { patientId, folderId, folderRepeat }: Said,
): KnownVisit {
  const facts = {
    actualDate: null,
    outcome: null,
    outcomeReason: null,
    deviationReason: null,
    removed: false,
    applies: true,
    order: null,
  }
  return {
    id: entityId,
    patientId,
    centerId: centerId ?? '',
    folderId,
    folderRepeat,
    ...facts,
    rev: 0,
    updatedAt: acted.at,
  }
}

function changeVisit(visit: KnownVisit, { field, to }: Fields[number]): KnownVisit {
  switch (field) {
    case 'actualDate':
    case 'outcomeReason':
    case 'deviationReason':
      return { ...visit, [field]: to }
    case 'outcome':
      return { ...visit, outcome: visitOutcomes.find((outcome) => outcome === to) ?? null }
    case 'removed':
      return { ...visit, removed: to !== null }
    case 'applies':
      return { ...visit, applies: to === null }
    case 'order':
      return { ...visit, order: to === null ? null : Number(to) }
    default:
      return visit
  }
}
