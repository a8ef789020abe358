import type { PatientView } from '#src/data/shapes/types.ts'

/** What patients are found by. */
type Sought = Pick<PatientView, 'no' | 'mark' | 'initials'>

/**
 * Patients that fit a text, the likeliest first: two digits mean the end of a number ("42" is 01-042 before 01-142 and
 * 01-421), two letters the initials. Others keep their order.
 */
export function rankPatients<Of extends Sought>(patients: readonly Of[], text: string): readonly Of[] {
  const wanted = text.trim().toLowerCase()
  return patients
    .map((patient) => ({ patient, rank: rankOf(patient, wanted) }))
    .filter(({ rank }) => rank < NO_FIT)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ patient }) => patient)
}

const NO_FIT = 9

function rankOf({ no, mark, initials }: Sought, wanted: string): number {
  const number = (no ?? mark).toLowerCase()
  const letters = (initials ?? '').toLowerCase()
  if (number === wanted) return 0
  const sequence = /\d+$/.exec(number)?.[0]
  if (sequence !== undefined && /^\d+$/.test(wanted) && Number(sequence) === Number(wanted)) return 1
  if (letters === wanted) return 1
  if (letters.startsWith(wanted)) return 2
  if (number.endsWith(wanted)) return 3
  if (number.startsWith(wanted)) return 4
  if (number.includes(wanted)) return 5
  return letters.includes(wanted) ? 6 : NO_FIT
}
