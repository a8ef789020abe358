import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls.project.ts'
import { useServerAction } from '#src/app/server.ts'
import { SubmitDialog } from '#src/ui/SubmitDialog.tsx'

import { EntryPassField } from './EntryPassField.tsx'

interface MemberPassDialogProps {
  readonly member: MemberDetail
  readonly onClose: () => void
}

/** Which pass of double entry a member enters; all else about them stays. */
export function MemberPassDialog({ member, onClose }: MemberPassDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const [entryPass, setPass] = useState(member.entryPass)
  const save = () => {
    const { id, projectId, userRole, type, dataScope, centerIds, crfApprove, status, startDt, endDt, remark } = member
    return act('member.update', { body: { id, projectId, userRole, type, dataScope, centerIds, entryPass, crfApprove, status, startDt, endDt, remark }, projectId })
  }
  return (
    <SubmitDialog title={t('mem.pass.title', { name: member.realName })} submit={t('mem.pass.submit')} onClose={onClose} onSubmit={save}>
      <EntryPassField value={entryPass} onChange={setPass} />
    </SubmitDialog>
  )
}
