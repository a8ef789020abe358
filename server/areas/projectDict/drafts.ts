import { fail } from '#core/api/errors.ts'
import { fillLists } from '#core/form/definition/fillLists.ts'
import type { AskForList } from '#core/form/definition/fillLists.ts'
import { listUrlFor, partOf } from '#core/form/definition/lists.ts'
import type { RawPart } from '#core/form/definition/lists.ts'
import { choicesOf, entriesBelow, projectListOf, usesOfProjectLists } from '#core/form/definition/projectLists.ts'
import type { ProjectList } from '#core/form/definition/projectLists.ts'
import * as store from '#server/areas/projectDict/store.ts'
import type { DictRecord, NamingPage } from '#server/areas/projectDict/store.ts'
import { listedBelow } from '#server/areas/projectDict/tree.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Copies of a project's dictionaries in the pages of its versions. Copies in drafts follow the dictionary. Copies in
 * test versions and releases stay as they were (docs/adr/0024-lists-and-look-ups.md).
 */

/** Whether a field names this dictionary. */
export function names(list: ProjectList, dictionary: Pick<DictRecord, 'id' | 'code'>): boolean {
  return (
    list.parentId === dictionary.id ||
    (list.parentId === null && list.code?.toLowerCase() === dictionary.code.toLowerCase())
  )
}

/** The option of a page; null for one that cannot be read, which then names no dictionary. */
export function optionOf({ option }: Pick<NamingPage, 'option'>): RawPart | null {
  try {
    return partOf(JSON.parse(option))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Longest option that a designer can save again (core/api/calls/version.ts), in UTF-16 units. */
const LONGEST_OPTION = 4_000_000

/**
 * Updates the copies in the drafts of a project. The drafts are locked (`lockDictionaries`).
 *
 * @param tooLong what happens to a page that would be too long with its lists: the change is refused, or the page is
 *   left without them, which keeps its version from being published
 * @returns ids of the drafts in which anything changed
 * @throws ApiFailure `invalid`
 */
export async function refreshDrafts(
  transaction: Queryable,
  projectId: string,
  tooLong: 'refuse' | 'leave',
): Promise<readonly string[]> {
  const pages = (await store.namingPages(transaction, projectId, ['draft'])).flatMap((page) => {
    const option = optionOf(page)
    return option === null || usesOfProjectLists(option).length === 0 ? [] : [{ page, option }]
  })
  if (pages.length === 0) return []
  const ask = await askingDictionaries(transaction, projectId)
  const changed = new Set<string>()
  for (const { page, option } of pages) {
    const filled = await fillLists(option, ask)
    if (JSON.stringify(partOf(filled.zl).lists) === JSON.stringify(partOf(option.zl).lists)) continue
    const text = JSON.stringify(filled)
    if (text.length > LONGEST_OPTION && tooLong === 'refuse')
      throw fail('invalid', { fields: [{ path: `option.${page.page_id}`, code: 'too_many' }] })
    if (text.length > LONGEST_OPTION) continue
    await store.setOption(transaction, { versionId: page.version_id, pageId: page.page_id, option: text })
    changed.add(page.version_id)
  }
  return [...changed]
}

/**
 * Gives the drafts of a project the newest lists, in the transaction that made, changed or sent back one of them.
 * That draft has no copies of the project's dictionaries yet, or older ones. It has to be called last before the
 * commit, because it locks the project.
 *
 * @returns ids of the drafts in which anything changed
 */
export async function withNewestLists(transaction: Queryable, projectId: string): Promise<readonly string[]> {
  await store.lockDictionaries(transaction, projectId)
  return refreshDrafts(transaction, projectId, 'leave')
}

/** Audit rows of drafts whose lists were updated. */
export function listsAudit(drafts: readonly string[]): readonly NewAuditRow[] {
  return drafts.map((versionId) => ({ action: 'version.lists', versionId }))
}

/** Fills in the project's own dictionaries. Of every other list the copy in the page is kept. */
async function askingDictionaries(transaction: Queryable, projectId: string): Promise<AskForList> {
  const dictionaries = await store.allDictionaries(transaction, projectId)
  const entries = await store.entriesOf(
    transaction,
    dictionaries.map(({ id }) => id),
  )
  const byRoot = new Map<string, DictRecord[]>(dictionaries.map(({ id }) => [id, []]))
  for (const entry of entries) byRoot.get(entry.root_id)?.push(entry)
  return async (named, answer) => {
    const list = projectListOf(listUrlFor(named.url, answer))
    const dictionary = list === null ? undefined : dictionaries.find((one) => names(list, one))
    // The last copy of a removed dictionary stays, so that the design stays usable.
    if (list === null || dictionary === undefined) return null
    const all = listedBelow(byRoot.get(dictionary.id) ?? [], dictionary.id)
    return choicesOf(list.below === null ? all : entriesBelow(all, list.below))
  }
}
