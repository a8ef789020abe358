import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls.project.ts'
import { useServerAction } from '#src/app/server.ts'
import { SubmitDialog } from '#src/ui/SubmitDialog.tsx'

interface MemberTestingDialogProps {
  readonly member: MemberDetail
  readonly onClose: () => void
}

/** Whether a member takes part in testing; all else about them stays. */
export function MemberTestingDialog({ member, onClose }: MemberTestingDialogProps) {
  const { t } = useTranslation('admin')
  const act = useServerAction()
  const [isTester, setTester] = useState(member.crfApprove === 1)
  const save = () => {
    const { id, projectId, userRole, type, dataScope, centerIds, entryPass, status, startDt, endDt, remark } = member
    const crfApprove = isTester ? 1 : 0
    return act('member.update', { body: { id, projectId, userRole, type, dataScope, centerIds, entryPass, crfApprove, status, startDt, endDt, remark }, projectId })
  }
  return (
    <SubmitDialog title={t('mem.testing.title', { name: member.realName })} submit={t('mem.testing.submit')} onClose={onClose} onSubmit={save}>
      <Checkbox
        size="md"
        label={t('mem.tester')}
        aria-label={t('mem.tester')}
        description={t('mem.testing.hint')}
        checked={isTester}
        onChange={(event) => setTester(event.currentTarget.checked)}
      />
    </SubmitDialog>
  )
}
