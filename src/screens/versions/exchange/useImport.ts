import { useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import type { DefinitionInput } from '#core/api/calls/design.ts'
import type { ImportMode } from '#core/wire/importModes.ts'
import { useServerAction } from '#src/data/server.ts'

/** The result of an import, and whether it was undone. */
export interface Imported {
  readonly pages: number
  readonly fields: number
  readonly stateId: string
  readonly rev: number
  readonly isBack: boolean
}

interface ImportInput {
  readonly definition: DefinitionInput
  readonly sourceName: string
  readonly source: string
  /** The revision of the draft at the time of the preview. */
  readonly rev: number
  readonly mode: ImportMode
}

interface ImportPlace {
  readonly projectId: string
  readonly versionId: string
  /** Called when somebody has saved the draft since the preview. */
  readonly onDraftChanged: () => void
}

interface ImportWork {
  readonly busy: boolean
  readonly error: ApiError | null
  readonly done: Imported | null
  readonly send: (input: ImportInput) => Promise<void>
  readonly takeBack: (imported: Imported) => Promise<void>
}

/** Puts a definition into a draft, and undoes that on demand. */
export function useImport({ projectId, versionId, onDraftChanged }: ImportPlace): ImportWork {
  const act = useServerAction()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [done, setDone] = useState<Imported | null>(null)

  const send = async (body: ImportInput) => {
    setBusy(true)
    const result = await act('version.import', { query: { crfId: versionId }, body, projectId })
    setBusy(false)
    setError(result.ok ? null : result.error)
    if (result.ok) setDone({ ...result.value, isBack: false })
    else if (result.error.code === 'draft_changed') onDraftChanged()
  }
  const takeBack = async ({ stateId, rev, ...counts }: Imported) => {
    setBusy(true)
    const result = await act('version.designRestore', {
      query: { crfId: versionId },
      body: { stateId, rev },
      projectId,
    })
    setBusy(false)
    if (result.ok) setDone({ ...counts, stateId, rev, isBack: true })
    else setError(result.error)
  }
  return { busy, error, done, send, takeBack }
}
