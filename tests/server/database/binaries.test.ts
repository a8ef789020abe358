import { execFile } from 'node:child_process'
import { cp, lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeLinks, locateBinaries } from '#server/database/binaries.ts'

const run = promisify(execFile)
let packageRoot: string

beforeAll(async () => {
  // What `npm ci --ignore-scripts` leaves: every file, and none of the links.
  packageRoot = await mkdtemp(join(tmpdir(), 'zl-binaries-'))
  const installed = dirname(dirname(dirname((await locateBinaries()).postgres)))
  await cp(installed, packageRoot, {
    recursive: true,
    filter: async (source) => !(await lstat(source)).isSymbolicLink(),
  })
})

afterAll(() => rm(packageRoot, { recursive: true, force: true }))

test('PostgreSQL runs after an installation without scripts', async () => {
  const postgres = join(packageRoot, 'native/bin/postgres')
  await expect(run(postgres, ['--version'])).rejects.toMatchObject({ code: 127 })
  await completeLinks(packageRoot)
  expect((await run(postgres, ['--version'])).stdout).toMatch(/PostgreSQL\) 18\./)
})

test('servers that start together do not get in each other’s way, and links that are there stay', async () => {
  await Promise.all([completeLinks(packageRoot), completeLinks(packageRoot), completeLinks(packageRoot)])
  expect((await run(join(packageRoot, 'native/bin/initdb'), ['--version'])).stdout).toContain('18.')
})
