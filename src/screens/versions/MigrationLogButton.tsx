import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VersionRecord } from '#core/api/calls/version.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useSession } from '#src/session/useSession.ts'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

interface MigrationLogButtonProps {
  readonly projectId: string
  readonly version: Pick<VersionRecord, 'versionNoDesc' | 'migrationTaskIds'>
}

/**
 * Downloads the migration log of a release, in the reader's language. Where patients were migrated in further turns, it
 * contains the logs of all turns.
 */
export function MigrationLogButton({
  projectId,
  version: { versionNoDesc, migrationTaskIds },
}: MigrationLogButtonProps) {
  const { t } = useTranslation('versions')
  const { call } = useSession()
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const save = async () => {
    setBusy(true)
    const results = await Promise.all(
      migrationTaskIds.map((id) =>
        call('task.result', { params: { id }, query: { taskType: 'migration' }, projectId }),
      ),
    )
    setBusy(false)
    const failed = results.find((one) => !one.ok)
    setError(failed === undefined || failed.ok ? null : failed.error)
    if (failed !== undefined) return
    const logs = results.flatMap((one) => (one.ok && one.value.log !== null ? [one.value.log] : []))
    downloadFile(`migration-${versionNoDesc}.txt`, new Blob([logs.join('\n\n')], { type: 'text/plain;charset=utf-8' }))
  }
  return (
    <>
      <Button
        h={40}
        variant="subtle"
        loading={busy}
        aria-label={`${t('migration.logOf')} ${versionNoDesc}`}
        onClick={() => void save()}
      >
        {t('migration.logOf')}
      </Button>
      {error !== null && (
        <Text role="alert" size="sm" c="red.9">
          {errorText(error)}
        </Text>
      )}
    </>
  )
}
