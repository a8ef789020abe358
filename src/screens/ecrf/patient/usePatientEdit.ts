import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { wrongMobile } from '#core/study/mobile.ts'
import { dateFromTyping } from '#core/values/dates.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { factOf } from '#src/data/shapes/patientFacts.ts'
import { today } from '#src/data/shapes/today.ts'
import type { PatientFact, PatientFacts, PatientView } from '#src/data/shapes/types.ts'
import { useForm } from '#src/ui/useForm.ts'
import { wrongDay } from '#src/ui/words/personChecks.ts'

const FACTS = ['initials', 'sex', 'enrolledOn', 'name', 'mobile', 'email', 'birthDate'] as const
type Values = Readonly<Record<(typeof FACTS)[number] | 'reason', string>>

/** A change of patient facts: the form, and the result of the save. */
export type PatientEdit = ReturnType<typeof usePatientEdit>

/** Changes a patient's facts. The base stays what the user saw at the beginning, whatever arrives meanwhile. */
export function usePatientEdit(projectId: string, patient: PatientView, onDone: () => void) {
  const { changePatient } = useDataActions()
  const [seen] = useState(patient)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  /** Facts that somebody else had changed before, and whose values stand. */
  const [overruled, setOverruled] = useState<readonly PatientFact[]>([])
  const form = useFactsForm(seen)
  const save = async (values: Values) => {
    setBusy(true)
    const reason = values.reason.trim() === '' ? null : ({ code: 'other', text: values.reason.trim() } as const)
    const done = await changePatient(projectId, seen, factsOf(values, seen), reason)
    setBusy(false)
    if (!done.ok) return setError(done.error)
    if (done.overruled !== undefined) return setOverruled(done.overruled)
    return onDone()
  }
  return { form, identifies: seen.identity !== null, save, busy, error, overruled }
}

function useFactsForm(seen: PatientView) {
  const { t } = useTranslation('patients')
  const dayText = (value: string) => {
    const wrong = wrongDay(value, today())
    return wrong === null ? null : t(`enrol.${wrong}`)
  }
  return useForm<Values>({
    validateInputOnBlur: true,
    initialValues: valuesOf(seen),
    validate: {
      enrolledOn: dayText,
      birthDate: dayText,
      mobile: (value) => {
        const wrong = value === (factOf(seen, 'mobile') ?? '') ? null : wrongMobile(value)
        return wrong === null ? null : t(`enrol.${wrong}`)
      },
    },
  })
}

function valuesOf(patient: PatientView): Values {
  const text = (field: PatientFact['field']) => factOf(patient, field) ?? ''
  return {
    initials: text('initials'),
    sex: text('sex'),
    enrolledOn: text('enrolledOn'),
    name: text('name'),
    mobile: text('mobile'),
    email: text('email'),
    birthDate: text('birthDate'),
    reason: '',
  }
}

/** The facts that the values mean. Leaves out identifying facts that the user cannot see. */
function factsOf(values: Values, seen: PatientView): Partial<PatientFacts> {
  const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim())
  const day = (field: 'enrolledOn' | 'birthDate') => {
    // An older date that would not pass today's checks stays as it is until somebody types another.
    const before = factOf(seen, field)
    return values[field] === (before ?? '') ? before : dateFromTyping(values[field])
  }
  const open = { initials: textOrNull(values.initials), sex: textOrNull(values.sex), enrolledOn: day('enrolledOn') }
  if (seen.identity === null) return open
  return {
    ...open,
    name: textOrNull(values.name),
    mobile: textOrNull(values.mobile),
    email: textOrNull(values.email),
    birthDate: day('birthDate'),
  }
}
