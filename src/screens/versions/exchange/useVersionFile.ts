import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { SavedFormat, VersionFormat } from '#core/exchange/exportFormats.ts'
import { isPaper } from '#core/exchange/exportFormats.ts'
import type { PaperFormat } from '#core/study/paperForms.ts'
import type { WrittenDefinition } from '#core/exchange/writeDefinition.ts'
import type { ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import { useSession } from '#src/session/useSession.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { DefinitionWork } from './definitionFile.ts'
import { writeVersionFile } from './definitionFile.ts'

/** How far the writing of a file is. */
export type WritingStep =
  | { readonly at: 'choosing' | 'writing' | 'failed' }
  | { readonly at: 'refused'; readonly error: ApiError }
  | { readonly at: 'written'; readonly written: WrittenDefinition }

interface VersionFile {
  readonly step: WritingStep
  readonly write: (format: SavedFormat) => Promise<void>
  /** Discards the written file, because another format is wanted. */
  readonly startOver: () => void
}

/** Writes the server's state of a version into a file of a format. */
export function useVersionFile(
  project: Pick<ProjectRow, 'id' | 'projectName'>,
  version: Pick<VersionSummary, 'id'>,
): VersionFile {
  const { call } = useSession()
  const language = useLanguage()
  const [step, setStep] = useState<WritingStep>({ at: 'choosing' })

  // The writing is stopped when the user closes the dialog.
  const under = useRef<DefinitionWork<WrittenDefinition> | null>(null)
  const closed = useRef(false)
  useEffect(() => {
    closed.current = false
    return () => {
      closed.current = true
      under.current?.stop()
    }
  }, [])

  const writeRow = async (row: VersionRow, format: VersionFormat) => {
    under.current = writeVersionFile(row, format, {
      studyName: project.projectName,
      writtenAt: new Date().toISOString(),
      language,
    })
    try {
      const written = await under.current.done
      setStep(written === null ? { at: 'failed' } : { at: 'written', written })
    } catch (cause) {
      setStep({ at: 'failed' })
      throw cause
    }
  }
  /** The server sets it in type. */
  const print = async (style: PaperFormat) => {
    const made = await call('version.print', {
      params: { id: version.id },
      query: { style, language },
      projectId: project.id,
    })
    if (closed.current) return
    if (!made.ok) {
      setStep({ at: 'refused', error: made.error })
      return
    }
    const content = new Uint8Array(await made.value.arrayBuffer())
    setStep({ at: 'written', written: { content, notWritten: [] } })
  }
  const write = async (format: SavedFormat) => {
    setStep({ at: 'writing' })
    if (isPaper(format)) {
      await print(format)
      return
    }
    const row = await call('version.detail', { params: { id: version.id }, projectId: project.id })
    if (closed.current) return
    if (row.ok) await writeRow(row.value, format)
    else setStep({ at: 'refused', error: row.error })
  }
  return { step, write, startOver: () => setStep({ at: 'choosing' }) }
}
