import { prepareBrowser } from '#scripts/lib/browser.ts'
import { summarise } from '#scripts/lib/suite.ts'
import { firstRing } from '#scripts/lib/runRings.ts'

/** `npm test`: the tests before every change, in at most 12 minutes on two cores. The rest: `npm run test:all`. */
const problem = await prepareBrowser()
if (problem === undefined) await summarise(await firstRing())
else {
  console.error(problem)
  process.exitCode = 1
}
