import type { QueryOf } from '#core/api/call.ts'
import type { AuditKind } from '#core/api/calls/sync.ts'
import type { CallOf } from '#core/api/table.ts'

/** Narrows a patient's log; null takes all. Days are days of the reader's calendar, the first and the last included. */
export interface TrailFilter {
  readonly userId: string | null
  readonly kind: AuditKind | null
  readonly pageId: string | null
  readonly from: string | null
  readonly to: string | null
  readonly unexplained: boolean
}

export const EVERYTHING: TrailFilter = {
  userId: null,
  kind: null,
  pageId: null,
  from: null,
  to: null,
  unexplained: false,
}

export type TrailQuery = Omit<QueryOf<CallOf<'audit.list'>>, 'current' | 'size'>

export function queryOf(projectId: string, patientId: string, filter: TrailFilter): TrailQuery {
  const { userId, kind, pageId, from, to, unexplained } = filter
  return {
    projectId,
    patientId,
    ...(userId === null ? {} : { userId }),
    ...(kind === null ? {} : { kind }),
    ...(pageId === null ? {} : { pageId }),
    ...(from === null ? {} : { from: startOf(from, 0) }),
    ...(to === null ? {} : { to: startOf(to, 1) }),
    ...(unexplained ? { unexplained: '1' } : {}),
  }
}

/** The moment at which a day of the reader's calendar begins, or a day that comes so many days later. */
function startOf(day: string, later: number): string {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}
