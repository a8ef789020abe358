import { IconFileText, IconPlus } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { VersionRecord } from '#core/api/calls/version.ts'
import { crfProfileNames } from '#core/study/versionLife.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { DraftDialog } from '#src/frame/shell/bar/DraftDialog.tsx'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import { ChangeLines } from './ChangeLines.tsx'
import { MigrationLogButton } from './MigrationLogButton.tsx'
import classes from './changeLines.module.css'
import { VersionActions } from './VersionActions.tsx'

// What reads two definitions comes only when they are compared.
const DifferenceDialog = lazy(async () => ({ default: (await import('./DifferenceDialog.tsx')).DifferenceDialog }))

/** The versions of a project's forms, and what can be done with each (specification §4). */
export function VersionsScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t, i18n } = useTranslation(['admin', 'versions'])
  const versions = useServerQuery('version.history', {
    query: { projectId: project.id, current: 1, size: 100 },
    projectId: project.id,
  })
  const [drafting, setDrafting] = useState(false)
  const [compared, setCompared] = useState<VersionRecord | null>(null)
  const profiles = crfProfileNames[i18n.language === 'en' ? 'en' : 'zh']
  const mayDraft = ({ records }: { readonly records: readonly VersionRecord[] }) =>
    project.permissions.includes('project_crf_new') &&
    !records.some(({ crfProfile, deleted }) => crfProfile !== 'formal' && !deleted)
  const draftButton = (
    <ServerButton size="md" leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setDrafting(true)}>
      {t('crf.draft.open')}
    </ServerButton>
  )
  return (
    <PageFrame
      title={t('crf.title')}
      actions={versions.state === 'ready' && mayDraft(versions.value) ? draftButton : undefined}
    >
      <Loaded of={versions} rows={3}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState
              icon={<IconFileText size={44} stroke={1.4} />}
              title={t('crf.empty.title')}
              text={t('crf.empty.text')}
              {...(mayDraft({ records }) ? { action: draftButton } : {})}
            />
          ) : (
            <DataTable
              caption={t('crf.title')}
              rows={records}
              rowKey={({ id }) => id}
              columns={[
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
                  cell: ({ crfProfile, deleted, superseded }) =>
                    deleted
                      ? t('versions:history.deleted')
                      : superseded
                        ? t('versions:history.superseded')
                        : profiles[crfProfile],
                },
                { key: 'remark', title: t('crf.columns.remark'), cell: ({ remark }) => remark ?? '' },
                {
                  key: 'changes',
                  title: t('versions:history.changes'),
                  cell: (version) => (
                    <ChangeLines
                      version={version}
                      {...(canCompare(records, version) ? { onCompare: () => setCompared(version) } : {})}
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
              ]}
            />
          )
        }
      </Loaded>
      {drafting && <DraftDialog projectId={project.id} onClose={() => setDrafting(false)} />}
      {compared !== null && versions.state === 'ready' && (
        <Suspense fallback={null}>
          <DifferenceDialog
            projectId={project.id}
            versions={versions.value.records}
            version={compared}
            onClose={() => setCompared(null)}
          />
        </Suspense>
      )}
    </PageFrame>
  )
}

/** Whether there is another version beside it that was not deleted. */
function canCompare(records: readonly VersionRecord[], version: VersionRecord): boolean {
  return !version.deleted && records.some(({ id, deleted }) => id !== version.id && !deleted)
}

/**
 * The version that a draft was made from, which is gone back to when the draft is deleted; null where there is none.
 */
function previousOf(records: readonly VersionRecord[], { baseId }: VersionRecord): string | null {
  return records.find(({ id, deleted }) => id === baseId && !deleted)?.id ?? null
}

interface MadeLinesProps {
  readonly version: VersionRecord
  readonly projectId: string
  readonly mayRelease: boolean
}

/** Who made a version and when, when it was released, and the log of what its release brought along. */
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
