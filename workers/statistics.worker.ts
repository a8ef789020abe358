import { expose } from 'comlink'
import { runAnalysis } from '#core/analysis/runAnalysis.ts'
import type { StatisticsWorker } from '#core/analysis/runAnalysis.ts'

/** Computes statistics of columns beside the page: exact tests and many differences take their time. */

const worker: StatisticsWorker = { runAnalysis }

expose(worker)
