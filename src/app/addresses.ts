import { entryId } from '#core/ids.ts'
import type { AttentionView } from '#src/data/types.ts'

/** Addresses that several screens lead to. They carry ids only, never a value. */

/** A patient's casebook. The project stands in the query, because SPEC's path names only the patient. */
export function casebookAddress(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}?p=${projectId}`
}

/** Stands for the first required field that is empty: no field has this name. */
export const MISSING_FIELD = '@missing'

/** One page of a patient, and the field to show first if there is one. */
export function entryAddress(projectId: string, patientId: string, entryId: string, field: string | null = null): string {
  const query = new URLSearchParams({ p: projectId, ...(field === null ? {} : { field }) })
  return `/eCRF/${patientId}/page/${entryId}?${query.toString()}`
}

/** The patients of a project's version. */
export function patientsAddress(projectId: string, versionId: string): string {
  return `/p/${projectId}/v/${versionId}/patients`
}

/** Where a conflict is decided. */
export function conflictAddress(projectId: string, entryId: string, conflictId: string): string {
  return `/conflict/${entryId}/${conflictId}?p=${projectId}`
}

/** The exact place of what needs a person: the conflict, the field if one is meant, else the page, else the patient; null where there is none. */
export function attentionPlace({ projectId, conflict, patientId, target, fieldCode }: AttentionView): string | null {
  if (conflict !== null) return conflictAddress(projectId, conflict.entryId, conflict.id)
  if (target !== null) return entryAddress(projectId, target.patientId, entryId(target), fieldCode)
  return patientId === null ? null : casebookAddress(projectId, patientId)
}
