import { useTranslation } from 'react-i18next'

/** What a patient is called on screen: the subject number, or a visible mark that there is none yet. */
export function usePatientLabel(): (patient: { readonly no: string | null; readonly mark: string }) => string {
  const { t } = useTranslation('patients')
  return ({ no, mark }) => no ?? t('unnumbered', { mark })
}
