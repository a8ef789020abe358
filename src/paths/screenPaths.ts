import type { ApiError } from '#core/api/errors.ts'
import { entryId } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { AttentionView } from '#src/data/shapes/types.ts'

/** Paths of screens that several others lead to. They carry ids only, never a value. */

/** What a link to the home screen tells it: why a project could not be opened. */
export interface HomeState {
  readonly refused: ApiError
}

/** A patient's casebook. The project is in the query, so that nothing has to be looked up first (ADR 33). */
export function casebookPath(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}?p=${projectId}`
}

/** A patient's visits. */
export function patientVisitsPath(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}/visit?p=${projectId}`
}

/** A page that is about to be added to a visit: it exists once something is entered. */
export function addedPagePath(projectId: string, target: EntryTarget): string {
  const { folderId, folderRepeat, pageId, pageRepeat } = target
  return `${entryPath(projectId, target.patientId, entryId(target))}&add=${[folderId, folderRepeat, pageId, pageRepeat].join('.')}`
}

/** Stands for the first required field that is empty: no field has this name. */
export const MISSING_FIELD = '@missing'

/** One page of a patient, and the field to show first if there is one. */
export function entryPath(projectId: string, patientId: string, entryId: string, field: string | null = null): string {
  const query = new URLSearchParams({ p: projectId, ...(field === null ? {} : { field }) })
  return `/eCRF/${patientId}/page/${entryId}?${query.toString()}`
}

/** Where the two passes of a patient are compared. */
export function diffPath(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}/diff?p=${projectId}`
}

/** How far the two passes of a project's patients agree. */
export function agreementPath(projectId: string): string {
  return `/p/${projectId}/agreement`
}

/** A patient's audit trail. */
export function trailPath(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}/log?p=${projectId}`
}

/** All files of a patient. */
export function filesPath(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}/attach?p=${projectId}`
}

/** Messages to a patient. */
export function messagesPath(projectId: string, patientId: string): string {
  return `/eCRF/${patientId}/message?p=${projectId}`
}

/** A file beside the page that names it. */
export function filePath(projectId: string, patientId: string, fileId: string): string {
  return `/eCRF/${patientId}/canvas/attach/${fileId}?p=${projectId}`
}

/** The patients of a project's version. */
export function patientsPath(projectId: string, versionId: string): string {
  return `/p/${projectId}/v/${versionId}/patients`
}

/** A list of a project's version, narrowed down to the subjects whom a kept search finds. */
export function foundPath(
  list: 'patients' | 'query' | 'workspace',
  projectId: string,
  versionId: string,
  searchId: string,
): string {
  return `/p/${projectId}/v/${versionId}/${list}?search=${searchId}`
}

/** The data of a project's pages. @param searchId only subjects whom this search finds */
export function databasePath(projectId: string, versionId: string, searchId: string | null = null): string {
  return `/p/${projectId}/v/${versionId}/database${searchId === null ? '' : `?search=${searchId}`}`
}

/** Where a conflict is decided. */
export function conflictPath(projectId: string, entryId: string, conflictId: string): string {
  return `/conflict/${entryId}/${conflictId}?p=${projectId}`
}

/**
 * The exact place of what needs a person: the conflict, or the field if one is meant, or the page, or the patient; null
 * where there is none.
 */
export function attentionPlace({ projectId, conflict, patientId, target, fieldCode }: AttentionView): string | null {
  if (conflict !== null) return conflictPath(projectId, conflict.entryId, conflict.id)
  if (target !== null) return entryPath(projectId, target.patientId, entryId(target), fieldCode)
  return patientId === null ? null : casebookPath(projectId, patientId)
}

/** A report on how the study goes. */
export function reportPath(projectId: string, versionId: string, kind: string): string {
  return `/p/${projectId}/v/${versionId}/report?report=${kind}`
}

/** Where testers try out a version in test. */
export function uatPath(projectId: string, versionId: string): string {
  return `/p/${projectId}/v/${versionId}/trial`
}

/** Where a version's forms are designed, or looked at. */
export function designPath(projectId: string, versionId: string): string {
  return `/p/${projectId}/v/${versionId}/design`
}
