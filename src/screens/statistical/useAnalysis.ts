import { useEffect, useRef, useState } from 'react'
import type { AnalysisRequest } from '#core/analysis/request.ts'
import type { StatisticsColumns } from '#core/api/calls/data/statistics.ts'
import type { Analysis, AnalysisFailure } from '#core/analysis/runAnalysis.ts'

import { AnalysisThread } from './analysisThread.ts'

export type AnalysisState =
  | { readonly state: 'computing' }
  | { readonly state: 'ready'; readonly analysis: Analysis }
  | { readonly state: 'failed'; readonly why: AnalysisFailure | 'died' }

/** Computes an analysis of columns beside the page, whenever another is asked for, and `again` where one failed. */
export function useAnalysis(
  request: AnalysisRequest,
  columns: StatisticsColumns,
): readonly [state: AnalysisState, again: () => void] {
  const thread = useRef<AnalysisThread | null>(null)
  const [times, setTimes] = useState(0)
  const key = `${JSON.stringify(request)} ${columns.at} ${times}`
  const [computed, setComputed] = useState<{ readonly key: string; readonly state: AnalysisState } | null>(null)
  useEffect(
    () => () => {
      thread.current?.end()
      thread.current = null
    },
    [],
  )
  useEffect(() => {
    let isStale = false
    const compute = async () => {
      thread.current ??= new AnalysisThread()
      const result = await thread.current.run(JSON.parse(JSON.stringify(request)) as AnalysisRequest, {
        rows: columns.rows,
        columns: columns.columns,
      })
      if (isStale) return
      const state: AnalysisState = result.ok
        ? { state: 'ready', analysis: result.value }
        : { state: 'failed', why: result.error }
      setComputed({ key, state })
    }
    void compute()
    return () => {
      isStale = true
    }
    // The key stands for the request, which is made anew in every drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, columns])
  return [computed?.key === key ? computed.state : { state: 'computing' }, () => setTimes(times + 1)]
}
