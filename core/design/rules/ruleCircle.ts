import type { Design } from '#core/design/design.ts'
import { foldersOf } from '#core/design/design.ts'
import { applyEdit } from '#core/design/edit.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'

import type { RuleKey } from './ruleList.ts'
import { ruleAt, setRule } from './ruleList.ts'

/** Whether a rule would close a circle: fields that wait for each other, so that none can be settled. */

/**
 * The path around the circle that a rule would close, in codes, the first repeated at the end; null where the rule
 * closes no new circle. Only rules that show or calculate a field make it wait for others.
 */
export function circleClosedBy(design: Design, address: RuleKey, source: string): readonly string[] | null {
  if (address.kind !== 'show' && address.kind !== 'calculate') return null
  // A rule cannot close a circle with fields that it does not read; removing a rule closes none either.
  if (source.trim() === '' || ruleAt(design, address)?.source === source) return null
  const edit = setRule(design, address, source)
  if (edit === null) return null
  const before = new Set(circlesAt(design, address).map(keyOf))
  return circlesAt(applyEdit(design, edit), address).find((path) => !before.has(keyOf(path))) ?? null
}

/** Circles on the page of a rule, and over several pages. */
function circlesAt(design: Design, { pageId }: RuleKey): readonly (readonly string[])[] {
  const page = design.pages.get(pageId)
  if (page === undefined) return []
  const version = new CompiledVersion(foldersOf(design))
  const inPage = design.folders
    .filter(({ pageIds }) => pageIds.includes(pageId))
    .flatMap(({ folderCode }) => {
      const result = version.page({ folder: folderCode, page: page.pageCode })
      return result.ok || !('errors' in result)
        ? []
        : result.errors.flatMap((error) => (error.kind === 'cycle' ? [error.path] : []))
    })
  return inPage.length > 0 ? inPage : version.circles()
}

/** One key for a circle, whichever field it starts at. */
function keyOf(path: readonly string[]): string {
  return [...new Set(path)].toSorted().join(' ')
}
