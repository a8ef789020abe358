import { useTranslation } from 'react-i18next'
import { Navigate, useOutletContext } from 'react-router-dom'
import { patientsAddress } from '#src/app/addresses.ts'
import { adminAreas } from '#src/app/shell/adminAreas.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'

import { useEntryVersion } from './useEntryVersion.ts'
import type { WorkspacePlace } from './workspacePlace.ts'

/** Where a workspace opens: a project that is being set up in its administration, any other at its first version (SPEC §2). */
export function WorkspaceStart() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('ecrf')
  const version = useEntryVersion(project.id)
  const [area] = adminAreas(project)
  if (version.state === 'loading') return <Loaded of={{ state: 'loading' }} rows={8}>{() => null}</Loaded>
  if (area !== undefined && (project.projectStatus === 'start' || version.state === 'none')) {
    return <Navigate to={`admin/${version.state === 'none' ? 'crfHistory' : area}`} replace />
  }
  if (version.state === 'none') return <EmptyState title={t('casebook.empty.title')} text={t('casebook.empty.text')} />
  return <Navigate to={patientsAddress(project.id, version.versionId)} replace />
}
