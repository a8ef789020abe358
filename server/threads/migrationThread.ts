import { parentPort, workerData } from 'node:worker_threads'
import { dataSetWork } from '#server/jobs/dataSetRun.ts'
import { migrationWork } from '#server/jobs/migration.ts'
import { reviewPlanWork } from '#server/jobs/reviewPlan.ts'
import { startJobs } from '#server/jobs/runner.ts'
import { servicesOf } from '#server/threads/setting.ts'
import type { MigrationSetting } from '#server/threads/setting.ts'

/**
 * The thread that brings patients to releases, works out what a review plan asks for, and runs data sets. It reports
 * when the turn of a patient in a migration begins and ends. The server tells it when there is no room for writes, and
 * when to stop.
 */

/** How often it is looked whether a plan is to be worked out, ms. */
const PLANS_EVERY_MS = 1_000

const setting = workerData as MigrationSetting
const services = { ...servicesOf(setting, 7), health: { isFull: false } }
const { holder } = setting
const migrations = startJobs(services, [migrationWork(services, (at) => parentPort?.postMessage(at))], { holder })
// A plan that was switched on does not wait for a migration, and who switched it on looks at the lists next.
const plans = startJobs(services, [reviewPlanWork(services)], { holder, everyMs: PLANS_EVERY_MS })
// A run reads for minutes, on a connection of its own; whoever waits for it waits for nothing else.
const dataSets = startJobs(services, [dataSetWork(services)], { holder })

parentPort?.on('message', (said: 'stop' | { readonly isFull: boolean }) => {
  if (said !== 'stop') {
    // Whether the server has no room; the server checks that and tells this thread.
    services.health.isFull = said.isFull
    return
  }
  void Promise.all([migrations.stop(), plans.stop(), dataSets.stop()]).then(async () => {
    await services.pool.end()
    parentPort?.close()
  })
})
