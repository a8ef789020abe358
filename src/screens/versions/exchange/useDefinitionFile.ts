import { useEffect, useRef, useState } from 'react'
import type { DefinitionError, StudyDefinition } from '#core/exchange/definition.ts'
import type { ReadDefinition } from '#core/exchange/readDefinition.ts'

import type { DefinitionWork } from './definitionFile.ts'
import { readDefinitionFile } from './definitionFile.ts'

/** A chosen file, and the definition in it. */
export interface ReadFile {
  readonly name: string
  readonly evidence: string
  readonly definition: StudyDefinition
}

/** Why a chosen file could not be used. */
export type FileTrouble = DefinitionError | { readonly kind: 'unreadable' }

/** The file that the user chooses, and how far the reading is. */
export interface ChosenFile {
  readonly reading: boolean
  readonly file: ReadFile | null
  readonly trouble: FileTrouble | null
  /** Reads another file in its place. */
  readonly read: (chosen: File | null) => Promise<void>
}

/** Reads the study definition of a file beside the page; of several chosen files, the last one counts. */
export function useDefinitionFile(): ChosenFile {
  const [reading, setReading] = useState(false)
  const [file, setFile] = useState<ReadFile | null>(null)
  const [trouble, setTrouble] = useState<FileTrouble | null>(null)

  // The reading is stopped when the user closes the dialog.
  const under = useRef<DefinitionWork<ReadDefinition> | null>(null)
  useEffect(() => () => under.current?.stop(), [])

  const read = async (chosen: File | null) => {
    if (chosen === null) return
    setReading(true)
    setTrouble(null)
    setFile(null)
    under.current?.stop()
    under.current = readDefinitionFile(chosen)
    const outcome = await under.current.done
    setReading(false)
    if (outcome === null) return setTrouble({ kind: 'unreadable' })
    const { evidence, result } = outcome
    if (!result.ok) return setTrouble(result.error)
    return setFile({ name: chosen.name, evidence, definition: result.definition })
  }
  return { reading, file, trouble, read }
}
