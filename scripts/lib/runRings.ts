import { buildDocs } from '#scripts/lib/docsBuild.ts'
import { FIRST_STORIES, PROJECTS, SECOND_RING, otherStories } from '#scripts/lib/rings.ts'
import { run } from '#scripts/lib/run.ts'
import { playwright, step, vitest } from '#scripts/lib/suite.ts'
import type { StepResult } from '#scripts/lib/suite.ts'
import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

/** The checks, the build, the essential tests of every part, and the first stories in a browser. */
export async function firstRing(): Promise<readonly StepResult[]> {
  const checked = await step('check', () => run(process.execPath, ['scripts/guard.js', 'scripts/check.ts']))
  const built = await step('build', async () => ({ ok: await buildWeb() }))
  const essentials = await vitest('the essentials', PROJECTS, { without: SECOND_RING })
  return [
    checked,
    built,
    essentials,
    ...(await onBuild(built, () => playwright('the first stories in a browser', FIRST_STORIES))),
  ]
}

/** What takes longer: histories, drills, tests with disturbances; the documentation site, and all other stories. */
export async function secondRing(): Promise<readonly StepResult[]> {
  const rest = await vitest('the rest', PROJECTS, { only: SECOND_RING })
  const documents = await step('the documents as a site', async () => ({ ok: await buildDocs() }))
  const built = isWebBuilt() ? null : await step('build', async () => ({ ok: await buildWeb() }))
  return [
    rest,
    documents,
    ...(built === null ? [] : [built]),
    ...(await onBuild(built, () => playwright('all other stories in a browser', otherStories()))),
  ]
}

async function onBuild(built: StepResult | null, work: () => Promise<StepResult>): Promise<readonly StepResult[]> {
  if (built === null || built.failed === 0) return [await work()]
  console.log('\n── in the browser: not run, as there is no build to run it on')
  return []
}
