import { expose } from 'comlink'
import ky from 'ky'
import * as z from 'zod/mini'
import { openStorage } from '#offline/db/open.ts'
import { runSync } from '#offline/sync/run.ts'
import type { SyncWorker } from '#offline/sync/run.ts'

// Our content security policy forbids code made from text, which zod would otherwise use to be faster.
z.config({ jitless: true })

const storage = openStorage()

/**
 * A pull or a lookup that finds no connection is asked again at once, a few times, before the cycle gives up: on a weak
 * network the next attempt often gets through. Only reads are repeated: repeating writes is the outbox's task. Our own
 * errors decide what a status means.
 */
const client = ky.create({
  retry: { limit: 2, methods: ['get'], backoffLimit: 2000 },
  throwHttpErrors: false,
  timeout: false,
})

const worker: SyncWorker = {
  run: (input) => runSync(storage, input, (request, init) => client(request, init)),
}

expose(worker)
