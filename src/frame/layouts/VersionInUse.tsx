import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation, useOutletContext, useParams } from 'react-router-dom'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NoVersion } from '#src/ui/illustrations/NoVersion.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'

import { useEntryVersion } from './useEntryVersion.ts'
import type { WorkspacePlace } from './workspacePlace.ts'

/**
 * Around the screens of data, which always use the version in use, whatever version an address names. An address with
 * another version, or with one that does not exist, redirects to the same place of the version in use
 * (docs/adr/0033-addresses.md).
 */
export function VersionInUse() {
  const place = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('ecrf')
  const { crfId = '' } = useParams()
  const { pathname, search } = useLocation()
  const version = useEntryVersion(place.project.id)
  return (
    <Loaded of={version} rows={8}>
      {(inUse) => {
        if (inUse === null)
          return <EmptyState icon={<NoVersion />} title={t('casebook.empty.title')} text={t('casebook.empty.text')} />
        if (inUse !== crfId)
          return <Navigate to={`${pathname.replace(`/v/${crfId}`, `/v/${inUse}`)}${search}`} replace />
        return <Outlet context={place} />
      }}
    </Loaded>
  )
}
