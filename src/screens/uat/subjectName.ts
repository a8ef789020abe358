import type { TFunction } from 'i18next'

/** What a test subject is called: never like a patient's number. */
export function subjectName(t: TFunction<'uat'>, subject: number): string {
  return t('subjectNo', { no: String(subject).padStart(2, '0') })
}
