import { Navigate, useParams } from 'react-router-dom'

/** /project/:id leads into the project's workspace. */
export function ProjectLanding() {
  const { id = '' } = useParams()
  return <Navigate to={`/p/${id}`} replace />
}
