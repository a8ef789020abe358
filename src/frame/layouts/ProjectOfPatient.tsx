import { Navigate, useLocation } from 'react-router-dom'
import { useProjectOf } from '#src/data/hooks/patients.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'

/**
 * The specification's address of a casebook names only the patient: this looks up the project and opens the same place
 * in it.
 */
export function ProjectOfPatient({ patientId }: { readonly patientId: string }) {
  const { pathname, search } = useLocation()
  const project = useProjectOf(patientId)
  if (project.state === 'failed' && project.error.code === 'not_found') return <NoAccess />
  return (
    <Loaded of={project} rows={8}>
      {(projectId) => {
        const query = new URLSearchParams(search)
        query.set('p', projectId)
        return <Navigate to={`${pathname}?${query.toString()}`} replace />
      }}
    </Loaded>
  )
}
