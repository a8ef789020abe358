import type { Casebook } from '#src/data/shapes/types.ts'

/** What the user may do about a patient. */
export interface PatientRights {
  readonly mayEdit: boolean
  readonly mayAssign: boolean
  readonly mayRemove: boolean
}

export function rightsTo({ patient, project }: Casebook): PatientRights {
  const open = project.projectStatus === 'process' && !patient.deleted
  const mayEdit = open && project.permissions.includes('patient_edit')
  return {
    mayEdit,
    // A patient who is not yet at the server cannot be assigned to anybody.
    mayAssign: mayEdit && patient.rev > 0,
    mayRemove: open && project.permissions.includes('patient_remove'),
  }
}
