/** The facts of a patient that a project asks for before a subject number is used up. */

/** Facts that a project may ask for. */
export const ENROL_FIELDS = ['initials', 'sex', 'enrolledOn', 'birthDate', 'name', 'mobile'] as const
export type EnrolField = (typeof ENROL_FIELDS)[number]

/** The facts that are asked for where a project does not choose any. */
export const DEFAULT_ENROL_FIELDS: readonly EnrolField[] = ['initials', 'sex', 'enrolledOn', 'birthDate']

/** Facts that identify a person: a person who may not enter them is not asked for them. */
const IDENTIFYING: ReadonlySet<EnrolField> = new Set(['birthDate', 'name', 'mobile'])

interface Said {
  readonly initials: string | null
  readonly sex: string | null
  readonly enrolledOn: string | null
  readonly identity: { readonly birthDate: string | null; readonly name: string | null; readonly mobile: string | null }
}

/**
 * The facts that are still missing before the enrolment is accepted.
 *
 * @param mayIdentify whether the person who enrols may enter identifying facts
 */
export function missingAtEnrolment(
  { identity, ...facts }: Said,
  asked: readonly EnrolField[],
  mayIdentify: boolean,
): readonly EnrolField[] {
  const said = { ...facts, ...identity }
  return asked.filter((field) => (mayIdentify || !IDENTIFYING.has(field)) && (said[field] ?? '').trim() === '')
}
