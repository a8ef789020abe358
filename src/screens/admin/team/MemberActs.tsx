import { IconPencil, IconTrash, IconUserCog } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { useSession } from '#src/session/useSession.ts'

interface ActsOfMember {
  readonly onEdit: (member: MemberDetail) => void
  readonly onRemove: (member: MemberDetail) => void
  readonly onAccount: (member: MemberDetail) => void
}

interface MemberActsProps {
  readonly member: MemberDetail
  readonly acts: ActsOfMember
}

/** The acts on a member. Only a platform administrator may change their own rights. */
export function MemberActs({ member, acts }: MemberActsProps) {
  const { t } = useTranslation('admin')
  const { current } = useSession()
  const isAdmin = current.state === 'open' && current.user.isAdmin
  const isOwn = current.state === 'open' && member.userId === current.user.userId
  const barred = isOwn && !isAdmin ? t('mem.ownRights') : null
  return (
    <>
      <ServerButton
        size="md"
        variant="default"
        leftSection={<IconPencil size={18} aria-hidden="true" />}
        aria-label={t('mem.editOf', { name: member.realName })}
        barred={barred}
        onClick={() => acts.onEdit(member)}
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
        onClick={() => acts.onRemove(member)}
      >
        {t('mem.remove')}
      </ServerButton>
      {isAdmin && !isOwn && (
        <ServerButton
          size="md"
          variant="default"
          leftSection={<IconUserCog size={18} aria-hidden="true" />}
          aria-label={t('mem.account.openOf', { name: member.realName })}
          onClick={() => acts.onAccount(member)}
        >
          {t('mem.account.open')}
        </ServerButton>
      )}
    </>
  )
}
