import type { FolderRow, PageRow, VersionRow } from '#core/api/sync/rows.ts'

import type { DefinedFolder, DefinedPage, StudyDefinition } from './definition.ts'
import { checkStudy } from './json/schema.ts'
import type { NotWritten } from './notWritten.ts'

/** A version's definition, and the pages of it that no writer can take. */
export interface VersionDefinition {
  readonly definition: Pick<StudyDefinition, 'pages' | 'folders'>
  readonly notWritten: readonly NotWritten[]
}

/**
 * A version as a definition: its visits in their order and each page once, however many visits it stands in. A page
 * whose option cannot be read is left out and told with its text, and so is what a visit says of a page otherwise than
 * the visit before it: nothing of either is guessed.
 */
export function definitionOf({ folders }: Pick<VersionRow, 'folders'>): VersionDefinition {
  const told: NotWritten[] = []
  const rows = new Map<string, PageRow>()
  const pages = new Map<string, DefinedPage>()
  for (const row of folders.flatMap((folder) => folder.pages)) {
    const known = rows.get(row.pageCode)
    if (known !== undefined) {
      if (!isSame(known, row))
        told.push({ page: row.pageCode, field: row.pageName, what: 'otherDefinition', text: row.option })
      continue
    }
    rows.set(row.pageCode, row)
    const page = pageOf(row)
    if (page.ok) pages.set(row.pageCode, page.page)
    else told.push({ page: row.pageCode, field: page.path, what: 'unreadable', text: row.option })
  }
  return {
    definition: { pages: [...pages.values()], folders: folders.map((folder) => folderOf(folder, pages)) },
    notWritten: told,
  }
}

type PageOf = { readonly ok: true; readonly page: DefinedPage } | { readonly ok: false; readonly path: string }

function pageOf({ pageCode, pageName, pageNameEn, repeatable, option }: PageRow): PageOf {
  // The writers take what the reader of our own format takes: a stored option may come from anywhere.
  const result = checkStudy({
    pages: [
      {
        pageCode,
        pageName,
        ...(pageNameEn === undefined ? {} : { pageNameEn }),
        repeatable,
        option: parseOption(option),
      },
    ],
    folders: [],
  })
  if (!result.ok)
    return { ok: false, path: result.error.kind === 'wrong-shape' ? result.error.path.replace(/^pages\.0\./, '') : '' }
  const [page] = result.study.pages
  return page === undefined ? { ok: false, path: '' } : { ok: true, page }
}

/** Undefined, which is no option, where it is no JSON. */
function parseOption(option: string): unknown {
  try {
    return JSON.parse(option)
  } catch {
    return undefined
  }
}

function isSame(one: PageRow, other: PageRow): boolean {
  return (
    one.option === other.option &&
    one.pageName === other.pageName &&
    one.pageNameEn === other.pageNameEn &&
    one.repeatable === other.repeatable
  )
}

function folderOf(
  { folderCode, folderName, folderNameEn, schedule, pages }: FolderRow,
  known: ReadonlyMap<string, DefinedPage>,
): DefinedFolder {
  const codes = pages.map(({ pageCode }) => pageCode).filter((code) => known.has(code))
  return {
    folderCode,
    folderName,
    ...(folderNameEn === undefined ? {} : { folderNameEn }),
    pages: codes,
    ...(schedule === undefined ? {} : { schedule }),
  }
}
