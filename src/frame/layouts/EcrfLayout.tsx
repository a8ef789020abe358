import { Navigate, Outlet, useParams, useSearchParams } from 'react-router-dom'
import { isId } from '#core/ids.ts'
import { OpenSearchContext } from '#src/frame/palette/openSearch.ts'
import { usePalette } from '#src/frame/palette/usePalette.tsx'
import { DeviceNotices } from '#src/frame/shell/DeviceNotices.tsx'

import { ProjectOfPatient } from './ProjectOfPatient.tsx'

/** The patient that the screens below are about. */
export interface EcrfPlace {
  readonly projectId: string
  readonly patientId: string
}

/** A patient's casebook without navigation around it: on a tablet the page has the whole screen. */
export function EcrfLayout() {
  const { patientId = '' } = useParams()
  const [search] = useSearchParams()
  // Its button is in the header of each screen; the search stays open while the screen below it changes.
  const palette = usePalette()
  const projectId = search.get('p') ?? ''
  if (!isId(patientId) || (projectId !== '' && !isId(projectId))) return <Navigate to="/404" replace />
  if (projectId === '') return <ProjectOfPatient patientId={patientId} />
  const place: EcrfPlace = { projectId, patientId }
  return (
    <OpenSearchContext value={palette.open}>
      <DeviceNotices />
      <Outlet context={place} />
      {palette.dialog}
    </OpenSearchContext>
  )
}
