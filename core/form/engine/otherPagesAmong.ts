import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { findEntry } from '#core/form/compiled/repeats.ts'
import type { EntryPosition } from '#core/form/compiled/repeats.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import type { OtherPages } from './otherPages.ts'
import { NO_OTHER_PAGES } from './otherPages.ts'

/** A page that was filled in, with its place in the casebook. */
export interface SavedEntry extends EntryPosition {
  readonly data: EntryData
}

/**
 * What the rules of a page read of the other pages, where the whole casebook is known.
 *
 * @param reader the place of the page whose rules are run
 * @param saved every page of the casebook that was filled in
 * @param folders codes of the version's visits, in their order
 */
export function otherPagesAmong(
  compiled: CompiledPage,
  reader: EntryPosition,
  saved: readonly SavedEntry[],
  folders: readonly string[],
): OtherPages {
  if (compiled.otherPages.length === 0) return NO_OTHER_PAGES
  const byPosition = new Map(saved.map((entry) => [positionKey(entry), entry.data]))
  return new Map(
    compiled.otherPages.flatMap((place): readonly (readonly [string, EntryData])[] => {
      const found = findEntry(place, reader, { entries: saved, folders })
      const data = found === null ? undefined : byPosition.get(positionKey(found))
      return data === undefined ? [] : [[placeKey(place), data]]
    }),
  )
}

function positionKey({ folder, folderRepeat, page, pageRepeat }: EntryPosition): string {
  return [folder, folderRepeat, page, pageRepeat].join('/')
}
