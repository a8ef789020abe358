import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { VersionRecord } from '#core/api/calls/version.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { DraftDialog } from '#src/frame/shell/bar/DraftDialog.tsx'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NoVersion } from '#src/ui/illustrations/NoVersion.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { laterPart } from '#src/parts/laterPart.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import { VersionTable } from './VersionTable.tsx'

// The comparison of two definitions is loaded only when it is needed.
const DifferenceDialog = laterPart(async () => (await import('./DifferenceDialog.tsx')).DifferenceDialog, NotLoaded)

/** The versions of a project's forms, and the acts on each (specification §4). */
export function VersionsScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('admin')
  const versions = useServerQuery('version.history', {
    query: { projectId: project.id, current: 1, size: 100 },
    projectId: project.id,
  })
  const [drafting, setDrafting] = useState(false)
  const [compared, setCompared] = useState<VersionRecord | null>(null)
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
      wide
      actions={versions.state === 'ready' && mayDraft(versions.value) ? draftButton : undefined}
    >
      <Loaded of={versions} rows={3}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState
              icon={<NoVersion />}
              title={t('crf.empty.title')}
              text={t('crf.empty.text')}
              {...(mayDraft({ records }) ? { action: draftButton } : {})}
            />
          ) : (
            <VersionTable project={project} records={records} onCompare={setCompared} />
          )
        }
      </Loaded>
      {drafting && <DraftDialog projectId={project.id} onClose={() => setDrafting(false)} />}
      {compared !== null && versions.state === 'ready' && (
        <DifferenceDialog
          projectId={project.id}
          versions={versions.value.records}
          version={compared}
          onClose={() => setCompared(null)}
        />
      )}
    </PageFrame>
  )
}
