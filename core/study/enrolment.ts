/** What a project asks to be said of a patient before a subject number is spent. */

/** Facts that a project may ask for. */
export const ENROL_FIELDS = ['initials', 'sex', 'enrolledOn', 'birthDate', 'name', 'mobile'] as const
export type EnrolField = (typeof ENROL_FIELDS)[number]

/** What is asked for where a project says nothing. */
export const DEFAULT_ENROL_FIELDS: readonly EnrolField[] = ['initials', 'sex', 'enrolledOn', 'birthDate']

/** Facts that identify a person: nobody is asked for what they may not enter. */
const IDENTIFYING: ReadonlySet<EnrolField> = new Set(['birthDate', 'name', 'mobile'])

interface Said {
  readonly initials: string | null
  readonly sex: string | null
  readonly enrolledOn: string | null
  readonly identity: { readonly birthDate: string | null; readonly name: string | null; readonly mobile: string | null }
}

/**
 * What is still to be said before the enrolment is taken.
 *
 * @param mayIdentify whether who enrols may enter what identifies a person
 */
export function missingAtEnrolment(
  { identity, ...facts }: Said,
  asked: readonly EnrolField[],
  mayIdentify: boolean,
): readonly EnrolField[] {
  const said = { ...facts, ...identity }
  return asked.filter((field) => (mayIdentify || !IDENTIFYING.has(field)) && (said[field] ?? '').trim() === '')
}
