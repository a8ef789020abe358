import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { PagePlace, VersionFolder } from '#core/form/compiled/version.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'

/** Compiled engines of pages: the same page of another patient opens without compiling again. */

interface Known {
  readonly folders: readonly VersionFolder[]
  readonly compiled: CompiledVersion
}

/** By version id. The version that was asked for last is at the end. */
const versions = new Map<string, Known>()
/** Definitions are large, and an afternoon's work needs one or two versions. */
const MOST = 4

/**
 * The engine of a page at its place in the version. The same object is returned as long as the version stays the same.
 * Null when the page cannot be read: then the screen says so, and saving is refused.
 */
export function compiledPage(version: Pick<VersionRow, 'id' | 'folders'>, place: PagePlace): CompiledPage | null {
  const result = compiledVersion(version).page(place)
  return result.ok ? result.compiled : null
}

function compiledVersion({ id, folders }: Pick<VersionRow, 'id' | 'folders'>): CompiledVersion {
  const before = versions.get(id)
  // A test version that went back to its designer comes again under the same id, with other pages.
  const known =
    before !== undefined && saysTheSame(before.folders, folders)
      ? before
      : { folders, compiled: new CompiledVersion(folders) }
  versions.delete(id)
  versions.set(id, known)
  const [oldest] = versions.keys()
  if (versions.size > MOST && oldest !== undefined) versions.delete(oldest)
  return known.compiled
}

function saysTheSame(one: readonly VersionFolder[], other: readonly VersionFolder[]): boolean {
  return (
    one === other || isEqual(one, other, (a, b) => a.folderCode === b.folderCode && isEqual(a.pages, b.pages, samePage))
  )
}

function samePage(a: VersionFolder['pages'][number], b: VersionFolder['pages'][number]): boolean {
  return a.pageCode === b.pageCode && a.option === b.option
}

function isEqual<Part>(one: readonly Part[], other: readonly Part[], same: (a: Part, b: Part) => boolean): boolean {
  return (
    one.length === other.length &&
    one.every((part, at) => {
      const its = other[at]
      return its !== undefined && same(part, its)
    })
  )
}
