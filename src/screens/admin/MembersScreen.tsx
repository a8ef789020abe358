import { IconPlus, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { MemberDetail } from '#core/api/calls/project.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { useCenters } from '#src/data/hooks/projects.ts'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { RowPanel } from '#src/ui/table/contract.ts'

import { AccountDialog } from './AccountDialog.tsx'
import { AddMemberDialog } from './AddMemberDialog.tsx'
import { EditMemberDialog } from './EditMemberDialog.tsx'
import { NewAccountDialog } from './NewAccountDialog.tsx'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'
import { MemberActs } from './team/MemberActs.tsx'
import { useMemberColumns } from './team/memberColumns.ts'
import { useMemberFilters } from './team/useMemberFilters.ts'

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
  const columns = useMemberColumns(known, isDouble)
  const all = members.state === 'ready' ? members.value.records : NOBODY
  const { narrow, ...filtered } = useMemberFilters(known, all)
  const memory = useTableMemory(`members ${project.id}`)
  const acts = { onEdit: setEditing, onRemove: setRemoving, onAccount: setAccountOf }
  const panel = (member: MemberDetail): RowPanel => ({
    title: member.realName,
    ...(mayManage ? { actions: <MemberActs member={member} acts={acts} /> } : {}),
    content: <FactList facts={columns.map(({ title, text }) => [title, text(member, undefined)])} />,
  })
  const close = () => setDialog(null)
  return (
    <PageFrame
      wide
      title={t('mem.title')}
      actions={<TeamButtons isAdmin={isAdmin} mayManage={mayManage} onOpen={setDialog} />}
    >
      <TableFrame
        {...filtered}
        name={t('mem.title')}
        columns={columns}
        of={members.state === 'ready' ? { state: 'ready', value: { rows: narrow(all) } } : members}
        rowKey={({ id }) => id}
        memory={memory}
        panel={panel}
        file={t('mem.title')}
        empty={
          <EmptyState
            icon={<IconUsersGroup size={44} stroke={1.4} />}
            title={t('mem.empty.title')}
            text={t('mem.empty.text')}
          />
        }
      />
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

const NOBODY: readonly MemberDetail[] = []

interface TeamButtonsProps {
  readonly isAdmin: boolean
  readonly mayManage: boolean
  readonly onOpen: (dialog: 'member' | 'account') => void
}

function TeamButtons({ isAdmin, mayManage, onOpen }: TeamButtonsProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      {isAdmin && (
        <ServerButton
          size="md"
          variant="default"
          leftSection={<IconUserPlus size={18} aria-hidden="true" />}
          onClick={() => onOpen('account')}
        >
          {t('mem.newUser.open')}
        </ServerButton>
      )}
      {mayManage && (
        <ServerButton
          size="md"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => onOpen('member')}
        >
          {t('mem.add')}
        </ServerButton>
      )}
    </>
  )
}
