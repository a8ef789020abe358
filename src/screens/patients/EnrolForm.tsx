import { Button, Input, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DayInput } from '#src/ui/DayInput.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import type { Enrolment } from './useEnrolment.ts'

interface EnrolFormProps {
  readonly enrolment: Enrolment
  readonly onClose: () => void
}

/** Asks for the facts of the new patient; once they are complete it goes on to the last check. */
export function EnrolForm({ enrolment, onClose }: EnrolFormProps) {
  const { t } = useTranslation(['patients', 'common'])
  const errorText = useErrorText()
  const { centers, asked, mayIdentify, form, setLook, error } = enrolment
  return (
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
        {mayIdentify && <IdentityFields enrolment={enrolment} />}
        <SheetFoot>
          <Button size="md" variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button size="md" type="submit">
            {t('enrol.next')}
          </Button>
        </SheetFoot>
      </Stack>
    </form>
  )
}

/** The facts that tell who the patient is: only for users who may see them again. */
function IdentityFields({ enrolment: { asked, form } }: { readonly enrolment: Enrolment }) {
  const { t } = useTranslation('patients')
  return (
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
  )
}
