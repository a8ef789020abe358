import type { ApiError } from '#core/api/errors.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import type { Result } from '#core/result.ts'
import type { ChangeReason } from '#core/sync/entryChange.ts'
import { readCasebook } from '#src/data/casebook/readCasebook.ts'
import { readUnsentTrail } from '#src/data/casebook/unsentTrail.ts'
import type { DataContext, SyncNow } from '#src/data/rows/context.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { CasebookPatient, OpenedHere } from '#src/data/shapes/scopeTypes.ts'
import type { DrawnPage, UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import type {
  Casebook,
  EnrolInput,
  Enrolled,
  LocalWrite,
  PatientFacts,
  PatientView,
  PatientWrite,
} from '#src/data/shapes/types.ts'
import type { VisitAct } from '#src/data/shapes/visitTypes.ts'
import { enrol } from '#src/data/writes/enrol.ts'
import type { Opener } from '#src/data/writes/openHere.ts'
import { changePatient, removePatient } from '#src/data/writes/patientWrites.ts'
import { actOnVisit } from '#src/data/writes/visitWrites.ts'
import type { DraftPlaces } from '#src/data/writes/writes.ts'

/** One patient: their casebook, their facts and their visits. */
export interface PatientData {
  casebook(patientId: string, projectId: string): Reading<Casebook>
  /**
   * What was done to a patient at this device and is not sent yet, newest first. With `page`, only that page, with its
   * places in the version that it is drawn by.
   */
  unsentTrail(projectId: string, patientId: string, page?: DrawnPage): Reading<readonly UnsentTrailLine[]>
  /**
   * Brings a patient of a center that is not kept onto this device, so that their data can be entered. Resolves when
   * the patient is here. `vault_locked` where the password has to be given first.
   */
  openHere(projectId: string, patient: CasebookPatient): Promise<Result<OpenedHere, ApiError>>
  enrolPatient(input: EnrolInput): Promise<Result<Enrolled, ApiError>>
  /** Changes facts of a patient against what the person saw; see `changePatient`. */
  changePatient(
    projectId: string,
    seen: PatientView,
    facts: Partial<PatientFacts>,
    reason: ChangeReason | null,
  ): Promise<PatientWrite>
  /** Removes a patient, with a reason. */
  removePatient(projectId: string, patientId: string, reason: ChangeReason): Promise<LocalWrite>
  /** Records what a person says of a visit, makes a visit or takes one back, on this device. Gives the visit's key. */
  actOnVisit(projectId: string, visit: VisitKey, act: VisitAct): Promise<LocalWrite & { readonly visit?: VisitKey }>
}

export function makePatientData(
  context: DataContext,
  places: DraftPlaces,
  opener: Opener,
  syncNow: SyncNow,
): PatientData {
  return {
    casebook: (patientId, projectId) => readCasebook(context, patientId, projectId),
    unsentTrail: (projectId, patientId, page) => readUnsentTrail(context, projectId, patientId, page),
    openHere: (projectId, patient) => opener.open(projectId, patient),
    enrolPatient: (input) => enrol(context, opener, syncNow, input),
    changePatient: (projectId, seen, facts, reason) => changePatient(context, places, projectId, seen, facts, reason),
    removePatient: (projectId, patientId, reason) => removePatient(context, places, projectId, patientId, reason),
    actOnVisit: (projectId, visit, act) => actOnVisit(context, places, projectId, visit, act),
  }
}
