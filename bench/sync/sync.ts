import { browserAndApp } from '../built.ts'
import { numberOption } from '../figures.ts'
import { drain } from './drain.ts'
import { firstPull } from './firstPull.ts'
import { localSave } from './localSave.ts'
import { migrationTurns } from './migrationTurns.ts'
import { onStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { WITH_JOB, serverSaves } from './serverSaves.ts'

/**
 * `npm run bench -- sync [--only=drain|pull|save|server|migration] [--runs=3] [--segments]`: the cost of the sync, with
 * the real app in Chromium and the real server in a process of its own. Prints medians and ratios, and enforces the
 * budgets of docs/architecture.md.
 */

type Part = (stage: Stage, args: readonly string[]) => Promise<boolean>

/** Pages that a coordinator saves in a day without a network. */
const SAVES = 1000

const PARTS: ReadonlyMap<string, Part> = new Map<string, Part>([
  [
    'drain',
    (stage, args) =>
      drain(stage, {
        runs: numberOption(args, 'runs', 3),
        saves: SAVES,
        items: numberOption(args, 'items', 13),
        alsoSegments: args.includes('--segments'),
      }),
  ],
  ['pull', (stage, args) => firstPull(stage, numberOption(args, 'runs', 3), numberOption(args, 'patients', 2000))],
  ['save', (stage, args) => localSave(stage, numberOption(args, 'runs', 3))],
  ['migration', (stage, args) => migrationTurns(stage, numberOption(args, 'runs', 3), numberOption(args, 'pages', 25))],
  ['server', (stage, args) => serverSaves(stage, numberOption(args, 'runs', 3))],
])

export async function run(args: readonly string[]): Promise<boolean> {
  const only = args.find((arg) => arg.startsWith('--only='))?.slice(7)
  const parts = [...PARTS].filter(([name]) => only === undefined || only === name)
  if (parts.length === 0) {
    console.error(`--only takes one of ${[...PARTS.keys()].join(', ')}`)
    return false
  }
  if (!(await browserAndApp())) return false
  // Browsers and servers that this process started end with it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  let ok = true
  for (const [name, part] of parts)
    ok = (await onStage((stage) => part(stage, args), name === 'server' ? WITH_JOB : {})) && ok
  console.log(ok ? '\nbench sync: within budget' : '\nbench sync: over budget')
  return ok
}
