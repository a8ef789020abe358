import { Button, Group, Input, Modal, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { CenterRow, ProjectRow } from '#core/sync/rows.ts'
import { casebookAddress } from '#src/app/addresses.ts'
import { useDataActions } from '#src/data/useDevice.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/errorText.ts'
import { dayOf } from '#src/ui/format.ts'
import { wrongDay, wrongMobile } from '#src/ui/personChecks.ts'

import { DayInput } from '#src/ui/DayInput.tsx'
import { enrolmentOf } from './enrolment.ts'
import type { EnrolmentValues } from './enrolment.ts'

interface EnrolDialogProps {
  readonly project: ProjectRow
  readonly centers: readonly CenterRow[]
  readonly onClose: () => void
}

interface Enrolled {
  readonly patientId: string
  readonly label: string
}

/** Enrols a patient on this device; the network is not asked. */
export function EnrolDialog({ project, centers, onClose }: EnrolDialogProps) {
  const { t } = useTranslation(['patients', 'common'])
  const navigate = useNavigate()
  const { enrolPatient } = useDataActions()
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  const [today] = useState(() => dayOf(new Date()))
  const mayIdentify = project.permissions.includes('patient_sensitive')
  const dayText = (value: string) => {
    const wrong = wrongDay(value, today)
    return wrong === null ? null : t(`enrol.${wrong}`)
  }
  const mobileText = (value: string) => {
    const wrong = wrongMobile(value)
    return wrong === null ? null : t(`enrol.${wrong}`)
  }
  const form = useForm<EnrolmentValues>({
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
      enrolledOn: dayText,
      birthDate: dayText,
      mobile: mobileText,
    },
  })

  const enrol = async (values: EnrolmentValues) => {
    setBusy(true)
    const result = await enrolPatient(enrolmentOf(project.id, values))
    setBusy(false)
    if (!result.ok) return setError(result.error)
    const { patientId, no } = result.value
    return setEnrolled({ patientId, label: no ?? t('unnumberedYet') })
  }
  const closeLabel = { 'aria-label': t('common:action.close') }
  if (enrolled !== null) {
    return (
      <Modal opened onClose={onClose} title={t('enrol.title')} closeButtonProps={closeLabel}>
        <Stack>
          <Note tone="done" live>
            {t('enrol.done', { no: enrolled.label })}
          </Note>
          <Group justify="flex-end">
            <Button size="md" variant="default" onClick={onClose}>
              {t('enrol.close')}
            </Button>
            <Button size="md" data-autofocus onClick={() => void navigate(casebookAddress(project.id, enrolled.patientId))}>
              {t('enrol.fill')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('enrol.title')} size="lg" closeButtonProps={closeLabel} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit((values) => void enrol(values))} noValidate autoComplete="off">
        <Stack>
          {error !== null && (
            <Note tone="error" live>
              {t('enrol.failed', { reason: errorText(error) })}
            </Note>
          )}
          {centers.length > 1 && (
            <Select
              size="md"
              required
              label={t('enrol.center')}
              allowDeselect={false}
              data={centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
              {...form.getInputProps('centerId')}
            />
          )}
          <TextInput
            size="md"
            label={t('enrol.initials')}
            description={t('enrol.initialsHint')}
            maxLength={20}
            data-autofocus
            {...form.getInputProps('initials')}
          />
          <Input.Wrapper label={t('enrol.sex')} size="md">
            <SegmentedControl
              fullWidth
              size="md"
              aria-label={t('enrol.sex')}
              data={[
                { value: 'F', label: t('sex.F') },
                { value: 'M', label: t('sex.M') },
              ]}
              {...form.getInputProps('sex')}
            />
          </Input.Wrapper>
          <DayInput label={t('enrol.enrolledOn')} {...form.getInputProps('enrolledOn')} />
          {mayIdentify && (
            <>
              <Text size="sm" c="dimmed">
                {t('enrol.private')}
              </Text>
              <TextInput size="md" label={t('enrol.name')} maxLength={100} {...form.getInputProps('name')} />
              <TextInput size="md" type="tel" label={t('enrol.mobile')} maxLength={11} {...form.getInputProps('mobile')} />
              <DayInput label={t('enrol.birthDate')} {...form.getInputProps('birthDate')} />
            </>
          )}
          <Group justify="flex-end">
            <Button size="md" variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button size="md" type="submit" loading={busy}>
              {t('enrol.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
