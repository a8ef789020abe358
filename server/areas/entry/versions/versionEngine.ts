import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { VersionPageResult } from '#core/form/compiled/compiledVersion.ts'
import type { EntryPosition } from '#core/form/compiled/repeats.ts'
import type { PagePlace as PageCodes, ReadPlace } from '#core/form/compiled/version.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import type { CrfProfile } from '#core/study/versionLife.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { Released } from './released.ts'

/**
 * The pages of a version together, because rules of one may read another. Rules name pages by codes, entries by ids.
 */

/** A page in a visit, by ids. */
export interface PageIds {
  readonly folderId: string
  readonly pageId: string
}

/** An entry in a patient's casebook, by ids. */
export type EntryIds = PageIds & Pick<EntryTarget, 'folderRepeat' | 'pageRepeat'>

/** A version's pages, compiled as they are asked for. */
export class VersionEngine {
  /** Codes of the visits, in their order. */
  readonly folders: readonly string[]
  readonly #version: CompiledVersion
  readonly #codes: ReadonlyMap<string, PageCodes>
  readonly #ids: ReadonlyMap<string, PageIds>

  constructor(rows: readonly PageOfVersion[]) {
    const folders = Map.groupBy(rows, ({ folderCode }) => folderCode)
    this.folders = [...folders.keys()]
    this.#version = new CompiledVersion(Array.from(folders, ([folderCode, pages]) => ({ folderCode, pages })))
    const codesOf = ({ folderCode, pageCode }: PageOfVersion): PageCodes => ({ folder: folderCode, page: pageCode })
    this.#codes = new Map(rows.map((row) => [idKey(row), codesOf(row)]))
    this.#ids = new Map(rows.map((row) => [placeKey(codesOf(row)), { folderId: row.folderId, pageId: row.pageId }]))
  }

  page(place: PageIds): VersionPageResult {
    const codes = this.#codes.get(idKey(place))
    return codes === undefined ? { ok: false, unreadable: null } : this.#version.page(codes)
  }

  /** The entries whose saved data the rules of a page read, with the names that the rules use. */
  readBy(place: PageIds): readonly ReadPlace[] {
    const result = this.page(place)
    return result.ok ? result.compiled.otherPages : []
  }

  /** The place of an entry, by codes; null where the version does not have its page there. */
  positionOf({ folderId, pageId, folderRepeat, pageRepeat }: EntryIds): EntryPosition | null {
    const codes = this.#codes.get(idKey({ folderId, pageId }))
    return codes === undefined ? null : { ...codes, folderRepeat, pageRepeat }
  }

  /** The same place by ids. */
  idsOf({ folder, page, folderRepeat, pageRepeat }: EntryPosition): EntryIds | null {
    const [ids] = this.#withIds({ folder, page })
    return ids === undefined ? null : { ...ids, folderRepeat, pageRepeat }
  }

  /** The pages whose rules read this page's saved data. */
  readersOf(place: PageIds): readonly PageIds[] {
    const codes = this.#codes.get(idKey(place))
    return codes === undefined ? [] : this.#version.readersOf(codes).flatMap((reader) => this.#withIds(reader))
  }

  #withIds(codes: PageCodes): readonly PageIds[] {
    const ids = this.#ids.get(placeKey(codes))
    return ids === undefined ? [] : [ids]
  }
}

/** A key for a page in a visit. */
export function idKey({ folderId, pageId }: PageIds): string {
  return `${folderId}/${pageId}`
}

export interface PageOfVersion extends PageIds {
  readonly folderCode: string
  readonly pageCode: string
  readonly option: string
}

/** Most versions that are kept ready: as many as the patients of a few dozen projects are entered under at one time. */
const MAX_VERSIONS = 40
const engines = new Released<VersionEngine>(MAX_VERSIONS)

/** Clears the cache, because a database may have been put back to before a release. */
export function forgetEngines(): void {
  engines.clear()
}

export interface VersionName {
  readonly versionId: string
  readonly profile: CrfProfile
}

/** The engine of a version. A version that is not released yet is read anew each time, because it may change. */
export async function versionEngine(
  transaction: Queryable,
  { versionId, profile }: VersionName,
): Promise<VersionEngine> {
  const known = engines.get(versionId)
  if (known !== undefined) return known
  const engine = new VersionEngine(await pagesOfVersion(transaction, versionId))
  if (profile === 'formal') engines.keep(versionId, engine)
  return engine
}

/** The pages of a version with their options, in their order. */
export async function pagesOfVersion(transaction: Queryable, versionId: string): Promise<readonly PageOfVersion[]> {
  const { rows } = await transaction.query<PageOfVersion>({
    name: 'version_pages',
    text: `
      SELECT f.folder_id AS "folderId", f.code AS "folderCode", p.page_id AS "pageId", p.code AS "pageCode", p.option
      FROM crf_folder f JOIN crf_page p ON p.version_id = f.version_id AND p.folder_id = f.folder_id
      WHERE f.version_id = $1 ORDER BY f.sort, p.sort`,
    values: [versionId],
  })
  return rows
}
