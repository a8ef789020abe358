import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { VersionSummary } from '#core/api/calls/version.ts'
import { isPassed } from '#core/study/versionLife.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useSession } from '#src/session/useSession.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { ApprovalTable } from './ApprovalTable.tsx'
import { OwnApproval } from './OwnApproval.tsx'

interface ApprovalsDialogProps {
  readonly project: ProjectRow
  readonly version: VersionSummary
  readonly onClose: () => void
}

/**
 * The review of a test version: the judgements of the testers, and the user's own judgement where they are a tester
 * (specification §2, §5).
 */
export function ApprovalsDialog({ project, version, onClose }: ApprovalsDialogProps) {
  const { t } = useTranslation(['versions', 'common'])
  const { current } = useSession()
  const approvals = useServerQuery('version.approveList', { query: { crfId: version.id }, projectId: project.id })
  const me = current.state === 'open' ? current.user.userId : null
  const mayJudge = project.permissions.includes('project_crf_test_check')
  return (
    <Sheet isTall onClose={onClose} title={t('approve.title', { version: version.versionNoDesc })} size="xl">
      <Loaded of={approvals} rows={3}>
        {(list) => {
          const own = mayJudge ? list.find(({ userId }) => userId === me) : undefined
          return (
            <Stack>
              {list.length === 0 ? (
                <EmptyState title={t('approve.empty.title')} text={t('approve.empty.text')} />
              ) : (
                <ApprovalTable approvals={list} />
              )}
              <Text>
                {t('approve.enough', {
                  count: project.config.minTesters,
                  done: list.filter((one) => one.isTester && isPassed(one)).length,
                })}
              </Text>
              {own !== undefined && (
                <OwnApproval key={own.userId} projectId={project.id} crfId={version.id} own={own} onDone={onClose} />
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Sheet>
  )
}
