import type { PatientRow } from '#core/api/sync/rows.ts'

import type { PatientFact } from './types.ts'

/** A fact from a patient's row; null also where the reader may not see it. */
export function factOf(patient: PatientRow, field: PatientFact['field']): string | null {
  switch (field) {
    case 'initials':
    case 'sex':
    case 'enrolledOn':
      return patient[field]
    case 'name':
    case 'mobile':
    case 'email':
    case 'birthDate':
      return patient.identity?.[field] ?? null
  }
}
