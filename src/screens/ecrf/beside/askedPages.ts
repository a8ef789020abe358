import { createContext, useMemo } from 'react'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { isUnsettled, reviewsQueries } from '#core/review/query.ts'
import type { QueryState } from '#core/review/query.ts'
import { entryOfQuery } from '#core/review/queryThread.ts'
import { usePatientQueries } from '#src/data/hooks/queries.ts'
import type { Casebook } from '#src/data/shapes/types.ts'

/** Pages about which something is asked that is not settled, by entry: open goes before answered. */
export type AskedPages = ReadonlyMap<string, QueryState>

const NOBODY: AskedPages = new Map()

/** For lines of pages, however deep they lie in a casebook. */
export const AskedPagesContext = createContext<AskedPages>(NOBODY)

/** The pages of a patient about which something is asked; none for who has nothing to do with queries. */
export function useAskedPages({ project, patient }: Pick<Casebook, 'project' | 'patient'>): AskedPages {
  const rights = queryRightsOf(new Set(project.permissions))
  const isConcerned = reviewsQueries(rights) || rights.answers
  const read = usePatientQueries(isConcerned ? project.id : null, patient.id)
  return useMemo(() => {
    if (!isConcerned || read.state !== 'ready') return NOBODY
    const asked = new Map<string, QueryState>()
    for (const { query } of read.value) {
      const entry = isUnsettled(query.state) ? entryOfQuery(query.place) : null
      if (entry !== null && asked.get(entry) !== 'open') asked.set(entry, query.state)
    }
    return asked
  }, [isConcerned, read])
}
