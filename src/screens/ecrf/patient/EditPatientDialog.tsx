import { Button, Input, SegmentedControl, Stack, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PatientView } from '#src/data/shapes/types.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { usePatientEdit } from './usePatientEdit.ts'
import type { PatientEdit } from './usePatientEdit.ts'

interface EditPatientDialogProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly onClose: () => void
}

/** Changes the patient facts. Asks the network only where the patient's center is not kept on this device. */
export function EditPatientDialog({ projectId, patient, onClose }: EditPatientDialogProps) {
  const { t } = useTranslation(['patients', 'common'])
  const { form, identifies, save, busy, error, overruled } = usePatientEdit(projectId, patient, onClose)
  return (
    <Sheet onClose={onClose} title={t('edit.title')} size="lg" closesOnTapBeside={false}>
      <form onSubmit={form.onSubmit((values) => void save(values))} noValidate autoComplete="off">
        <Stack>
          <Outcome error={error} overruled={overruled} />
          <OpenFields form={form} />
          {identifies && <IdentityFields form={form} />}
          <Textarea size="md" rows={2} maxLength={1000} label={t('edit.reason')} {...form.getInputProps('reason')} />
          <SheetFoot>
            <Button size="md" variant="default" onClick={onClose}>
              {t(overruled.length > 0 ? 'common:action.close' : 'common:action.cancel')}
            </Button>
            {overruled.length === 0 && (
              <Button size="md" type="submit" loading={busy}>
                {t('edit.submit')}
              </Button>
            )}
          </SheetFoot>
        </Stack>
      </form>
    </Sheet>
  )
}

/** Why the change could not be saved, and which facts were not taken because somebody else was first. */
function Outcome({ error, overruled }: Pick<PatientEdit, 'error' | 'overruled'>) {
  const { t } = useTranslation('patients')
  const errorText = useErrorText()
  return (
    <>
      {error !== null && (
        <Note tone="error" live>
          {t('enrol.failed', { reason: errorText(error) })}
        </Note>
      )}
      {overruled.length > 0 && (
        <Note tone="warning" live title={t('edit.overruled')}>
          {overruled.map(({ field, value }) => (
            <div key={field}>{t('edit.stands', { field: t(`fact.${field}`), value: value ?? t('edit.empty') })}</div>
          ))}
        </Note>
      )}
    </>
  )
}

/** The facts that every user who sees the patient may know. */
function OpenFields({ form }: Pick<PatientEdit, 'form'>) {
  const { t } = useTranslation('patients')
  return (
    <>
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
    </>
  )
}

/** The facts that tell who the patient is: only for users who may see them. */
function IdentityFields({ form }: Pick<PatientEdit, 'form'>) {
  const { t } = useTranslation('patients')
  return (
    <>
      <TextInput size="md" label={t('fact.name')} maxLength={100} {...form.getInputProps('name')} />
      <TextInput size="md" type="tel" label={t('fact.mobile')} maxLength={40} {...form.getInputProps('mobile')} />
      <TextInput size="md" type="email" label={t('fact.email')} maxLength={200} {...form.getInputProps('email')} />
      <DayInput label={t('fact.birthDate')} {...form.getInputProps('birthDate')} />
    </>
  )
}
