import { useTranslation } from 'react-i18next'
import type { VersionRecord } from '#core/api/calls/version.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import { ChangeLines } from './ChangeLines.tsx'
import { MigrationLogButton } from './MigrationLogButton.tsx'
import classes from './versions.module.css'
import { VersionActions } from './VersionActions.tsx'
import { VersionStage } from './VersionStage.tsx'

interface VersionTableProps {
  readonly project: ProjectRow
  readonly records: readonly VersionRecord[]
  readonly onCompare: (version: VersionRecord) => void
}

/** The versions with their stage, their changes, their author and time, and the acts on each. */
export function VersionTable({ project, records, onCompare }: VersionTableProps) {
  const { t } = useTranslation(['admin', 'versions'])
  const columns: readonly DataColumn<VersionRecord>[] = [
    {
      key: 'version',
      title: t('crf.columns.version'),
      short: true,
      cell: ({ versionNoDesc }) => <strong>{versionNoDesc}</strong>,
    },
    {
      key: 'stage',
      title: t('crf.columns.stage'),
      short: true,
      cell: (version) => <VersionStage version={version} />,
    },
    { key: 'remark', title: t('crf.columns.remark'), cell: ({ remark }) => remark ?? '' },
    {
      key: 'changes',
      title: t('versions:history.changes'),
      cell: (version) => (
        <ChangeLines
          version={version}
          {...(canCompare(records, version) ? { onCompare: () => onCompare(version) } : {})}
        />
      ),
    },
    {
      key: 'made',
      title: t('versions:history.made'),
      cell: (version) => (
        <MadeLines
          version={version}
          projectId={project.id}
          mayRelease={project.permissions.includes('project_crf_test_publish')}
        />
      ),
    },
    {
      key: 'action',
      title: t('crf.columns.action'),
      cell: (version) =>
        version.deleted ? null : (
          <VersionActions project={project} version={version} previousId={previousOf(records, version)} />
        ),
    },
  ]
  return <DataTable caption={t('crf.title')} rows={records} rowKey={({ id }) => id} columns={columns} />
}

/** Whether there is another version that was not deleted. */
function canCompare(records: readonly VersionRecord[], version: VersionRecord): boolean {
  return !version.deleted && records.some(({ id, deleted }) => id !== version.id && !deleted)
}

/**
 * The version from which a draft was made, and which becomes current again when the draft is deleted; null where there
 * is none.
 */
function previousOf(records: readonly VersionRecord[], { baseId }: VersionRecord): string | null {
  return records.find(({ id, deleted }) => id === baseId && !deleted)?.id ?? null
}

interface MadeLinesProps {
  readonly version: VersionRecord
  readonly projectId: string
  readonly mayRelease: boolean
}

/** The author and the time of a version, its release, and the migration log of the release. */
function MadeLines({ version, projectId, mayRelease }: MadeLinesProps) {
  const { createdByName, createdAt, releasedAt, migrationTaskIds } = version
  const { t } = useTranslation('versions')
  return (
    <div className={classes.made}>
      <span>{createdByName}</span>
      <span>{fullTime(createdAt)}</span>
      {releasedAt !== null && <span>{t('history.released', { time: fullTime(releasedAt) })}</span>}
      {mayRelease && migrationTaskIds.length > 0 && <MigrationLogButton projectId={projectId} version={version} />}
    </div>
  )
}
