import { Navigate, useOutletContext, useParams } from 'react-router-dom'
import { casebookPath, entryPath, filePath } from '#src/paths/screenPaths.ts'
import { useCasebook } from '#src/data/hooks/patients.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

import type { EcrfPlace } from './EcrfLayout.tsx'

/**
 * The specification's address of a page: the visit (branch) and the page of the version. It redirects to the page's
 * data, whose own address also works for repeated pages and visits. For a page that the patient does not have, it
 * redirects to the casebook.
 */
export function BranchPage() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { branch = '', pageId = '' } = useParams()
  const casebook = useCasebook(patientId, projectId)
  return (
    <Loaded of={casebook} rows={8}>
      {({ folders }) => {
        const page = folders
          .flatMap(({ pages }) => pages)
          .find(({ target }) => target.folderId === branch && target.pageId === pageId)
        return (
          <Navigate
            to={page === undefined ? casebookPath(projectId, patientId) : entryPath(projectId, patientId, page.entryId)}
            replace
          />
        )
      }}
    </Loaded>
  )
}

/** The specification's address of a file beside its page: the file knows its page. */
export function BranchFile() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { attachId = '' } = useParams()
  return <Navigate to={filePath(projectId, patientId, attachId)} replace />
}
