import { Input, SegmentedControl, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { readTemplate } from '#core/study/patientNumber.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

import { CenterNameField, PlannedEnrolmentField } from './CenterFields.tsx'
import { NumberTemplateField, TemplatePreview } from '../NumberTemplateField.tsx'
import { useTemplateRefusal } from '../templateProblem.ts'

interface EditCenterDialogProps {
  readonly projectId: string
  /** The project's own template of subject numbers. */
  readonly common: string
  readonly center: CenterRow
  readonly onClose: () => void
}

interface Values {
  readonly centerName: string
  readonly status: CenterRow['status']
  readonly planEnrolls: number | string
  readonly numbering: 'project' | 'own'
  readonly numberTemplate: string
}

/** Changes a center: its name, whether it enrols patients, and its subject numbers from now on. */
export function EditCenterDialog({ projectId, common, center, onClose }: EditCenterDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const refused = useTemplateRefusal()
  const form = useForm<Values>({
    initialValues: {
      centerName: center.centerName,
      status: center.status,
      planEnrolls: center.planEnrolls ?? '',
      numbering: center.numberTemplate === null ? 'project' : 'own',
      numberTemplate: center.numberTemplate ?? common,
    },
    validate: { centerName: (value) => (value.trim() === '' ? t('site.required') : null) },
  })
  const { status, numbering, numberTemplate } = form.getValues()
  const save = async ({ centerName, planEnrolls }: Values) =>
    refused(
      await act('center.update', {
        body: {
          id: center.id,
          projectId,
          centerName: centerName.trim(),
          status,
          ...(typeof planEnrolls === 'number' ? { planEnrolls } : {}),
          numberTemplate: numbering === 'own' ? numberTemplate : null,
        },
        projectId,
      }),
    )
  const submit = () =>
    form.validate().hasErrors || (numbering === 'own' && !readTemplate(numberTemplate).ok)
      ? null
      : save(form.getValues())
  return (
    <SubmitDialog
      title={t('site.editTitle', { code: center.centerCode })}
      submit={t('site.save')}
      size="lg"
      onClose={onClose}
      onSubmit={submit}
    >
      <CenterNameField {...form.getInputProps('centerName')} />
      <PlannedEnrolmentField {...form.getInputProps('planEnrolls')} />
      <StatusField form={form} />
      <NumberingFields form={form} projectId={projectId} centerId={center.id} />
      <Text size="sm" c="dimmed">
        {t('template.text')}
      </Text>
    </SubmitDialog>
  )
}

interface FormFieldsProps {
  readonly form: UseFormReturnType<Values>
}

/** Whether the center enrols patients. */
function StatusField({ form }: FormFieldsProps) {
  const { t } = useTranslation('admin')
  const { status } = form.getValues()
  return (
    <Input.Wrapper
      label={t('site.columns.status')}
      size="md"
      description={status === 'disabled' ? t('site.disabledHint') : undefined}
    >
      <SegmentedControl
        fullWidth
        size="md"
        mt={6}
        aria-label={t('site.columns.status')}
        data={[
          { value: 'active', label: t('site.status.active') },
          { value: 'disabled', label: t('site.status.disabled') },
        ]}
        {...form.getInputProps('status')}
      />
    </Input.Wrapper>
  )
}

interface NumberingFieldsProps extends FormFieldsProps {
  readonly projectId: string
  readonly centerId: string
}

/** Whether the center uses the project's template of subject numbers or its own, and which one. */
function NumberingFields({ form, projectId, centerId }: NumberingFieldsProps) {
  const { t } = useTranslation('admin')
  const { numbering, numberTemplate } = form.getValues()
  return (
    <>
      <Input.Wrapper label={t('template.name')} size="md">
        <SegmentedControl
          fullWidth
          size="md"
          mt={6}
          aria-label={t('template.name')}
          data={[
            { value: 'project', label: t('template.asProject') },
            { value: 'own', label: t('template.own') },
          ]}
          {...form.getInputProps('numbering')}
        />
      </Input.Wrapper>
      {numbering === 'own' ? (
        <NumberTemplateField
          projectId={projectId}
          centerId={centerId}
          value={numberTemplate}
          onChange={(value) => {
            form.setFieldValue('numberTemplate', value)
          }}
        />
      ) : (
        <TemplatePreview projectId={projectId} centerId={centerId} template={null} />
      )}
    </>
  )
}
