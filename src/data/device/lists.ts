import { ok } from '#core/result.ts'
import { readAhead } from '#src/data/lists/readAhead.ts'
import { readGlances } from '#src/data/lists/readGlances.ts'
import { readEnrolled, readEnrolment } from '#src/data/lists/readEnrolment.ts'
import { readHome } from '#src/data/lists/readHome.ts'
import { readNeighbours } from '#src/data/lists/readNeighbours.ts'
import { readPatients } from '#src/data/lists/readPatients.ts'
import { readVisitStates, readVisitStatesHere, readVisits } from '#src/data/lists/readVisits.ts'
import { readWork } from '#src/data/lists/readWork.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readMarks, readMarksHere } from '#src/data/rows/readMarks.ts'
import type {
  EnrolledPatient,
  Glances,
  MarkedPatient,
  MatrixStart,
  Neighbours,
  PatientFilter,
  PatientList,
  VisitStates,
  WorkFilter,
} from '#src/data/shapes/listTypes.ts'
import type { Enrolled, Enrolment } from '#src/data/shapes/enrolmentTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { HomeProject, PageMark, WorkList } from '#src/data/shapes/types.ts'
import type { VisitFilter, VisitList } from '#src/data/shapes/visitTypes.ts'

/** Lists over many patients. */
export interface ListData {
  home(): Reading<readonly HomeProject[]>
  /** How many patients a project has, and how many are planned. */
  enrolled(projectId: string): Reading<Enrolled>
  /** @param asks whether the server may be asked for its list of patients */
  enrolment(projectId: string, asks: boolean): Reading<Enrolment>
  patients(projectId: string, filter: PatientFilter): Reading<PatientList>
  /** Who stands beside a patient in the list; null where this device does not have the whole list. */
  neighbours(projectId: string, patientId: string): Reading<Neighbours | null>
  /** @param first for this many patients the marks come along */
  matrix(projectId: string, filter: PatientFilter, first: number): Reading<MatrixStart>
  /** How far the pages of some patients are, by patient. */
  marks(projectId: string, patients: readonly MarkedPatient[]): Reading<ReadonlyMap<string, readonly PageMark[]>>
  work(projectId: string, filter: WorkFilter): Reading<WorkList>
  /** Visits of all patients by date, as of today on this device's clock. */
  visits(projectId: string, filter: VisitFilter): Reading<VisitList>
  /** Where the first visits of the folders of some patients stand, by patient and folder. */
  visitStates(projectId: string, patients: readonly EnrolledPatient[]): Reading<VisitStates>
  /** Pages, visits and what comes next of some patients, by patient. */
  glances(projectId: string, patients: readonly EnrolledPatient[]): Reading<Glances>
  /** Reads the patients of kept centers while nobody waits for them. Resolves with the ids of the kept projects. */
  readAhead(): Promise<readonly string[]>
}

export function makeListData(context: DataContext): ListData {
  return {
    home: () => readHome(context),
    enrolled: (projectId) => readEnrolled(context, projectId),
    enrolment: (projectId, asks) => readEnrolment(context, projectId, asks),
    patients: (projectId, filter) => readPatients(context, projectId, filter),
    neighbours: (projectId, patientId) => readNeighbours(context, projectId, patientId),
    matrix: (projectId, filter, first) => readMatrix(context, projectId, filter, first),
    marks: (projectId, patients) => readMarks(context, projectId, patients),
    work: (projectId, filter) => readWork(context, projectId, filter),
    visits: (projectId, filter) => readVisits(context, projectId, filter),
    visitStates: (projectId, patients) => readVisitStates(context, projectId, patients),
    glances: (projectId, patients) => readGlances(context, projectId, patients),
    readAhead: () => readAhead(context),
  }
}

async function readMatrix(
  context: DataContext,
  projectId: string,
  filter: PatientFilter,
  first: number,
): Reading<MatrixStart> {
  const list = await readPatients(context, projectId, filter)
  if (!list.ok) return list
  const begun = list.value.patients.slice(0, first)
  const [marks, states] = await Promise.all([
    readMarksHere(context, projectId, begun),
    readVisitStatesHere(context, projectId, begun),
  ])
  return ok({
    ...list.value,
    marks: marks.ok ? marks.value : new Map(),
    states: states.ok ? states.value : new Map(),
  })
}
