import type { PageNames, VisitNames } from '#core/form/definition/inLanguage.ts'
import { ok } from '#core/result.ts'
import type { Loadable, PatientView } from '#src/data/shapes/types.ts'

import { useReading } from './useReading.ts'

/** Patients of a project who fit a search. */
export interface FoundPatients {
  readonly projectId: string
  /** Null where the search was for one project only. */
  readonly projectName: string | null
  readonly patients: readonly PatientView[]
}

/** As many of a project as are put in order by how well they fit. */
const MOST = 200

/**
 * Patients of a project, or of all projects, by a part of their number or their initials: from this device where it
 * keeps them. A project that cannot be read is left out. Without a text nothing is read.
 */
export function useFoundPatients(projectId: string | null, text: string): Loadable<readonly FoundPatients[]> {
  const no = text.trim()
  return useReading(
    ['rows/patient', 'scopes', 'outbox', 'receipts'],
    no === '' ? null : `found ${projectId ?? ''} ${no}`,
    async (device) => {
      const projects = projectId === null ? await device.projects() : ok([{ id: projectId, projectName: null }])
      if (!projects.ok) return projects
      const lists = await Promise.all(
        projects.value.map(async ({ id, projectName }) => {
          const list = await device.patients(id, { no, size: MOST })
          return list.ok ? [{ projectId: id, projectName, patients: list.value.patients }] : []
        }),
      )
      return ok(lists.flat())
    },
  )
}

/** A patient, and one of their pages where it is meant. */
export interface PatientPlace extends Pick<PatientView, 'no' | 'mark' | 'initials'> {
  readonly page: (VisitNames & PageNames) | null
}

interface AskedPlace {
  readonly projectId: string
  readonly patientId: string
  readonly entryId: string | null
}

/** What some patients and their pages are called, by patient; those that cannot be read are left out. */
export function usePlacesOfPatients(asked: readonly AskedPlace[]): Loadable<ReadonlyMap<string, PatientPlace>> {
  return useReading(['scopes'], asked.length === 0 ? null : `places ${JSON.stringify(asked)}`, async (device) => {
    const read = await Promise.all(
      asked.map(async ({ projectId, patientId, entryId }) => {
        const book = await device.casebook(patientId, projectId)
        if (!book.ok) return []
        const { patient, folders } = book.value
        const page = folders.flatMap(({ pages }) => pages).find((one) => one.entryId === entryId) ?? null
        return [[patientId, { no: patient.no, mark: patient.mark, initials: patient.initials, page }] as const]
      }),
    )
    return ok(new Map(read.flat()))
  })
}
