import { run as beside } from './beside/beside.ts'
import { run as data } from './data/data.ts'
import { run as design } from './design/design.ts'
import { run as forms } from './forms/forms.ts'
import { run as home } from './home/home.ts'
import { run as lists } from './lists/lists.ts'
import { run as print } from './print/print.ts'
import { run as review } from './review/review.ts'
import { run as smoke } from './smoke.ts'
import { run as sync } from './sync/sync.ts'
import { run as web } from './web/web.ts'

/** `npm run bench -- <name> [options]`: one benchmark with its budgets. Ends with 1 when a budget is exceeded. */
const BENCHMARKS: ReadonlyMap<string, (args: readonly string[]) => Promise<boolean>> = new Map([
  ['beside', beside],
  ['data', data],
  ['design', design],
  ['forms', forms],
  ['home', home],
  ['lists', lists],
  ['print', print],
  ['review', review],
  ['smoke', smoke],
  ['sync', sync],
  ['web', web],
])

const [name = '', ...args] = process.argv.slice(2)
const benchmark = BENCHMARKS.get(name)
if (benchmark === undefined) {
  console.error(`Usage: npm run bench -- <${[...BENCHMARKS.keys()].join('|')}> [--runs=5]`)
  process.exit(2)
}
process.exitCode = (await benchmark(args)) ? 0 : 1
