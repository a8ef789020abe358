import { Checkbox, Loader, MultiSelect, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { memberTypes } from '#core/api/calls.project.ts'
import { projectRoles } from '#core/access/permissions.ts'
import type { CenterRow } from '#core/sync/rows.ts'
import { useServerAction, useServerQuery } from '#src/app/server.ts'

import { SubmitDialog } from '#src/ui/SubmitDialog.tsx'

import { EntryPassField } from './EntryPassField.tsx'
import { mayTest } from './mayTest.ts'

interface AddMemberDialogProps {
  readonly projectId: string
  readonly centers: readonly CenterRow[]
  /** Whether the project is entered twice. */
  readonly isDouble: boolean
  readonly onClose: () => void
}

type Member = BodyOf<CallOf<'member.save'>>
interface Values {
  readonly userId: string | null
  readonly userRole: Member['userRole'] | null
  readonly type: Member['type'] | null
  readonly dataScope: Member['dataScope'] | null
  readonly centerIds: string[]
  readonly entryPass: Member['entryPass']
  readonly isTester: boolean
}

const dataScopes = ['all', 'center', 'self'] as const

/** Adds an account to the team (SPEC §5: all of user, role, type and data scope are asked for). */
export function AddMemberDialog({ projectId, centers, isDouble, onClose }: AddMemberDialogProps) {
  const { t } = useTranslation(['admin', 'projects'])
  const act = useServerAction()
  const departments = useServerQuery('member.deptUsers', { projectId })
  const chosen = (value: string | null) => (value === null ? t('mem.select') : null)
  const form = useForm<Values>({
    initialValues: { userId: null, userRole: 'CRC', type: 'center', dataScope: 'center', centerIds: [], entryPass: 1, isTester: false },
    validate: {
      userId: chosen,
      userRole: chosen,
      type: chosen,
      dataScope: chosen,
      centerIds: (value, member) => (hasCenters(member) && value.length === 0 ? t('mem.select') : null),
    },
  })
  const users = departments.state === 'ready' ? departments.value.flatMap(({ userList }) => userList) : []
  const { type, dataScope: chosenScope, userRole: chosenRole, entryPass: chosenPass } = form.getValues()

  const add = () => {
    const { userId, userRole, type: memberType, dataScope, centerIds, entryPass, isTester } = form.getValues()
    if (form.validate().hasErrors || userId === null || userRole === null || memberType === null || dataScope === null) return null
    return act('member.save', {
      body: {
        projectId,
        userId,
        userRole,
        type: memberType,
        dataScope,
        centerIds: hasCenters({ type: memberType, dataScope }) ? centerIds : [],
        entryPass: isDouble ? entryPass : 1,
        crfApprove: isTester && mayTest(userRole) ? 1 : 0,
        status: 'active',
      },
      projectId,
    })
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
      <Select
        size="md"
        required
        allowDeselect={false}
        label={t('mem.role')}
        data={projectRoles.filter((role) => role !== 'ADMIN').map((role) => ({ value: role, label: t(`projects:role.${role}`) }))}
        {...form.getInputProps('userRole')}
      />
      <Select
        size="md"
        required
        allowDeselect={false}
        label={t('mem.type')}
        description={type === 'expert' ? t('mem.expertHint') : undefined}
        data={memberTypes.map((value) => ({ value, label: t(`mem.types.${value}`) }))}
        {...form.getInputProps('type')}
      />
      <Select
        size="md"
        required
        allowDeselect={false}
        label={t('mem.dataScope')}
        data={dataScopes.map((value) => ({ value, label: t(`mem.dataScopes.${value}`) }))}
        {...form.getInputProps('dataScope')}
      />
      {hasCenters({ type, dataScope: chosenScope }) && (
        <MultiSelect
          size="md"
          required
          label={t('mem.centers')}
          data={centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          {...form.getInputProps('centerIds')}
        />
      )}
      {isDouble && <EntryPassField value={chosenPass} onChange={(pass) => form.setFieldValue('entryPass', pass)} />}
      {mayTest(chosenRole) && <Checkbox size="md" label={t('mem.tester')} description={t('mem.testerHint')} {...form.getInputProps('isTester', { type: 'checkbox' })} />}
    </SubmitDialog>
  )
}

/** Members of the project as a whole have no centers of their own; nor has an expert who may be given patients of any. */
function hasCenters({ type, dataScope }: Pick<Values, 'type' | 'dataScope'>): boolean {
  return type === 'center' || (type === 'expert' && dataScope !== 'all')
}
