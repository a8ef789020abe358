import { prepareBrowser } from '#scripts/lib/browser.ts'
import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

/**
 * Prepares what a benchmark in a browser needs: the browser, and the built app. False, with a message, where one of
 * them is not available.
 */
export async function browserAndApp(): Promise<boolean> {
  const problem = await prepareBrowser()
  if (problem !== undefined) console.error(problem)
  return problem === undefined && (isWebBuilt() || (await buildWeb()))
}
