import { useCallback, useMemo, useState } from 'react'
import type { QueryList, QueryView } from '#src/data/shapes/queryTypes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

import type { SeveralAct } from './SeveralQueries.tsx'

/** What is being done with queries, as they were when it began. */
interface Doing {
  readonly act: SeveralAct
  readonly views: readonly QueryView[]
}

/**
 * The queries that a reader has picked in the list, and what they are doing with them. A query that leaves the
 * list, by a filter or because it is settled, is not picked any more.
 */
export function usePickedQueries(queries: Loadable<QueryList>) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NONE)
  const [doing, setDoing] = useState<Doing | null>(null)
  const views = useMemo(
    (): readonly QueryView[] =>
      queries.state === 'ready' && chosen.size > 0
        ? queries.value.queries.filter(({ query }) => chosen.has(query.id))
        : [],
    [queries, chosen],
  )
  const onPick = useCallback((keys: readonly string[], isPicked: boolean) => {
    setChosen((before) => {
      const next = new Set(before)
      for (const key of keys) {
        if (isPicked) next.add(key)
        else next.delete(key)
      }
      return next
    })
  }, [])
  return {
    views,
    picked: useMemo((): ReadonlySet<string> => new Set(views.map(({ query }) => query.id)), [views]),
    onPick,
    unpick: (ids: readonly string[]) => onPick(ids, false),
    clear: () => setChosen(NONE),
    doing,
    act: (act: SeveralAct) => setDoing({ act, views }),
    stop: () => setDoing(null),
  }
}

const NONE: ReadonlySet<string> = new Set()
