import { isWebBuilt, buildWeb } from '#scripts/lib/webBuild.ts'
import { prepareBrowser } from '#scripts/lib/browser.ts'

import { numberOption } from '../figures.ts'
import { drain } from './drain.ts'
import { firstPull } from './firstPull.ts'
import { localSave } from './localSave.ts'
import { migrationTurns } from './migrationTurns.ts'
import { serverSaves } from './serverSaves.ts'

/**
 * `npm run bench -- sync [--only=drain|pull|save|server|migration] [--runs=3] [--segments]`: what the sync costs, with the real app in Chromium and
 * the real server in a process of its own. Prints medians and ratios, and enforces the budgets of DESIGN §10.
 */

type Part = (args: readonly string[]) => Promise<boolean>

const PARTS: ReadonlyMap<string, Part> = new Map([
  ['drain', (args: readonly string[]) => drain(numberOption(args, 'runs', 3), numberOption(args, 'items', 13), args.includes('--segments'))],
  ['pull', (args: readonly string[]) => firstPull(numberOption(args, 'runs', 3), numberOption(args, 'patients', 2000))],
  ['save', (args: readonly string[]) => localSave(numberOption(args, 'runs', 3))],
  ['migration', (args: readonly string[]) => migrationTurns(numberOption(args, 'runs', 3), numberOption(args, 'pages', 25))],
  ['server', (args: readonly string[]) => serverSaves(numberOption(args, 'runs', 3))],
])

export async function run(args: readonly string[]): Promise<boolean> {
  const only = args.find((arg) => arg.startsWith('--only='))?.slice(7)
  const parts = [...PARTS].filter(([name]) => only === undefined || only === name)
  if (parts.length === 0) {
    console.error(`--only takes one of ${[...PARTS.keys()].join(', ')}`)
    return false
  }
  const problem = await prepareBrowser()
  if (problem !== undefined) {
    console.error(problem)
    return false
  }
  if (!isWebBuilt() && !(await buildWeb())) return false
  // Browsers and servers that were started end with this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  let ok = true
  for (const [, part] of parts) ok = (await part(args)) && ok
  console.log(ok ? '\nbench sync: within budget' : '\nbench sync: over budget')
  return ok
}
