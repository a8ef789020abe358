import { expose } from 'comlink'
import type { ProblemsWorker } from '#core/design/problemsWorker.ts'
import { versionProblems } from '#core/design/versionProblems.ts'

/**
 * Looks for what is wrong with a version while it is designed: all its rules are compiled, which the hand does not wait
 * for.
 */

const worker: ProblemsWorker = { versionProblems }

expose(worker)
