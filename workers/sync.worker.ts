import { expose } from 'comlink'
import * as z from 'zod/mini'
import { openStorage } from '#offline/db/open.ts'
import { runSync } from '#offline/sync/run.ts'
import type { SyncWorker } from '#offline/sync/run.ts'

// Our content security policy forbids code made from text, which zod would otherwise use to be faster.
z.config({ jitless: true })

const storage = openStorage()

const worker: SyncWorker = {
  run: (input) => runSync(storage, input, (request, init) => fetch(request, init)),
}

expose(worker)
