import { useEffect, useEffectEvent } from 'react'
import { sharedValue } from '#src/frame/sharedValue.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { openPage } from '#src/screens/design/selection.ts'

/** Which visits of the tree are folded, remembered on this device for the versions that were opened last. */

/** Of how many versions it is remembered. */
const MOST_VERSIONS = 8

type Folded = Readonly<Record<string, readonly string[]>>

const stored = sharedValue<Folded>('zhenglu.design.folded', (value) =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(
        Object.entries(value).flatMap(([crfId, ids]): [string, readonly string[]][] =>
          Array.isArray(ids) ? [[crfId, ids.filter((id): id is string => typeof id === 'string')]] : [],
        ),
      ),
)

export interface FoldedVisits {
  readonly isFolded: (folderId: string) => boolean
  readonly fold: (folderId: string, isFolded: boolean) => void
  readonly foldOnly: (folderIds: readonly string[]) => void
}

/** The folded visits of a version. A page that is selected elsewhere unfolds its visit, so that it is in sight. */
export function useFoldedVisits(crfId: string, selection: Selection): FoldedVisits {
  const folded = stored.use()[crfId] ?? NONE
  const open = openPage(selection)
  const foldOnly = (folderIds: readonly string[]) => {
    const { [crfId]: _, ...others } = stored.get()
    const kept = Object.entries(others).slice(1 - MOST_VERSIONS)
    stored.set(Object.fromEntries(folderIds.length === 0 ? kept : [...kept, [crfId, folderIds]]))
  }
  const fold = (folderId: string, isFolded: boolean) => {
    const others = folded.filter((id) => id !== folderId)
    foldOnly(isFolded ? [...others, folderId] : others)
  }
  // Only a new selection unfolds: a visit may be folded while its page is open.
  const unfold = useEffectEvent((folderId: string) => {
    if (folded.includes(folderId)) fold(folderId, false)
  })
  const [folderId, pageId] = [open?.folderId ?? null, open?.pageId ?? null]
  useEffect(() => {
    if (folderId !== null && pageId !== null) unfold(folderId)
  }, [folderId, pageId])
  return { isFolded: (id) => folded.includes(id), fold, foldOnly }
}

const NONE: readonly string[] = []
