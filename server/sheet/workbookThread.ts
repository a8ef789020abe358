import { parentPort, workerData } from 'node:worker_threads'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'

/** The thread that `readBeside` starts: reads one workbook and ends. */
parentPort?.postMessage(readSheets(workerData as Uint8Array))
