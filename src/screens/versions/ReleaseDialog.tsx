import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { Result } from '#core/result.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { NO_MAPPINGS } from '#core/study/migration/migrationMappings.ts'
import { approvalsComplete, isPassed } from '#core/study/versionLife.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

import { ApprovalTable } from './ApprovalTable.tsx'
import { OutcomeFold } from './OutcomeFold.tsx'
import { ReleaseMigration } from './release/ReleaseMigration.tsx'

interface ReleaseDialogProps {
  readonly project: ProjectRow
  readonly version: VersionSummary
  readonly onRelease: (mappings: MigrationMappings) => Promise<Result<unknown, ApiError>>
  readonly onClose: () => void
}

/**
 * Releases a test version. Every tester must have passed and signed it (specification §5); the server checks that
 * again. First the dialog shows what happens to entered data.
 */
export function ReleaseDialog({ project, version, onRelease, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation('versions')
  const approvals = useServerQuery('version.approveList', { query: { crfId: version.id }, projectId: project.id })
  const [tried, setTried] = useState(false)
  // Null until the renames of the designers are known, which a person may change.
  const [mappings, setMappings] = useState<MigrationMappings | null>(null)
  // A released version has no migration plan any more.
  const [sending, setSending] = useState(false)
  // While the approvals are not known here, the server's answer decides.
  const isOpen = approvals.state === 'ready' && !approvalsComplete(approvals.value, project.config.minTesters)
  const send = async () => {
    setSending(true)
    const result = await onRelease(mappings ?? NO_MAPPINGS)
    if (!result.ok) setSending(false)
    return result
  }
  const release = () => {
    setTried(true)
    return isOpen ? null : send()
  }
  return (
    <SubmitDialog
      size="xl"
      title={t('release.title')}
      submit={t('release.submit')}
      onClose={onClose}
      onSubmit={release}
    >
      <Text>{t('release.text')}</Text>
      <Loaded of={approvals} rows={1}>
        {(list) => (
          <OutcomeFold
            tone={isOpen ? 'warn' : 'fine'}
            title={t('release.approval')}
            figure={isOpen ? t('release.open') : t('release.passed', { count: list.filter(isPassed).length })}
            open={isOpen}
          >
            {list.length === 0 ? <Text>{t('approve.empty.title')}</Text> : <ApprovalTable approvals={list} />}
          </OutcomeFold>
        )}
      </Loaded>
      {tried && isOpen && (
        <Note tone="error" live>
          {t('release.notAll')}
        </Note>
      )}
      {!sending && (
        <ReleaseMigration projectId={project.id} crfId={version.id} mappings={mappings} onMap={setMappings} />
      )}
    </SubmitDialog>
  )
}
