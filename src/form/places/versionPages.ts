import type { FolderRow, PageRow, VersionRow } from '#core/api/sync/rows.ts'
import type { English } from '#core/form/definition/inLanguage.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { fieldsOf } from './fieldAt.ts'

/** A page in a visit of the casebook, of any patient. */
export type PlaceInBook = Pick<EntryTarget, 'folderId' | 'pageId'>

/** What a version knows about a page in one of its visits. */
export interface PageInVersion {
  readonly folderName: string
  readonly folderNameEn: English
  readonly pageName: string
  readonly pageNameEn: English
  readonly fieldAt: ReturnType<typeof fieldsOf>
}

/** Pages by their place, because one page may stand in several visits. */
interface PagesByPlace {
  readonly get: (place: PlaceInBook) => PageInVersion | undefined
}

/** Gives the pages of versions. Each version is read once, when it is first asked for. */
export function makePageReader(): (version: VersionRow) => PagesByPlace {
  const read = new Map<VersionRow, PagesByPlace>()
  return (version) => {
    const pages = read.get(version) ?? pagesByPlace(version)
    read.set(version, pages)
    return pages
  }
}

function pagesByPlace({ folders }: VersionRow): PagesByPlace {
  const read = new Map<string, PageInVersion>()
  const all = new Map(
    folders.flatMap((folder) =>
      folder.pages.map((page): readonly [string, { readonly folder: FolderRow; readonly page: PageRow }] => [
        `${folder.id} ${page.id}`,
        { folder, page },
      ]),
    ),
  )
  return {
    get: ({ folderId, pageId }) => {
      const key = `${folderId} ${pageId}`
      const known = read.get(key)
      const found = all.get(key)
      if (known !== undefined || found === undefined) return known
      const made = {
        folderName: found.folder.folderName,
        folderNameEn: found.folder.folderNameEn,
        pageName: found.page.pageName,
        pageNameEn: found.page.pageNameEn,
        fieldAt: fieldsOf(found.page.option),
      }
      read.set(key, made)
      return made
    },
  }
}
