import { useTranslation } from 'react-i18next'
import { Navigate, useOutletContext } from 'react-router-dom'
import { adminAreas } from '#src/frame/shell/adminAreas.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NoVersion } from '#src/ui/illustrations/NoVersion.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'

import { useEntryVersion } from './useEntryVersion.ts'
import type { WorkspacePlace } from './workspacePlace.ts'

/**
 * Where a workspace opens: for a project that is being set up, in its administration; for any other, at its version in
 * use (specification §2).
 */
export function WorkspaceStart() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('ecrf')
  const version = useEntryVersion(project.id)
  const [area] = adminAreas(project)
  return (
    <Loaded of={version} rows={8}>
      {(versionId) => {
        if (area !== undefined && (project.projectStatus === 'start' || versionId === null)) {
          return <Navigate to={`admin/${versionId === null ? 'crfHistory' : area}`} replace />
        }
        if (versionId === null)
          return <EmptyState icon={<NoVersion />} title={t('casebook.empty.title')} text={t('casebook.empty.text')} />
        return <Navigate to={`v/${versionId}`} replace />
      }}
    </Loaded>
  )
}
