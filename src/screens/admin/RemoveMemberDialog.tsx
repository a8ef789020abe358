import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls/project.ts'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface RemoveMemberDialogProps {
  readonly member: Pick<MemberDetail, 'id' | 'projectId' | 'realName'>
  readonly onClose: () => void
}

/** Asks before a member is withdrawn (specification §8). What they entered remains under their name. */
export function RemoveMemberDialog({ member, onClose }: RemoveMemberDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const remove = () => act('member.remove', { query: { ids: member.id }, projectId: member.projectId })
  return (
    <SubmitDialog
      title={t('mem.removeAsk', { name: member.realName })}
      submit={t('mem.removeSubmit')}
      danger
      onClose={onClose}
      onSubmit={remove}
    >
      <Text>{t('mem.removeText')}</Text>
    </SubmitDialog>
  )
}
