import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { otherPagesAmong } from '#core/form/engine/otherPagesAmong.ts'
import type { SavedEntry } from '#core/form/engine/otherPagesAmong.ts'
import type { EntryPosition } from '#core/form/compiled/repeats.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { mayBeMade } from '#core/study/visits/visitPlan.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'

import type { PageAt, UatPage } from './uatEditor.ts'
import { pageKey } from './uatEditor.ts'

/** The casebook of a test subject: the visits and pages of the version, and their further repeats. */

/** A visit, or a repeat of it. */
export interface UatVisit {
  readonly folder: FolderRow
  readonly folderRepeat: string
  /** 1 for the first visit. */
  readonly no: number
  readonly pages: readonly {
    readonly page: PageRow
    readonly at: PageAt
    readonly no: number
    readonly isLast: boolean
  }[]
  /** Whether the visit may be repeated; set on its last repeat. */
  readonly mayRepeat: boolean
}

/**
 * The visits and pages in their order.
 *
 * @param known every page that was filled in, and the open one
 */
export function listUatVisits(folders: readonly FolderRow[], known: readonly PageAt[]): readonly UatVisit[] {
  return folders.flatMap((folder) => {
    const here = known.filter(({ folderId }) => folderId === folder.id)
    const repeats = repeatsOf(here.map(({ folderRepeat }) => folderRepeat))
    return repeats.map((folderRepeat, visit): UatVisit => {
      const visited = here.filter((one) => one.folderRepeat === folderRepeat)
      const pages = folder.pages.flatMap((page) => {
        const again = repeatsOf(visited.filter(({ pageId }) => pageId === page.id).map(({ pageRepeat }) => pageRepeat))
        return again.map((pageRepeat, index) => ({
          page,
          at: { folderId: folder.id, folderRepeat, pageId: page.id, pageRepeat },
          no: index + 1,
          isLast: index === again.length - 1,
        }))
      })
      return {
        folder,
        folderRepeat,
        no: visit + 1,
        pages,
        mayRepeat: mayBeMade(folder) && visit === repeats.length - 1,
      }
    })
  })
}

/** The first repeat, and then those made by hand in the order of their making: their ids begin with the time. */
function repeatsOf(found: readonly string[]): readonly string[] {
  return [FIRST_REPEAT, ...[...new Set(found)].filter((repeat) => repeat !== FIRST_REPEAT).toSorted()]
}

/** The version, in the form that user testing needs. */
export interface UatVersion {
  readonly folders: readonly FolderRow[]
  readonly compiled: CompiledVersion
}

/** The page at a place, ready to be filled in; null where it cannot be read. */
export function compiledAt({ folders, compiled }: UatVersion, at: PageAt): CompiledPage | null {
  const position = positionOf(folders, at)
  const result = position === null ? null : compiled.page(position)
  return result?.ok === true ? result.compiled : null
}

/** What the rules of a page read from the test subject's other pages, saved or not. */
export function otherPagesOf(
  { folders }: UatVersion,
  page: CompiledPage,
  at: PageAt,
  pages: ReadonlyMap<string, UatPage>,
): OtherPages {
  const reader = positionOf(folders, at)
  const saved = [...pages.values()].flatMap((one): readonly SavedEntry[] => {
    const position = pageKey(one) === pageKey(at) ? null : positionOf(folders, one)
    return position === null ? [] : [{ ...position, data: one.data }]
  })
  return reader === null
    ? new Map()
    : otherPagesAmong(
        page,
        reader,
        saved,
        folders.map(({ folderCode }) => folderCode),
      )
}

function positionOf(
  folders: readonly FolderRow[],
  { folderId, folderRepeat, pageId, pageRepeat }: PageAt,
): EntryPosition | null {
  const folder = folders.find(({ id }) => id === folderId)
  const page = folder?.pages.find(({ id }) => id === pageId)
  return folder === undefined || page === undefined
    ? null
    : { folder: folder.folderCode, folderRepeat, page: page.pageCode, pageRepeat }
}
