import { Button, Group, Input, Modal, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import { DEFAULT_ENROL_FIELDS } from '#core/study/enrolment.ts'
import type { EnrolField } from '#core/study/enrolment.ts'
import { wrongMobile } from '#core/study/mobile.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { AskPassword } from '#src/frame/AskPassword.tsx'
import { casebookAddress } from '#src/paths/addresses.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { dayOf } from '#src/ui/words/format.ts'
import { wrongDay } from '#src/ui/words/personChecks.ts'

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

/** Enrols a patient on this device; the network is asked only where the center is not kept here. */
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
  const asked = project.config.enrolFields ?? DEFAULT_ENROL_FIELDS
  /** The fields as they were when everything was said: a last look before a number is spent. */
  const [look, setLook] = useState<EnrolmentValues | null>(null)
  const needed = (field: EnrolField, value: string): string | null =>
    asked.includes(field) && value.trim() === '' ? t('enrol.required') : null
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
      initials: (value) => needed('initials', value),
      sex: (value) => needed('sex', value),
      enrolledOn: (value) => needed('enrolledOn', value) ?? dayText(value),
      name: (value) => (mayIdentify ? needed('name', value) : null),
      birthDate: (value) => (mayIdentify ? needed('birthDate', value) : null) ?? dayText(value),
      mobile: (value) => (mayIdentify ? needed('mobile', value) : null) ?? mobileText(value),
    },
  })

  const enrol = async (values: EnrolmentValues) => {
    setBusy(true)
    setError(null)
    const result = await enrolPatient(enrolmentOf(project.id, values))
    setBusy(false)
    if (!result.ok) return setError(result.error)
    const { patientId, no } = result.value
    return setEnrolled({ patientId, label: no ?? t('unnumberedYet') })
  }
  if (look !== null && enrolled === null) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={t('enrol.look')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common:action.close') }}
        closeOnClickOutside={false}
      >
        <Stack>
          {error?.code === 'vault_locked' && (
            <Note tone="info" live title={t('enrol.locked')}>
              <AskPassword submit={t('enrol.unlock')} onOpened={() => void enrol(look)} />
            </Note>
          )}
          {error !== null && error.code !== 'vault_locked' && (
            <Note tone="error" live>
              {t('enrol.failed', { reason: errorText(error) })}
            </Note>
          )}
          <Text>{t('enrol.lookText')}</Text>
          <FactList
            facts={[
              ...(centers.length > 1
                ? [[t('enrol.center'), centers.find(({ id }) => id === look.centerId)?.centerName ?? ''] as const]
                : []),
              [t('enrol.initials'), look.initials],
              [t('enrol.sex'), look.sex === '' ? '' : t(`sex.${look.sex}`)],
              [t('enrol.enrolledOn'), enrolmentOf(project.id, look).enrolledOn ?? ''],
              ...(mayIdentify
                ? ([
                    [t('enrol.name'), look.name],
                    [t('enrol.mobile'), look.mobile],
                    [t('enrol.birthDate'), enrolmentOf(project.id, look).identity.birthDate ?? ''],
                  ] as const)
                : []),
            ]}
          />
          <Group justify="flex-end">
            <Button size="md" variant="default" onClick={() => setLook(null)}>
              {t('enrol.back')}
            </Button>
            <Button size="md" data-autofocus loading={busy} onClick={() => void enrol(look)}>
              {t('enrol.submit')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    )
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
            <Button
              size="md"
              data-autofocus
              onClick={() => void navigate(casebookAddress(project.id, enrolled.patientId))}
            >
              {t('enrol.fill')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('enrol.title')}
      size="lg"
      closeButtonProps={closeLabel}
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit((values) => setLook(values))} noValidate autoComplete="off">
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
            required={asked.includes('initials')}
            description={t('enrol.initialsHint')}
            maxLength={20}
            data-autofocus
            {...form.getInputProps('initials')}
          />
          <Input.Wrapper label={t('enrol.sex')} size="md" required={asked.includes('sex')} error={form.errors['sex']}>
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
          <DayInput
            label={t('enrol.enrolledOn')}
            required={asked.includes('enrolledOn')}
            {...form.getInputProps('enrolledOn')}
          />
          {mayIdentify && (
            <>
              <Text size="sm" c="dimmed">
                {t('enrol.private')}
              </Text>
              <TextInput
                size="md"
                label={t('enrol.name')}
                required={asked.includes('name')}
                maxLength={100}
                {...form.getInputProps('name')}
              />
              <TextInput
                size="md"
                type="tel"
                label={t('enrol.mobile')}
                required={asked.includes('mobile')}
                maxLength={11}
                {...form.getInputProps('mobile')}
              />
              <DayInput
                label={t('enrol.birthDate')}
                required={asked.includes('birthDate')}
                {...form.getInputProps('birthDate')}
              />
            </>
          )}
          <Group justify="flex-end">
            <Button size="md" variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button size="md" type="submit">
              {t('enrol.next')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
