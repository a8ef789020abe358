import { prepareBrowser } from '#scripts/lib/browser.ts'
import { prepareJudges } from '#scripts/lib/judges.ts'
import { summarise } from '#scripts/lib/suite.ts'
import { firstRing, secondRing } from '#scripts/lib/runRings.ts'

/**
 * `npm run test:all [-- --rest]`: everything except what takes hours (`npm run test:long`); with `--rest` only what
 * `npm test` leaves out.
 */
const problem = (await prepareBrowser(true)) ?? (await prepareJudges())
const isRest = process.argv.includes('--rest')
if (problem === undefined) await summarise([...(isRest ? [] : await firstRing()), ...(await secondRing())])
else {
  console.error(problem)
  process.exitCode = 1
}
