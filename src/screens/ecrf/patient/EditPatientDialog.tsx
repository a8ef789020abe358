import { Button, Group, Input, Modal, SegmentedControl, Stack, TextInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { dateFromTyping } from '#core/values/dates.ts'
import { wrongMobile } from '#core/study/mobile.ts'
import { factOf } from '#src/data/shapes/patientFacts.ts'
import { today } from '#src/data/shapes/today.ts'
import type { PatientFact, PatientFacts, PatientView } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { wrongDay } from '#src/ui/words/personChecks.ts'

interface EditPatientDialogProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly onClose: () => void
}

const FACTS = ['initials', 'sex', 'enrolledOn', 'name', 'mobile', 'email', 'birthDate'] as const
type Values = Readonly<Record<(typeof FACTS)[number] | 'reason', string>>

/** Changes what is known of a patient; the network is not asked where the patient's center is kept on this device. */
export function EditPatientDialog({ projectId, patient, onClose }: EditPatientDialogProps) {
  const { t } = useTranslation(['patients', 'common'])
  const errorText = useErrorText()
  const { changePatient } = useDataActions()
  // What is changed is changed against what the person saw when they began, whatever arrives meanwhile.
  const [seen] = useState(patient)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [overruled, setOverruled] = useState<readonly PatientFact[]>([])
  const dayText = (value: string) => {
    const wrong = wrongDay(value, today())
    return wrong === null ? null : t(`enrol.${wrong}`)
  }
  const form = useForm<Values>({
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
  const save = async (values: Values) => {
    setBusy(true)
    const reason = values.reason.trim() === '' ? null : ({ code: 'other', text: values.reason.trim() } as const)
    const done = await changePatient(projectId, seen, factsOf(values, seen), reason)
    setBusy(false)
    if (!done.ok) return setError(done.error)
    if (done.overruled !== undefined) return setOverruled(done.overruled)
    return onClose()
  }
  const identifies = seen.identity !== null
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('edit.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit((values) => void save(values))} noValidate autoComplete="off">
        <Stack>
          {error !== null && (
            <Note tone="error" live>
              {t('enrol.failed', { reason: errorText(error) })}
            </Note>
          )}
          {overruled.length > 0 && (
            <Note tone="warning" live title={t('edit.overruled')}>
              {overruled.map(({ field, value }) => (
                <div key={field}>
                  {t('edit.stands', { field: t(`fact.${field}`), value: value ?? t('edit.empty') })}
                </div>
              ))}
            </Note>
          )}
          <TextInput
            size="md"
            label={t('fact.initials')}
            maxLength={20}
            data-autofocus
            {...form.getInputProps('initials')}
          />
          <Input.Wrapper label={t('fact.sex')} size="md">
            <SegmentedControl
              fullWidth
              size="md"
              aria-label={t('fact.sex')}
              data={[
                { value: '', label: t('edit.none') },
                { value: 'F', label: t('sex.F') },
                { value: 'M', label: t('sex.M') },
              ]}
              {...form.getInputProps('sex')}
            />
          </Input.Wrapper>
          <DayInput label={t('fact.enrolledOn')} {...form.getInputProps('enrolledOn')} />
          {identifies && (
            <>
              <TextInput size="md" label={t('fact.name')} maxLength={100} {...form.getInputProps('name')} />
              <TextInput
                size="md"
                type="tel"
                label={t('fact.mobile')}
                maxLength={40}
                {...form.getInputProps('mobile')}
              />
              <TextInput
                size="md"
                type="email"
                label={t('fact.email')}
                maxLength={200}
                {...form.getInputProps('email')}
              />
              <DayInput label={t('fact.birthDate')} {...form.getInputProps('birthDate')} />
            </>
          )}
          <Textarea size="md" rows={2} maxLength={1000} label={t('edit.reason')} {...form.getInputProps('reason')} />
          <Group justify="flex-end">
            <Button size="md" variant="default" onClick={onClose}>
              {t(overruled.length > 0 ? 'common:action.close' : 'common:action.cancel')}
            </Button>
            {overruled.length === 0 && (
              <Button size="md" type="submit" loading={busy}>
                {t('edit.submit')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  )
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

/** What the values mean. Of what identifies the patient nothing is said where it cannot be seen. */
function factsOf(values: Values, seen: PatientView): Partial<PatientFacts> {
  const filled = (text: string) => (text.trim() === '' ? null : text.trim())
  const day = (field: 'enrolledOn' | 'birthDate') => {
    // A date that was typed before there were checks stays as it is until somebody types another.
    const before = factOf(seen, field)
    return values[field] === (before ?? '') ? before : dateFromTyping(values[field])
  }
  const open = { initials: filled(values.initials), sex: filled(values.sex), enrolledOn: day('enrolledOn') }
  if (seen.identity === null) return open
  return {
    ...open,
    name: filled(values.name),
    mobile: filled(values.mobile),
    email: filled(values.email),
    birthDate: day('birthDate'),
  }
}
