import { ok } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Casebook, EntryView, Loadable, PageMark, WorkList } from '#src/data/shapes/types.ts'
import type { MarkedPatient, MatrixStart, PatientFilter, PatientList, WorkFilter } from '#src/data/shapes/listTypes.ts'

import { useKeyOf } from './useKeyOf.ts'
import { useReading } from './useReading.ts'

/** Patients of a project, newest subject numbers last, including those enrolled on this device and not yet sent. */
export function usePatients(projectId: string, filter: PatientFilter = {}): Loadable<PatientList> {
  return useReading(
    ['rows', 'scopes', 'outbox', 'receipts'],
    `patients ${projectId} ${JSON.stringify(filter)}`,
    (device) => device.patients(projectId, filter),
  )
}

/** How many patients match each of some filters; for counting only. */
export function usePatientCounts(projectId: string, filters: readonly PatientFilter[]): Loadable<readonly number[]> {
  return useReading(
    ['rows', 'scopes', 'outbox', 'receipts'],
    `counts ${projectId} ${JSON.stringify(filters)}`,
    async (device) => {
      const counts: number[] = []
      for (const filter of filters) {
        const list = await device.patients(projectId, { ...filter, size: 1 })
        if (!list.ok) return list
        counts.push(list.value.total)
      }
      return ok(counts)
    },
  )
}

/** The same list with the marks of its first patients, so that a matrix is drawn complete at once. */
export function useMatrixStart(projectId: string, filter: PatientFilter, first: number): Loadable<MatrixStart> {
  return useReading(
    ['rows', 'scopes', 'outbox', 'receipts'],
    `matrix ${projectId} ${first} ${JSON.stringify(filter)}`,
    (device) => device.matrix(projectId, filter, first),
  )
}

/** The project that a patient is in; failed with `not_found` for one that the user may not see. */
export function useProjectOf(patientId: string): Loadable<string> {
  return useReading(['scopes'], `project of ${patientId}`, (device) => device.projectOf(patientId))
}

/** A patient's visits and pages, with where each page's data are. */
export function useCasebook(patientId: string, projectId: string): Loadable<Casebook> {
  return useReading(['rows', 'scopes', 'outbox', 'receipts'], `casebook ${projectId} ${patientId}`, (device) =>
    device.casebook(patientId, projectId),
  )
}

/** One page, ready to be filled: its definition, and its data with this device's unsent work over them. */
export function useEntry(projectId: string, target: EntryTarget): Loadable<EntryView> {
  return useReading(
    ['rows', 'scopes', 'outbox', 'receipts'],
    `entry ${projectId} ${JSON.stringify(target)}`,
    (device) => device.entry(projectId, target),
  )
}

/** How far the pages of the patients on the screen are, by patient. */
export function useMarks(
  projectId: string,
  patients: readonly MarkedPatient[],
): Loadable<ReadonlyMap<string, readonly PageMark[]>> {
  const key = useKeyOf(`marks ${projectId}`, patients)
  return useReading(['rows/entry', 'scopes', 'outbox', 'receipts'], key, (device) => device.marks(projectId, patients))
}

/**
 * Pages of a project that wait for somebody to go on.
 *
 * @param isDue whether the screen wants them already
 */
export function useWork(projectId: string, filter: WorkFilter, isDue: boolean): Loadable<WorkList> {
  const key = isDue ? `work ${projectId} ${JSON.stringify(filter)}` : null
  return useReading(['rows/patient', 'rows/entry', 'scopes', 'outbox', 'receipts'], key, (device) =>
    device.work(projectId, filter),
  )
}
