import { prepareBrowser } from '#scripts/lib/browser.ts'
import { OTHER_ENGINES, otherStories } from '#scripts/lib/rings.ts'
import { playwright, step, summarise } from '#scripts/lib/suite.ts'
import type { StepResult } from '#scripts/lib/suite.ts'
import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

/**
 * `npm run test:browser [-- e2e/forms.spec.ts …]`: the built app in a real browser, with the named stories or all
 * except those of `npm test`.
 */
const named = process.argv.slice(2)
const problem = await prepareBrowser(named.length === 0 || named.some((file) => file.includes(OTHER_ENGINES)))
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}

const build: readonly StepResult[] = isWebBuilt() ? [] : [await step('build', async () => ({ ok: await buildWeb() }))]
const isBuilt = build.every(({ failed }) => failed === 0)
await summarise([
  ...build,
  ...(isBuilt ? [await playwright('in the browser', named.length > 0 ? named : otherStories())] : []),
])
