import { Navigate, useOutletContext, useParams } from 'react-router-dom'
import { casebookAddress, entryAddress, fileAddress } from '#src/paths/addresses.ts'
import { useCasebook } from '#src/data/hooks/patients.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

import type { EcrfPlace } from './EcrfLayout.tsx'

/**
 * The specification's address of a page: the visit (branch) and the page of the version. It leads to the page's data,
 * whose own address holds also where pages and visits repeat; a page that the patient does not have leads to the
 * casebook.
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
            to={
              page === undefined
                ? casebookAddress(projectId, patientId)
                : entryAddress(projectId, patientId, page.entryId)
            }
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
  return <Navigate to={fileAddress(projectId, patientId, attachId)} replace />
}
