import type { ClinicalStudy } from '#core/exchange/clinical/subject.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'

/** The pages of a study's versions, each text read once, for all of its casebooks. */

export interface PaperPage {
  readonly folder: FolderRow
  readonly row: PageRow
  /** Null where it cannot be read. */
  readonly model: PageModel | null
}

export class PaperStudy {
  readonly study: ClinicalStudy
  readonly #pages = new Map<string, PaperPage>()
  readonly #folders = new Map<string, FolderRow>()
  readonly #versions: ReadonlyMap<string, number>
  readonly #people: ReadonlyMap<string, string>

  constructor(study: ClinicalStudy) {
    this.study = study
    this.#versions = new Map(study.versions.map(({ id, versionNo }) => [id, versionNo]))
    this.#people = new Map(study.users.map(({ id, name }) => [id, name]))
    const models = new Map<string, PageModel | null>()
    for (const version of study.versions)
      for (const folder of version.folders) {
        // Of two versions the newer one has the words; they come in the order of their numbers.
        this.#folders.delete(folder.id)
        this.#folders.set(folder.id, folder)
        for (const row of folder.pages)
          this.#pages.set(keyOf(version.id, folder.id, row.id), { folder, row, model: readModel(models, row.option) })
      }
  }

  pageOf(versionId: string, folderId: string, pageId: string): PaperPage | null {
    return this.#pages.get(keyOf(versionId, folderId, pageId)) ?? null
  }

  /** A field of a page, as a version defines it. */
  fieldOf(page: PaperPage | null, table: string | null, code: string): Field | null {
    const top = page?.model?.byCode.get(table ?? code) ?? null
    return table === null ? top : (top?.children.find((child) => child.code === code) ?? null)
  }

  /** A visit in the words of the newest version that has it. */
  folderOf(folderId: string): FolderRow | null {
    return this.#folders.get(folderId) ?? null
  }

  /** Visits of all versions, in the order of the newest that has each. */
  folderIds(): readonly string[] {
    const newest = this.study.versions.at(-1)?.folders.map(({ id }) => id) ?? []
    return [...new Set([...newest, ...this.#folders.keys()])]
  }

  versionNo(versionId: string): number | null {
    return this.#versions.get(versionId) ?? null
  }

  nameOf(userId: string | null): string | null {
    return userId === null ? null : (this.#people.get(userId) ?? null)
  }
}

function keyOf(versionId: string, folderId: string, pageId: string): string {
  return `${versionId} ${folderId} ${pageId}`
}

function readModel(known: Map<string, PageModel | null>, option: string): PageModel | null {
  const before = known.get(option)
  if (before !== undefined) return before
  const read = parsePage(option)
  const model = read.ok ? read.page : null
  known.set(option, model)
  return model
}
