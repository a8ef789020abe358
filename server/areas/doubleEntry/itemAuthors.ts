import { hasPlace, nowAt } from '#core/study/migrateChange.ts'
import type { Place } from '#core/sync/merge.ts'
import { lastWords } from '#server/areas/doubleEntry/store.ts'
import type { LastWord } from '#server/areas/doubleEntry/store.ts'
import { pageSteps } from '#server/areas/entry/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/migrationSteps.ts'
import type { DefinedPage } from '#server/areas/entry/pages.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Who entered what the passes hold. The trail says it in the words of the release of its day: a field may have another code since, and another field its code. */

/** Who said last what an item holds, and when on their tablet; of a row, who made it. */
export interface ItemAuthor {
  readonly entryId: string
  readonly rid: string | null
  /** Code under the page's version; null of a row. */
  readonly code: string | null
  readonly name: string
  readonly at: string
}

/** Entries of both passes, and the page as which they are compared. */
interface OfPage {
  readonly firstId: string
  readonly secondId: string
  readonly page: DefinedPage
}

/** The last word on every item and row of these pages, under the codes that they have there. */
export async function itemAuthors(transaction: Queryable, projectId: string, pages: readonly OfPage[]): Promise<readonly ItemAuthor[]> {
  const pageOf = new Map(pages.flatMap(({ firstId, secondId, page }) => [[firstId, page] as const, [secondId, page] as const]))
  const found = new Map<string, ItemAuthor>()
  for (const word of await lastWords(transaction, [...pageOf.keys()])) {
    const page = pageOf.get(word.entryId)
    if (page === undefined) continue
    const steps = word.versionId === null ? [] : await pageSteps(transaction, projectId, word.versionId, page.versionId, page)
    const code = codeNow(word, steps)
    if (code === undefined) continue
    const { entryId, rid, name, at } = word
    const key = JSON.stringify([entryId, rid, code])
    // The latest come first.
    if (!found.has(key)) found.set(key, { entryId, rid, code, name, at })
  }
  return [...found.values()]
}

/** Undefined where the field has no place any more. */
function codeNow({ table, rid, code }: LastWord, steps: readonly PageStep[]): string | null | undefined {
  if (code === null) return null
  let place: Place = { table, rid, code }
  for (const { plan } of steps) {
    if (!hasPlace(plan, place)) return undefined
    place = nowAt(plan, place)
  }
  return place.code
}
