import type { ComparedItem } from '#core/review/gaps.ts'
import { placeIn } from '#core/review/gaps.ts'
import { placeAfter } from '#core/study/migration/migrateChange.ts'
import { lastWords } from '#server/areas/doubleEntry/store.ts'
import type { LastWord } from '#server/areas/doubleEntry/store.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The authors of the values in both passes. The trail uses the codes of the release of its time. Since then a field
 * may have another code, and another field may have its code.
 */

/** The last author of an item, with the time on their tablet; for a row, the person who made it. */
interface ItemAuthor {
  readonly name: string
  readonly at: string
}

export interface ItemAuthors {
  /** The author of a pass's value in a comparison; null where the pass has none. */
  readonly of: (page: Pick<OfPage, 'firstId' | 'secondId'>, compared: ComparedItem, pass: 1 | 2) => ItemAuthor | null
}

/** Entries of both passes, and the page on which they are compared. */
interface OfPage {
  readonly firstId: string
  readonly secondId: string
  readonly page: DefinedPage
}

/** The last author of every item and row of these pages, under the codes on these pages. */
export async function itemAuthors(
  transaction: Queryable,
  projectId: string,
  pages: readonly OfPage[],
): Promise<ItemAuthors> {
  const pageOf = new Map(
    pages.flatMap(({ firstId, secondId, page }) => [[firstId, page] as const, [secondId, page] as const]),
  )
  const found = new Map<string, ItemAuthor>()
  for (const word of await lastWords(transaction, [...pageOf.keys()])) {
    const page = pageOf.get(word.entryId)
    if (page === undefined) continue
    const steps =
      word.versionId === null ? [] : await pageSteps(transaction, projectId, word.versionId, page.versionId, page)
    const code = codeNow(word, steps)
    if (code === undefined) continue
    const key = keyOf(word.entryId, { rid: word.rid, code })
    // The latest rows come first.
    if (!found.has(key)) found.set(key, { name: word.name, at: word.at })
  }
  return {
    of: ({ firstId, secondId }, compared, pass) => {
      const place = authoredPlace(compared, pass)
      return place === null ? null : (found.get(keyOf(pass === 1 ? firstId : secondId, place)) ?? null)
    },
  }
}

/** An item of an entry, under its code on the page, or a row of a table. */
interface Authored {
  readonly rid: string | null
  readonly code: string | null
}

function keyOf(entryId: string, { rid, code }: Authored): string {
  return JSON.stringify([entryId, rid, code])
}

/**
 * The item or row that a pass has in a comparison; null where it has none. Where the pass lacks a row, it may have a
 * reason why its table has no rows.
 */
function authoredPlace({ field, row, gap }: ComparedItem, pass: 1 | 2): Authored | null {
  const place = placeIn({ field, row }, pass)
  if (gap?.kind !== 'row') return place
  if (place !== null) return { rid: place.rid, code: null }
  return (pass === 1 ? gap.first : gap.second).missing === null ? null : { rid: null, code: field.code }
}

/** Undefined where the field no longer has a place. */
function codeNow({ table, rid, code }: LastWord, steps: readonly PageStep[]): string | null | undefined {
  if (code === null) return null
  return placeAfter(
    steps.map(({ plan }) => plan),
    { table, rid, code },
  )?.code
}
