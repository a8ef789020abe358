import { useEffect, useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'

type FileContent =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly address: string }
  | { readonly state: 'failed'; readonly error: ApiError }

/** The content of a file, for as long as the file is shown. */
export function useFileContent(projectId: string, fileId: string): FileContent {
  const { fileContent } = useDataActions()
  const [content, setContent] = useState<{ readonly fileId: string; readonly is: FileContent } | null>(null)
  useEffect(() => {
    let address: string | null = null
    let isOver = false
    void fileContent(projectId, fileId).then((read) => {
      if (isOver) return
      if (!read.ok) return setContent({ fileId, is: { state: 'failed', error: read.error } })
      address = URL.createObjectURL(read.value)
      setContent({ fileId, is: { state: 'ready', address } })
    })
    return () => {
      isOver = true
      if (address !== null) URL.revokeObjectURL(address)
    }
  }, [fileContent, projectId, fileId])
  return content?.fileId === fileId ? content.is : { state: 'loading' }
}
