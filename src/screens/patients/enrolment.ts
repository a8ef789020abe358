import { dateFromTyping } from '#core/values/dates.ts'
import type { EnrolInput } from '#src/data/shapes/types.ts'

/** The values of the enrolment dialog; empty text where nothing was entered. */
export interface EnrolmentValues {
  readonly centerId: string
  readonly initials: string
  readonly sex: '' | 'F' | 'M'
  readonly enrolledOn: string
  readonly name: string
  readonly mobile: string
  readonly birthDate: string
}

/** The enrolment that the dialog's values mean. */
export function enrolmentOf(projectId: string, values: EnrolmentValues): EnrolInput {
  return {
    projectId,
    centerId: values.centerId,
    initials: textOrNull(values.initials),
    sex: values.sex === '' ? null : values.sex,
    enrolledOn: dateFromTyping(values.enrolledOn),
    identity: {
      name: textOrNull(values.name),
      mobile: textOrNull(values.mobile),
      email: null,
      birthDate: dateFromTyping(values.birthDate),
    },
  }
}

function textOrNull(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}
