import { startDebianPostgres } from '#scripts/lib/debianPostgres.ts'
import { summarise, vitest } from '#scripts/lib/suite.ts'
import type { StepResult } from '#scripts/lib/suite.ts'

/** `npm run test:long`: what takes longer than a change should wait for, and the server suite against Debian's PostgreSQL. */
const results: StepResult[] = [await vitest('long', ['long']), await serverOnDebian()]
summarise(results)

async function serverOnDebian(): Promise<StepResult> {
  const started = performance.now()
  try {
    const cluster = await startDebianPostgres()
    console.log(`\nDebian's PostgreSQL ${cluster.version} is up`)
    try {
      return await vitest('server on Debian PostgreSQL', ['server'], { env: { TEST_DATABASE_URL: cluster.url } })
    } finally {
      await cluster.stop()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { name: 'server on Debian PostgreSQL', passed: 0, failed: 1, skipped: 0, millis: performance.now() - started }
  }
}
