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
 * Who entered what the passes hold. The trail says it in the words of the release of its day: a field may have another
 * code since, and another field its code.
 */

/** Who said last what an item holds, and when on their tablet; of a row, who made it. */
interface ItemAuthor {
  readonly name: string
  readonly at: string
}

export interface ItemAuthors {
  /** Whose word a pass has on what was compared; null where it says nothing. */
  readonly of: (page: Pick<OfPage, 'firstId' | 'secondId'>, compared: ComparedItem, pass: 1 | 2) => ItemAuthor | null
}

/** Entries of both passes, and the page as which they are compared. */
interface OfPage {
  readonly firstId: string
  readonly secondId: string
  readonly page: DefinedPage
}

/** The last word on every item and row of these pages, under the codes that they have there. */
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
    // The latest come first.
    if (!found.has(key)) found.set(key, { name: word.name, at: word.at })
  }
  return {
    of: ({ firstId, secondId }, compared, pass) => {
      const place = authoredPlace(compared, pass)
      return place === null ? null : (found.get(keyOf(pass === 1 ? firstId : secondId, place)) ?? null)
    },
  }
}

/** An item of an entry under its code there, or one of its rows. */
interface Authored {
  readonly rid: string | null
  readonly code: string | null
}

function keyOf(entryId: string, { rid, code }: Authored): string {
  return JSON.stringify([entryId, rid, code])
}

/**
 * What a pass says in a comparison; null where nothing. Of a row that it does not have, it may say why its table has
 * none.
 */
function authoredPlace({ field, row, gap }: ComparedItem, pass: 1 | 2): Authored | null {
  const place = placeIn({ field, row }, pass)
  if (gap?.kind !== 'row') return place
  if (place !== null) return { rid: place.rid, code: null }
  return (pass === 1 ? gap.first : gap.second).missing === null ? null : { rid: null, code: field.code }
}

/** Undefined where the field has no place any more. */
function codeNow({ table, rid, code }: LastWord, steps: readonly PageStep[]): string | null | undefined {
  if (code === null) return null
  return placeAfter(
    steps.map(({ plan }) => plan),
    { table, rid, code },
  )?.code
}
