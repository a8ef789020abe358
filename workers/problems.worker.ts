import { expose } from 'comlink'
import type { ProblemsWorker } from '#core/design/problemsWorker.ts'
import { versionProblems } from '#core/design/versionProblems.ts'

/** Looks for problems of a version while it is designed: it compiles all rules, and typing must not wait for that. */

const worker: ProblemsWorker = { versionProblems }

expose(worker)
