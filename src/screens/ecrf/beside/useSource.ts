import { useMemo } from 'react'
import type { Region } from '#core/api/calls/attachment.ts'
import type { ApiError } from '#core/api/errors.ts'
import { filesOf } from '#core/files/inEntry.ts'
import type { PlacedFile } from '#core/files/inEntry.ts'
import { isImageType } from '#core/files/reference.ts'
import type { Field } from '#core/form/definition/page.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { EntryView } from '#src/data/shapes/types.ts'

/** A picture that the page names, and by which field. */
export interface SourcePicture extends PlacedFile {
  readonly field: Field | null
}

/** What the values of a page rest on. */
export interface Source {
  readonly pictures: readonly SourcePicture[]
  readonly regions: readonly Region[]
  /** Whether the server has said which parts of the pictures fields rest on. */
  readonly isKnown: boolean
  readonly failed: ApiError | null
}

/** The pictures of a page, in the order of its fields, with the parts of them that fields rest on. */
export function useSource(projectId: string, view: EntryView): Source {
  const pictures = usePictures(view)
  // Nothing is asked for a page that names no picture, or that the server does not have yet.
  const isAsked = pictures.length > 0 && view.server !== null
  const asOf = pictures.map(({ reference }) => reference.id).join(' ')
  const found = useServerQuery(
    'attachment.pageRegions',
    isAsked ? { query: { id: view.entryId }, projectId } : null,
    asOf,
  )
  return {
    pictures,
    regions: found.state === 'ready' ? found.value : NONE,
    isKnown: !isAsked || found.state === 'ready',
    failed: found.state === 'failed' ? found.error : null,
  }
}

/** The pictures that a page names. */
export function usePictures({ data, compiled }: Pick<EntryView, 'data' | 'compiled'>): readonly SourcePicture[] {
  return useMemo(() => {
    const fields = compiled?.page.byCode
    return filesOf(data)
      .filter(({ reference }) => isImageType(reference.type))
      .map((file) => ({ ...file, field: fields?.get(file.table ?? file.code) ?? null }))
  }, [data, compiled])
}

const NONE: readonly Region[] = []
