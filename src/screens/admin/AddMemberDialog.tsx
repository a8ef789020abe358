import { Loader, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useForm } from '#src/ui/useForm.ts'

import { MemberFields } from './MemberFields.tsx'
import { memberBody, memberChecks } from './memberForm.ts'
import type { MemberValues } from './memberForm.ts'

interface AddMemberDialogProps {
  readonly projectId: string
  readonly centers: readonly CenterRow[]
  /** Whether the project uses double entry. */
  readonly isDouble: boolean
  readonly onClose: () => void
}

interface Values extends MemberValues {
  readonly userId: string | null
}

/**
 * Adds an account to the team (specification §5: user, role, type and data scope are all required). A new member is
 * active.
 */
export function AddMemberDialog({ projectId, centers, isDouble, onClose }: AddMemberDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const departments = useServerQuery('member.deptUsers', { projectId })
  const form = useForm<Values>({
    initialValues: {
      userId: null,
      userRole: 'CRC',
      type: 'center',
      dataScope: 'center',
      centerIds: [],
      entryPass: 1,
      isTester: false,
      status: 'active',
    },
    validate: {
      ...memberChecks(t('mem.select')),
      userId: (value: string | null) => (value === null ? t('mem.select') : null),
    },
  })
  const users = departments.state === 'ready' ? departments.value.flatMap(({ userList }) => userList) : []
  const add = () => {
    const { userId } = form.getValues()
    const body = memberBody(form.getValues(), isDouble)
    if (form.validate().hasErrors || userId === null || body === null) return null
    return act('member.save', { body: { projectId, userId, ...body }, projectId })
  }
  return (
    <SubmitDialog title={t('mem.addTitle')} submit={t('mem.submit')} onClose={onClose} onSubmit={add}>
      <Select
        size="md"
        required
        searchable
        label={t('mem.user')}
        placeholder={t('mem.userHint')}
        rightSection={departments.state === 'loading' ? <Loader size={18} /> : undefined}
        data={users.map(({ id, realName, account }) => ({ value: id, label: `${realName} (${account})` }))}
        {...form.getInputProps('userId')}
      />
      <MemberFields form={form} centers={centers} isDouble={isDouble} />
    </SubmitDialog>
  )
}
