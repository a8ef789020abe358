import { prepareBrowser } from '#scripts/lib/browser.ts'
import { run } from '#scripts/lib/run.ts'
import { FIRST_STORIES } from '#scripts/lib/stories.ts'
import { playwright, step, summarise, vitest } from '#scripts/lib/suite.ts'
import type { StepResult } from '#scripts/lib/suite.ts'
import { buildWeb } from '#scripts/lib/webBuild.ts'

/** `npm test`: what is asked before every change. All the other stories in a browser take longer than this: `npm run test:browser`. */
const problem = await prepareBrowser()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}

const results: StepResult[] = []
results.push(await step('check', () => run(process.execPath, ['scripts/guard.js', 'scripts/check.ts'])))
results.push(await step('build', async () => ({ ok: await buildWeb() })))
const built = results.at(-1)?.failed === 0
results.push(await vitest('unit and integration', ['core', 'offline', 'server', 'src', 'scripts', 'scenarios']))
if (built) {
  // A benchmark that nobody runs for a while must not be found broken on the day it is needed.
  results.push(await step('each benchmark once', () => run(process.execPath, ['scripts/guard.js', 'bench/run.ts', 'smoke'])))
  results.push(await playwright('the first stories in a browser', FIRST_STORIES))
} else console.log('\n── benchmarks and stories: not run, as there is no build to run them on')
await summarise(results)
