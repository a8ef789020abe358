import { Select, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { parseDate } from '#core/values/dates.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { useServerAction } from '#src/data/server.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

import { MemberFields } from './MemberFields.tsx'
import { memberBody, memberChecks, memberStatuses } from './memberForm.ts'
import type { MemberValues } from './memberForm.ts'

interface EditMemberDialogProps {
  readonly member: MemberDetail
  readonly centers: readonly CenterRow[]
  readonly isDouble: boolean
  readonly onClose: () => void
}

interface Values extends MemberValues {
  readonly startDt: string
  readonly endDt: string
  readonly remark: string
}

/** Changes the rights of a member, or pauses them. Name and phone cannot be changed here (specification §5). */
export function EditMemberDialog({ member, centers, isDouble, onClose }: EditMemberDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const { id, projectId } = member
  const day = (value: string): string | null => (value === '' || parseDate(value) !== null ? null : t('mem.badDay'))
  const form = useForm<Values>({
    initialValues: {
      userRole: member.userRole,
      type: member.type,
      dataScope: member.dataScope,
      centerIds: [...member.centerIds],
      entryPass: member.entryPass,
      isTester: member.crfApprove === 1,
      status: member.status,
      startDt: member.startDt ?? '',
      endDt: member.endDt ?? '',
      remark: member.remark ?? '',
    },
    validate: {
      ...memberChecks(t('mem.select')),
      startDt: day,
      endDt: (value: string, { startDt }: Values) =>
        day(value) ?? (value !== '' && startDt !== '' && value < startDt ? t('mem.endsBefore') : null),
    },
  })
  const save = () => {
    const { startDt, endDt, remark } = form.getValues()
    const body = memberBody(form.getValues(), isDouble)
    if (form.validate().hasErrors || body === null) return null
    const entryPass = isDouble ? body.entryPass : member.entryPass
    const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
    return act('member.update', {
      body: {
        ...body,
        id,
        projectId,
        entryPass,
        startDt: textOrNull(startDt),
        endDt: textOrNull(endDt),
        remark: textOrNull(remark),
      },
      projectId,
    })
  }
  return (
    <SubmitDialog title={t('mem.editTitle')} submit={t('mem.saveChange')} onClose={onClose} onSubmit={save}>
      <TextInput size="md" disabled label={t('mem.columns.name')} value={`${member.realName} (${member.account})`} />
      <TextInput size="md" disabled label={t('mem.phone')} value={member.phone ?? ''} />
      <MemberFields form={form} centers={centers} isDouble={isDouble} />
      <Select
        size="md"
        required
        allowDeselect={false}
        label={t('mem.columns.status')}
        description={form.getValues().status === 'pause' ? t('mem.pauseHint') : undefined}
        data={memberStatuses.map((value) => ({ value, label: t(`mem.status.${value}`) }))}
        {...form.getInputProps('status')}
      />
      <DayInput label={t('mem.startDt')} {...form.getInputProps('startDt')} />
      <DayInput label={t('mem.endDt')} {...form.getInputProps('endDt')} />
      <Textarea size="md" rows={2} maxLength={1000} label={t('mem.remark')} {...form.getInputProps('remark')} />
    </SubmitDialog>
  )
}
