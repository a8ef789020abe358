import { useMemo } from 'react'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { addressKey } from '#core/form/definition/address.ts'
import { isUnsettled, reviewsQueries } from '#core/review/query.ts'
import type { QueryState } from '#core/review/query.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { usePatientQueries } from '#src/data/hooks/queries.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import type { QueryPort } from '#src/form/formContext.ts'

/** What was asked about a page. */
export interface PageQueries {
  /** The newest first. */
  readonly views: readonly QueryView[]
  readonly mayAsk: boolean
  /** Whether they were read: before, there may be others. */
  readonly isRead: boolean
}

/** What was asked about the open page; null for who has nothing to do with queries. */
export function usePageQueries(book: Casebook, target: EntryTarget): PageQueries | null {
  const rights = queryRightsOf(new Set(book.project.permissions))
  const isConcerned = reviewsQueries(rights) || rights.answers
  const read = usePatientQueries(isConcerned ? book.project.id : null, book.patient.id)
  const { asks } = rights
  const status = book.project.projectStatus
  return useMemo(() => {
    if (!isConcerned) return null
    const views = read.state === 'ready' ? read.value.filter(({ query }) => isOnPage(query.place, target)) : []
    return { views, mayAsk: asks && status === 'process', isRead: read.state === 'ready' }
  }, [isConcerned, read, target, asks, status])
}

function isOnPage(place: QueryPlace, target: EntryTarget): boolean {
  return (
    place.folderId === target.folderId &&
    place.folderRepeat === target.folderRepeat &&
    place.pageId === target.pageId &&
    place.pageRepeat === target.pageRepeat &&
    place.parentEntryId === target.parentEntryId &&
    place.pass === target.pass
  )
}

/** Where on the page a query has its mark: at a field; of a row, at its table. Null for one about the whole page. */
export function addressOfQuery({ table, rid, code }: QueryPlace): string | null {
  return code === null ? null : code === WHOLE_ROW ? table : addressKey({ table, rid, code })
}

/** What the fields of a form show of the queries: the same object until something about them changes. */
export function useQueryPort(queries: PageQueries | null, open: (address: string) => void): QueryPort | null {
  return useMemo(() => {
    if (queries === null) return null
    const marks = new Map<string, QueryState>()
    for (const { query } of queries.views.toReversed()) {
      const address = addressOfQuery(query.place)
      if (address === null || !(isUnsettled(query.state) || query.state === 'candidate')) continue
      // What is open goes before what is answered, and both before what was not asked yet.
      if (RANK[query.state] >= RANK[marks.get(address) ?? 'closed']) marks.set(address, query.state)
    }
    return { marks, open, mayAsk: queries.mayAsk }
  }, [queries, open])
}

const RANK: Readonly<Record<QueryState, number>> = { open: 3, answered: 2, candidate: 1, closed: 0, cancelled: 0 }
