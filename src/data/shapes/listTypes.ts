import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import type { EntryTodo } from '#core/sync/entryMark.ts'

import type { PageMark, PatientView } from './types.ts'

/** What lists are asked by, and what they return. */

/** What a list of patients is narrowed down to; the same for the device and the server (`patient.list`). */
export interface PatientFilter {
  readonly centerId?: string
  /** Part of a subject number, of the mark of an unnumbered patient, or of the initials. */
  readonly no?: string
  readonly sex?: 'F' | 'M'
  /** First and last day of enrolment. */
  readonly from?: string
  readonly to?: string
  /** Only those whom the user enrolled or who are assigned to them. */
  readonly mine?: 'true'
  /** Only patients with data on this page, or with a row in this table of it. */
  readonly pageId?: string
  readonly table?: string
  /** Only those whom a kept search finds: only the server knows them. */
  readonly searchId?: string
  /**
   * Only patients with something that needs a person, or with something that the server does not have yet: only this
   * device knows it.
   */
  readonly sync?: 'attention' | 'local'
  /** Only those with a page that waits for somebody to go on. */
  readonly todo?: 'any'
  /** 1-based. */
  readonly current?: number
  readonly size?: number
}

/** More than a project has: a list of all its patients. */
export const ALL_PATIENTS = 100_000

export interface PatientList {
  readonly patients: readonly PatientView[]
  readonly total: number
}

export type NamedPatient = Pick<PatientView, 'id' | 'no' | 'mark' | 'initials'>

/** The patients before and after one in the list of the project, and its place there. */
export interface Neighbours {
  readonly previous: NamedPatient | null
  readonly next: NamedPatient | null
  /** 1-based. */
  readonly place: number
  readonly total: number
}

/** Where the first visits of folders stand, by patient and folder. */
export type VisitStates = ReadonlyMap<string, ReadonlyMap<string, VisitStatus>>

/**
 * A list of patients with the marks and visits of the first of them, where this device knows those: what a matrix
 * begins with.
 */
export interface MatrixStart extends PatientList {
  readonly marks: ReadonlyMap<string, readonly PageMark[]>
  readonly states: VisitStates
}

/** The visit of a patient that waits or comes next. */
export interface NextVisit {
  readonly folderId: string
  readonly status: 'overdue' | 'due' | 'planned'
  readonly plannedDate: string
  readonly window: { readonly from: string; readonly to: string } | null
}

/**
 * What a list tells of a patient beyond the patient: how far the pages are, where the visits stand, what comes next.
 */
export interface Glance {
  readonly marks: readonly PageMark[]
  /** The status of the first visit of each folder. */
  readonly states: ReadonlyMap<string, VisitStatus>
  readonly next: NextVisit | null
}

export type Glances = ReadonlyMap<string, Glance>

export type MarkedPatient = Pick<PatientView, 'id' | 'centerId'>

export type EnrolledPatient = Pick<PatientView, 'id' | 'centerId' | 'enrolledOn'>

export interface WorkFilter {
  readonly centerId?: string
  readonly todo: EntryTodo
}

export interface ProjectSearch {
  /** Part of a name; empty for all. */
  readonly name: string
  /** How many list pages, from the first. */
  readonly pages: number
}

export interface ProjectChoice {
  readonly projects: readonly ProjectRow[]
  /** How many there are to choose from. */
  readonly total: number
}
