/** Addresses that several screens lead to. They carry ids only, never a value. */

/** A patient's casebook. The project stands in the query, because SPEC's path names only the patient. */
export function casebookAddress(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}?p=${projectId}`
}

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
