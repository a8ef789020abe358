import { Button } from '@mantine/core'
import { IconFileText, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { VersionSummary } from '#core/api/calls.version.ts'
import { crfProfileNames } from '#core/study/versionLife.ts'
import type { WorkspacePlace } from '#src/app/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/app/server.ts'
import { DraftDialog } from '#src/app/shell/DraftDialog.tsx'
import { DataTable } from '#src/ui/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { fullTime } from '#src/ui/format.ts'

import { VersionActions } from './VersionActions.tsx'

/** The versions of a project's forms, and what can be done with each (SPEC §4). */
export function VersionsScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t, i18n } = useTranslation('admin')
  const versions = useServerQuery('version.list', { query: { projectId: project.id, current: 1, size: 100 }, projectId: project.id })
  const [drafting, setDrafting] = useState(false)
  const profiles = crfProfileNames[i18n.language === 'en' ? 'en' : 'zh']
  const mayDraft = ({ records }: { readonly records: readonly VersionSummary[] }) =>
    project.permissions.includes('project_crf_new') && !records.some(({ crfProfile }) => crfProfile === 'draft')
  const draftButton = (
    <Button size="md" leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setDrafting(true)}>
      {t('crf.draft.open')}
    </Button>
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
                { key: 'version', title: t('crf.columns.version'), short: true, cell: ({ versionNoDesc }) => <strong>{versionNoDesc}</strong> },
                { key: 'stage', title: t('crf.columns.stage'), short: true, cell: ({ crfProfile }) => profiles[crfProfile] },
                { key: 'remark', title: t('crf.columns.remark'), cell: ({ remark }) => remark ?? '' },
                { key: 'at', title: t('crf.columns.at'), short: true, cell: ({ createdAt }) => fullTime(createdAt) },
                {
                  key: 'action',
                  title: t('crf.columns.action'),
                  cell: (version) => <VersionActions project={project} version={version} />,
                },
              ]}
            />
          )
        }
      </Loaded>
      {drafting && <DraftDialog projectId={project.id} onClose={() => setDrafting(false)} />}
    </PageFrame>
  )
}
