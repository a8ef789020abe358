import { parentPort, workerData } from 'node:worker_threads'
import { migrationWork } from '#server/jobs/migration.ts'
import { startJobs } from '#server/jobs/runner.ts'
import { servicesOf } from '#server/threads/setting.ts'
import type { MigrationSetting } from '#server/threads/setting.ts'

/**
 * The thread that brings patients to releases. It reports when the turn of a patient begins and ends. The server
 * tells it when there is no room for writes, and when to stop.
 */

const setting = workerData as MigrationSetting
const services = { ...servicesOf(setting, 4), health: { isFull: false } }
const jobs = startJobs(services, [migrationWork(services, (at) => parentPort?.postMessage(at))], {
  holder: setting.holder,
})

parentPort?.on('message', (said: 'stop' | { readonly isFull: boolean }) => {
  if (said !== 'stop') {
    // Whether the server has no room; the server checks that and tells this thread.
    services.health.isFull = said.isFull
    return
  }
  void jobs.stop().then(async () => {
    await services.pool.end()
    parentPort?.close()
  })
})
