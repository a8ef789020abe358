import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { typedCode } from '#core/wire/shapes.ts'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

import { CenterNameField, PlannedEnrolmentField } from './CenterFields.tsx'
import { useTemplateRefusal } from '../templateProblem.ts'

interface AddCenterDialogProps {
  readonly projectId: string
  readonly onClose: () => void
}

interface Values {
  readonly centerName: string
  readonly centerCode: string
  readonly planEnrolls: number | ''
}

/** Adds a center. Its code is part of subject numbers, so it cannot be changed later. */
export function AddCenterDialog({ projectId, onClose }: AddCenterDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const form = useForm<Values>({
    initialValues: { centerName: '', centerCode: '', planEnrolls: '' },
    validate: {
      centerName: (value) => (value.trim() === '' ? t('site.required') : null),
      centerCode: (value) => (typedCode.safeParse(value).success ? null : t('site.badCode')),
    },
  })
  const refused = useTemplateRefusal()
  const add = async ({ centerName, centerCode, planEnrolls }: Values) =>
    refused(
      await act('center.save', {
        body: { projectId, centerName: centerName.trim(), centerCode, ...(planEnrolls === '' ? {} : { planEnrolls }) },
        projectId,
      }),
    )
  return (
    <SubmitDialog
      title={t('site.add')}
      submit={t('site.submit')}
      onClose={onClose}
      onSubmit={() => (form.validate().hasErrors ? null : add(form.getValues()))}
    >
      <CenterNameField {...form.getInputProps('centerName')} />
      <TextInput
        size="md"
        required
        label={t('site.code')}
        description={t('site.codeHint')}
        maxLength={20}
        autoCapitalize="characters"
        {...form.getInputProps('centerCode')}
      />
      <PlannedEnrolmentField {...form.getInputProps('planEnrolls')} />
    </SubmitDialog>
  )
}
