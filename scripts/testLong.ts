import { startDebianPostgres } from '#scripts/lib/debianPostgres.ts'
import { prepareBrowser } from '#scripts/lib/browser.ts'
import { run } from '#scripts/lib/run.ts'
import { playwright, step, summarise, vitest } from '#scripts/lib/suite.ts'
import type { StepResult } from '#scripts/lib/suite.ts'

/**
 * `npm run test:long`: tests that are too long for every change: thirty histories in a real browser, each benchmark
 * once, and the server suite against Debian's PostgreSQL.
 */
const results: StepResult[] = [
  await vitest('long', ['long']),
  await historiesInChromium(),
  // A benchmark that is seldom run must not be broken on the day it is needed.
  await step('each benchmark once', () => run(process.execPath, ['scripts/guard.js', 'bench/run.ts', 'smoke'])),
  await serverOnDebian(),
]
await summarise(results)

/** Thirty random histories of a ward in a real browser; they build their own page. */
async function historiesInChromium(): Promise<StepResult> {
  const name = 'histories in Chromium'
  const problem = await prepareBrowser()
  if (problem === undefined) return playwright(name, ['e2e/histories.spec.ts'], { HISTORIES: '30' })
  console.error(problem)
  return step(name, () => Promise.resolve({ ok: false }))
}

async function serverOnDebian(): Promise<StepResult> {
  const started = performance.now()
  try {
    const cluster = await startDebianPostgres()
    console.log(`\nDebian's PostgreSQL ${cluster.version} is up`)
    try {
      return await vitest('server on Debian PostgreSQL', ['server'], {}, { env: { TEST_DATABASE_URL: cluster.url } })
    } finally {
      await cluster.stop()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return {
      name: 'server on Debian PostgreSQL',
      passed: 0,
      failed: 1,
      skipped: 0,
      broken: [],
      slowest: [],
      millis: performance.now() - started,
    }
  }
}
