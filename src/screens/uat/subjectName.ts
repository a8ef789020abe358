import type { TFunction } from 'i18next'

/** The name of a test subject; it never looks like a subject number. */
export function subjectName(t: TFunction<'uat'>, subject: number): string {
  return t('subjectNo', { no: String(subject).padStart(2, '0') })
}
