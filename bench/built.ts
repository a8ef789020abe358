import { prepareBrowser } from '#scripts/lib/browser.ts'
import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

/**
 * Makes ready what a benchmark in a browser needs: the browser, and the app as it is built. False, and said why, where
 * it cannot be had.
 */
export async function browserAndApp(): Promise<boolean> {
  const problem = await prepareBrowser()
  if (problem !== undefined) console.error(problem)
  return problem === undefined && (isWebBuilt() || (await buildWeb()))
}
