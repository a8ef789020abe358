import { workerData } from 'node:worker_threads'

import type { PrintSetting } from './printer.ts'

/** Ends its process where that takes more memory than it may, or where the server that started it is gone. */

const EVERY_MS = 100
const { memoryMb, parent } = workerData as PrintSetting & { readonly parent: number }

setInterval(() => {
  if (process.memoryUsage.rss() > memoryMb * 1_000_000 || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)
