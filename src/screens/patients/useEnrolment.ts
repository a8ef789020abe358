import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import { DEFAULT_ENROL_FIELDS } from '#core/study/enrolment.ts'
import type { EnrolField } from '#core/study/enrolment.ts'
import { wrongMobile } from '#core/study/mobile.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { dayOf } from '#src/ui/words/format.ts'
import { wrongDay } from '#src/ui/words/personChecks.ts'
import { useForm } from '#src/ui/useForm.ts'

import { enrolmentOf } from './enrolment.ts'
import type { EnrolmentValues } from './enrolment.ts'

interface Enrolled {
  readonly patientId: string
  readonly label: string
}

/** An enrolment in progress: its form, the last check, and the result. */
export type Enrolment = ReturnType<typeof useEnrolment>

/**
 * Enrols a patient in two steps. A subject number cannot be given back, so the user checks the typed facts once more
 * before.
 */
export function useEnrolment(project: ProjectRow, centers: readonly CenterRow[]) {
  const { t } = useTranslation('patients')
  const { enrolPatient } = useDataActions()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  /** The complete values, while the user checks them before a number is spent. */
  const [look, setLook] = useState<EnrolmentValues | null>(null)
  const asked = project.config.enrolFields ?? DEFAULT_ENROL_FIELDS
  const mayIdentify = project.permissions.includes('patient_sensitive')
  const form = useEnrolmentForm({ centers, asked, mayIdentify })

  const enrol = async (values: EnrolmentValues) => {
    setBusy(true)
    setError(null)
    const result = await enrolPatient(enrolmentOf(project.id, values))
    setBusy(false)
    if (!result.ok) return setError(result.error)
    const { patientId, no } = result.value
    return setEnrolled({ patientId, label: no ?? t('unnumberedYet') })
  }
  return { project, centers, asked, mayIdentify, form, look, setLook, enrol, busy, error, enrolled }
}

interface FormNeeds {
  readonly centers: readonly CenterRow[]
  /** The fields that the project requires. */
  readonly asked: readonly EnrolField[]
  /** Whether the user sees identifying data, and is therefore asked for them. */
  readonly mayIdentify: boolean
}

function useEnrolmentForm({ centers, asked, mayIdentify }: FormNeeds) {
  const { t } = useTranslation('patients')
  const [today] = useState(() => dayOf(new Date()))
  const checkNeeded = (field: EnrolField, value: string): string | null =>
    asked.includes(field) && value.trim() === '' ? t('enrol.required') : null
  const dayText = (value: string) => {
    const wrong = wrongDay(value, today)
    return wrong === null ? null : t(`enrol.${wrong}`)
  }
  const mobileText = (value: string) => {
    const wrong = wrongMobile(value)
    return wrong === null ? null : t(`enrol.${wrong}`)
  }
  return useForm<EnrolmentValues>({
    validateInputOnBlur: true,
    initialValues: {
      centerId: centers[0]?.id ?? '',
      initials: '',
      sex: '',
      enrolledOn: today,
      name: '',
      mobile: '',
      birthDate: '',
    },
    validate: {
      centerId: (value) => (value === '' ? t('enrol.required') : null),
      initials: (value) => checkNeeded('initials', value),
      sex: (value) => checkNeeded('sex', value),
      enrolledOn: (value) => checkNeeded('enrolledOn', value) ?? dayText(value),
      name: (value) => (mayIdentify ? checkNeeded('name', value) : null),
      birthDate: (value) => (mayIdentify ? checkNeeded('birthDate', value) : null) ?? dayText(value),
      mobile: (value) => (mayIdentify ? checkNeeded('mobile', value) : null) ?? mobileText(value),
    },
  })
}
