import type { Loadable } from '#src/data/shapes/types.ts'
import type { PatientFiles, ProjectImages } from '#src/data/shapes/fileTypes.ts'
import { useReading } from './useReading.ts'

/** All files of a patient, with the page and the field that name each. */
export function usePatientFiles(projectId: string, patientId: string): Loadable<PatientFiles> {
  return useReading(['rows', 'scopes', 'outbox', 'files', 'receipts'], `files ${projectId} ${patientId}`, (device) =>
    device.patientFiles(projectId, patientId),
  )
}

/**
 * One list page of a project's images, the latest first. Only the server knows them all.
 *
 * @param current from 1
 */
export function useProjectImages(projectId: string, current: number): Loadable<ProjectImages> {
  return useReading([], `images ${projectId} ${current}`, (device) => device.projectImages(projectId, current))
}
