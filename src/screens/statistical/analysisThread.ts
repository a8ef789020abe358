import { wrap } from 'comlink'
import type { Remote } from 'comlink'
import type { AnalysisRequest } from '#core/analysis/request.ts'
import type { ColumnSet } from '#core/analysis/rows.ts'
import type { Analysis, AnalysisFailure, StatisticsWorker } from '#core/analysis/runAnalysis.ts'
import type { Result } from '#core/result.ts'

/** What the thread that computes answers; `died` where it ran out of memory. */
export type Computed = Result<Analysis, AnalysisFailure | 'died'>

/** The thread beside the page that computes. One computation at a time: another one ends the one before. */
export class AnalysisThread {
  #thread: Worker | null = null
  #remote: Remote<StatisticsWorker> | null = null
  #isBusy = false

  async run(request: AnalysisRequest, set: ColumnSet): Promise<Computed> {
    if (this.#isBusy) this.end()
    const thread = (this.#thread ??= startThread())
    const remote = (this.#remote ??= wrap<StatisticsWorker>(thread))
    this.#isBusy = true
    const died = new Promise<Computed>((resolve) =>
      thread.addEventListener('error', () => resolve({ ok: false, error: 'died' }), { once: true }),
    )
    const computed = await Promise.race([remote.runAnalysis(request, set), died])
    if (this.#thread === thread) {
      this.#isBusy = false
      if (!computed.ok && computed.error === 'died') this.end()
    }
    return computed
  }

  end(): void {
    this.#thread?.terminate()
    this.#thread = null
    this.#remote = null
    this.#isBusy = false
  }
}

function startThread(): Worker {
  return new Worker(new URL('../../../workers/statistics.worker.ts', import.meta.url), { type: 'module' })
}
