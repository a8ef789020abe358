import { parentPort, workerData } from 'node:worker_threads'
import { startMigrations } from '#server/jobs/migration.ts'
import { servicesOf } from '#server/threads/setting.ts'
import type { ThreadSetting } from '#server/threads/setting.ts'

/** The thread that brings patients to releases. It says when the turn of a patient begins and ends; that it should stop is the one thing it is told. */

const services = servicesOf(workerData as ThreadSetting, 4)
const migrations = startMigrations(services, { turn: (at) => parentPort?.postMessage(at) })

parentPort?.once('message', () => {
  void migrations.stop().then(async () => {
    await services.pool.end()
    parentPort?.close()
  })
})
