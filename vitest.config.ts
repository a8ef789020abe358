import { defineConfig } from 'vitest/config'
import type { Plugin } from 'vite'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { mistakes } from '#tests/long/support/mistakes.ts'
import { plant } from '#tests/scenarios/simulator/plantedBugs.ts'

/** A project of tests: one folder below tests/. */
function project(
  name: string,
  test: TestProjectInlineConfiguration['test'] = {},
  folder = `tests/${name}`,
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: [`${folder}/**/*.test.{ts,tsx}`], ...test } }
}

/** The database of the server's tests: one server for a whole run, one database per test file. */
const database = { globalSetup: ['tests/server/support/globalSetup.ts'], testTimeout: 30_000, hookTimeout: 60_000 }

/** A browser's window, as far as jsdom has one. */
const inWindow = { environment: 'jsdom', setupFiles: ['tests/src/support/setup.ts'], testTimeout: 30_000 }

/** Tests of what is drawn. Those of the rest look at what a module remembers: each loads it anew. */
const DRAWN = ['form', 'frame', 'screens', 'ui'].map((room) => `tests/src/${room}/**/*.test.{ts,tsx}`)

/** Plants the mistake that `PLANTED_BUG` names, to see whether the tests find it. */
function planting(name: string | undefined): Plugin[] {
  if (name === undefined) return []
  const bug = mistakes.find((one) => one.name === name)
  if (bug === undefined) throw new RangeError(`no such bug: ${name}`)
  return [
    {
      name: 'planted-bug',
      enforce: 'pre',
      transform: (code, id) => (id.endsWith(`/${bug.file}`) ? plant(bug, code) : null),
    },
  ]
}

const { PLANTED_BUG: plantedBug } = process.env

export default defineConfig({
  plugins: planting(plantedBug),
  test: {
    // What is kept of a module does not say which mistake was in it.
    fsModuleCache: plantedBug === undefined,
    // Two workers fill the two cores that the suite is measured on; more only make timings wobble.
    maxWorkers: 2,
    restoreMocks: true,
    // What is awaited comes within a second on a machine that does nothing else.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      // All of it are functions without a state: its files may share what they load.
      project('core', { isolate: false }),
      // What a file of these needs is in a database of its own: a worker loads the modules once for all of them.
      project('offline', { setupFiles: ['fake-indexeddb/auto'], isolate: false }),
      project('server', { ...database, isolate: false }),
      project('src', { ...inWindow, exclude: DRAWN }),
      // What is drawn: a worker loads the app and its window once, and setup.ts clears the window between files.
      project('screens', { ...inWindow, isolate: false, include: DRAWN }),
      project('scripts', { testTimeout: 30_000 }),
      project('scenarios', { ...database, setupFiles: ['fake-indexeddb/auto'], isolate: false }),
      // Run by `npm run test:long` only: scripts/test.ts names the projects of the default run.
      project('long', { ...database, testTimeout: 900_000, hookTimeout: 120_000, fileParallelism: false }),
    ],
  },
})
