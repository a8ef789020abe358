import { parentPort, workerData } from 'node:worker_threads'
import { startMigrations } from '#server/jobs/migration.ts'
import { servicesOf } from '#server/threads/setting.ts'
import type { ThreadSetting } from '#server/threads/setting.ts'

/**
 * The thread that brings patients to releases. It says when the turn of a patient begins and ends; it is told when
 * there is no room for what it writes, and when to stop.
 */

const services = servicesOf(workerData as ThreadSetting, 4)
/** Whether the server has no room; it watches, and says so. */
const health = { isFull: false }
const migrations = startMigrations({ ...services, health }, { turn: (at) => parentPort?.postMessage(at) })

parentPort?.on('message', (said: 'stop' | { readonly isFull: boolean }) => {
  if (said !== 'stop') {
    health.isFull = said.isFull
    return
  }
  void migrations.stop().then(async () => {
    await services.pool.end()
    parentPort?.close()
  })
})
