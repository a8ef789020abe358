import { Group } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash, IconUserCog, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { MemberDetail } from '#core/api/calls/project.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { useCenters } from '#src/data/hooks/projects.ts'
import { useSession } from '#src/session/useSession.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import { AccountDialog } from './AccountDialog.tsx'
import { AddMemberDialog } from './AddMemberDialog.tsx'
import { EditMemberDialog } from './EditMemberDialog.tsx'
import { NewAccountDialog } from './NewAccountDialog.tsx'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'

/** The team of a project. */
export function MembersScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation(['admin', 'projects'])
  const { current } = useSession()
  const members = useServerQuery('member.list', {
    query: { projectId: project.id, current: 1, size: 1000 },
    projectId: project.id,
  })
  const centers = useCenters(project.id)
  const [dialog, setDialog] = useState<'member' | 'account' | null>(null)
  const [editing, setEditing] = useState<MemberDetail | null>(null)
  const [removing, setRemoving] = useState<MemberDetail | null>(null)
  const [accountOf, setAccountOf] = useState<MemberDetail | null>(null)
  const known = centers.state === 'ready' ? centers.value : []
  const isAdmin = current.state === 'open' && current.user.isAdmin
  const isDouble = project.config.isDouble === 1
  const mayManage = project.permissions.includes('mem')
  const columns = useColumns({
    centers: known,
    isDouble,
    mayManage,
    onEdit: setEditing,
    onRemove: setRemoving,
    onAccount: setAccountOf,
  })
  const close = () => setDialog(null)
  return (
    <PageFrame
      title={t('mem.title')}
      actions={
        <>
          {isAdmin && (
            <ServerButton
              size="md"
              variant="default"
              leftSection={<IconUserPlus size={18} aria-hidden="true" />}
              onClick={() => setDialog('account')}
            >
              {t('mem.newUser.open')}
            </ServerButton>
          )}
          {mayManage && (
            <ServerButton
              size="md"
              leftSection={<IconPlus size={18} aria-hidden="true" />}
              onClick={() => setDialog('member')}
            >
              {t('mem.add')}
            </ServerButton>
          )}
        </>
      }
    >
      <Loaded of={members} rows={5}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState
              icon={<IconUsersGroup size={44} stroke={1.4} />}
              title={t('mem.empty.title')}
              text={t('mem.empty.text')}
            />
          ) : (
            <DataTable caption={t('mem.title')} rows={records} rowKey={({ id }) => id} columns={columns} />
          )
        }
      </Loaded>
      {dialog === 'member' && (
        <AddMemberDialog projectId={project.id} centers={known} isDouble={isDouble} onClose={close} />
      )}
      {editing !== null && (
        <EditMemberDialog member={editing} centers={known} isDouble={isDouble} onClose={() => setEditing(null)} />
      )}
      {removing !== null && <RemoveMemberDialog member={removing} onClose={() => setRemoving(null)} />}
      {accountOf !== null && <AccountDialog member={accountOf} onClose={() => setAccountOf(null)} />}
      {dialog === 'account' && <NewAccountDialog onClose={close} />}
    </PageFrame>
  )
}

interface MemberTable {
  readonly centers: readonly CenterRow[]
  readonly isDouble: boolean
  readonly mayManage: boolean
  readonly onEdit: (member: MemberDetail) => void
  readonly onRemove: (member: MemberDetail) => void
  readonly onAccount: (member: MemberDetail) => void
}

function useColumns(table: MemberTable): readonly DataColumn<MemberDetail>[] {
  const { t } = useTranslation(['admin', 'projects'])
  const centersOf = ({ type, dataScope, centerIds }: MemberDetail) =>
    type === 'project' || (type === 'expert' && dataScope === 'all')
      ? t('mem.allCenters')
      : table.centers
          .filter(({ id }) => centerIds.includes(id))
          .map(({ centerName }) => centerName)
          .join(', ')
  return [
    { key: 'name', title: t('mem.columns.name'), short: true, cell: ({ realName }) => realName },
    { key: 'account', title: t('mem.columns.account'), cell: ({ account }) => account },
    {
      key: 'role',
      title: t('mem.columns.role'),
      short: true,
      cell: ({ userRole }) => t(`projects:role.${userRole}`),
    },
    { key: 'type', title: t('mem.columns.type'), short: true, cell: ({ type }) => t(`mem.types.${type}`) },
    { key: 'centers', title: t('mem.columns.centers'), cell: centersOf },
    {
      key: 'status',
      title: t('mem.columns.status'),
      short: true,
      cell: ({ status }) => t(`mem.status.${status}`),
    },
    ...(table.isDouble
      ? [
          {
            key: 'pass',
            title: t('mem.columns.pass'),
            short: true as const,
            cell: ({ entryPass }: MemberDetail) => t(`mem.pass.${entryPass}`),
          },
        ]
      : []),
    {
      key: 'testing',
      title: t('mem.columns.testing'),
      short: true,
      cell: ({ crfApprove }) => (crfApprove === 1 ? t('mem.testing.yes') : t('mem.testing.no')),
    },
    {
      key: 'last',
      title: t('mem.columns.lastLogin'),
      short: true,
      cell: ({ lastLoginTime }) => (lastLoginTime === null ? t('mem.never') : fullTime(lastLoginTime)),
    },
    ...(table.mayManage
      ? [
          {
            key: 'action',
            title: t('mem.columns.action'),
            cell: (member: MemberDetail) => <MemberActs member={member} table={table} />,
          },
        ]
      : []),
  ]
}

interface MemberActsProps {
  readonly member: MemberDetail
  readonly table: Pick<MemberTable, 'onEdit' | 'onRemove' | 'onAccount'>
}

/** The acts on a member. Only a platform administrator may change their own rights. */
function MemberActs({ member, table }: MemberActsProps) {
  const { t } = useTranslation('admin')
  const { current } = useSession()
  const isAdmin = current.state === 'open' && current.user.isAdmin
  const isOwn = current.state === 'open' && member.userId === current.user.userId
  const barred = isOwn && !isAdmin ? t('mem.ownRights') : null
  return (
    <Group gap="xs" wrap="nowrap">
      <ServerButton
        size="md"
        variant="subtle"
        leftSection={<IconPencil size={18} aria-hidden="true" />}
        aria-label={t('mem.editOf', { name: member.realName })}
        barred={barred}
        onClick={() => table.onEdit(member)}
      >
        {t('mem.edit')}
      </ServerButton>
      <ServerButton
        size="md"
        variant="subtle"
        color="red.9"
        leftSection={<IconTrash size={18} aria-hidden="true" />}
        aria-label={t('mem.removeOf', { name: member.realName })}
        barred={barred}
        onClick={() => table.onRemove(member)}
      >
        {t('mem.remove')}
      </ServerButton>
      {isAdmin && !isOwn && (
        <ServerButton
          size="md"
          variant="subtle"
          leftSection={<IconUserCog size={18} aria-hidden="true" />}
          aria-label={t('mem.account.openOf', { name: member.realName })}
          onClick={() => table.onAccount(member)}
        >
          {t('mem.account.open')}
        </ServerButton>
      )}
    </Group>
  )
}
