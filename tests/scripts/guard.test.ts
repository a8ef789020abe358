import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '#scripts/lib/run.ts'

/** A Node below the version that is asked for, as the words that start it. */
interface Older {
  readonly what: string
  readonly words: (folder: string) => Promise<readonly string[]>
}

/** One that is as old as it says, where this machine has one. */
const found = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (binary) =>
    existsSync(binary) &&
    Number.parseInt(spawnSync(binary, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout, 10) < 24,
)

const OLDER: readonly Older[] = [
  {
    what: 'a Node that says it is an older one',
    words: async (at) => {
      const file = path.join(at, 'older.cjs')
      await writeFile(
        file,
        "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })",
      )
      return [process.execPath, '--require', file]
    },
  },
  ...(found === undefined ? [] : [{ what: found, words: () => Promise.resolve([found]) }]),
]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zl-guard-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A script in a scratch folder. */
async function script(text: string): Promise<string> {
  const file = path.join(folder, 'script.ts')
  await writeFile(file, text)
  return file
}

const guard = path.join(root, 'scripts', 'guard.js')

test('a TypeScript script runs with its own arguments', async () => {
  const file = await script('const words: string[] = process.argv.slice(2)\nconsole.log(words.join("|"))')
  const { stdout, status } = spawnSync(process.execPath, [guard, file, 'a', '--b=c'], { encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: 'a|--b=c\n', status: 0 })
})

test('without a script it says how it is used', () => {
  const { stderr, status } = spawnSync(process.execPath, [guard], { encoding: 'utf8' })
  expect(stderr).toContain('Usage:')
  expect(status).toBe(1)
})

test('before npm ci it says what to do', async () => {
  await mkdir(path.join(folder, 'scripts'))
  const copy = path.join(folder, 'scripts', 'guard.js')
  await symlink(guard, copy)
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--preserve-symlinks-main', '--preserve-symlinks', copy, 'x.ts'],
    { encoding: 'utf8' },
  )
  expect(stderr).toContain('npm ci')
  expect(status).toBe(1)
})

test.each(OLDER)('under $what it hands over to the one that the project brings', async ({ words }) => {
  const [binary = '', ...flags] = await words(folder)
  const file = await script(
    'console.log(Number.parseInt(process.versions.node, 10) >= 24)\nprocess.exitCode = 3 as number',
  )
  const { stdout, status } = spawnSync(binary, [...flags, guard, file], { encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: 'true\n', status: 3 })
})

test.each(OLDER)(
  'under $what a signal to stop reaches the script behind the guard, and its exit code comes back',
  async ({ words }) => {
    const [binary = '', ...flags] = await words(folder)
    const file = await script(
      "process.on('SIGTERM', () => { console.log('stopped cleanly'); process.exit(7) })\nsetInterval(() => undefined, 1000)\nconsole.log('up')",
    )
    const child = spawn(binary, [...flags, guard, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
      if (output === 'up\n') child.kill('SIGTERM')
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect({ code, output }).toEqual({ code: 7, output: 'up\nstopped cleanly\n' })
  },
)
