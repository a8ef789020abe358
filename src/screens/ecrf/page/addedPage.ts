import { entryId } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Casebook, CasebookFolder, CasebookPage } from '#src/data/shapes/types.ts'

/**
 * The casebook with a page that a person is about to add, as the address names it (`addedPageAddress`). The page exists
 * only once something is entered: one that was opened by mistake leaves nothing behind.
 */
export function withAdded(book: Casebook, added: string | null, id: string): Casebook {
  const [folderId, folderRepeat, pageId, pageRepeat] = added?.split('.') ?? []
  if (folderId === undefined || folderRepeat === undefined || pageId === undefined || pageRepeat === undefined)
    return book
  const { patient } = book
  const target: EntryTarget = {
    patientId: patient.id,
    folderId,
    folderRepeat,
    pageId,
    pageRepeat,
    parentEntryId: null,
    pass: patient.pass,
  }
  if (entryId(target) !== id) return book
  return {
    ...book,
    folders: book.folders.map((folder) =>
      folder.folderId === folderId && folder.folderRepeat === folderRepeat
        ? withPage(book, folder, target, id)
        : folder,
    ),
  }
}

function withPage({ version }: Casebook, folder: CasebookFolder, target: EntryTarget, id: string): CasebookFolder {
  if (folder.pages.some((page) => page.entryId === id)) return folder
  const page = version.folders.find((one) => one.id === folder.folderId)?.pages.find((one) => one.id === target.pageId)
  if (page === undefined) return folder
  const before = folder.pages.findLastIndex((one) => one.target.pageId === page.id)
  const at = before < 0 ? folder.pages.length : before + 1
  const { pageName, pageNameEn, pageCode, repeatable } = page
  const repeatNo = folder.pages.filter((one) => one.target.pageId === page.id).length + 1
  const blank: CasebookPage = {
    target,
    entryId: id,
    folderName: folder.folderName,
    folderNameEn: folder.folderNameEn,
    pageName,
    pageNameEn,
    pageCode,
    repeatable,
    repeatNo,
    status: 'init',
    progress: null,
    mark: null,
    removableAt: null,
  }
  return { ...folder, pages: folder.pages.toSpliced(at, 0, blank) }
}
