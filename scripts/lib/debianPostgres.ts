import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installDebianPackages } from '#scripts/lib/apt.ts'
import { freePort } from '#scripts/lib/ports.ts'
import { run } from '#scripts/lib/run.ts'

const VERSIONS = '/usr/lib/postgresql'
const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 30_000

/** A running private cluster. `url` is a superuser's; `stop` ends the server and removes its files. */
export type Cluster = Readonly<{ url: string; version: string; stop: () => Promise<void> }>

/**
 * Starts a private cluster of Debian's PostgreSQL (the newest installed one; it is installed first where there is none
 * and that is allowed). It listens on a free TCP port of the loopback with password sign-in, as an operator's server
 * would.
 *
 * @throws Error with what to do, when there is no server or it does not start.
 */
export async function startDebianPostgres(): Promise<Cluster> {
  if (newestVersion() === undefined) await installDebianPackages(['postgresql'])
  const version = newestVersion()
  if (version === undefined) {
    throw new Error("These tests need Debian's PostgreSQL. As root:  apt-get install postgresql")
  }
  const bin = path.join(VERSIONS, version, 'bin')
  const folder = await mkdtemp('/tmp/zl-pg-')
  try {
    return await startIn(folder, bin, version)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function newestVersion(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  const versions = readdirSync(VERSIONS).filter((name) => existsSync(path.join(VERSIONS, name, 'bin', 'postgres')))
  return versions.toSorted((a, b) => Number(b) - Number(a))[0]
}

async function startIn(folder: string, bin: string, version: string): Promise<Cluster> {
  const data = path.join(folder, 'data')
  const passwordFile = path.join(folder, 'password')
  const password = randomBytes(18).toString('hex')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await chmod(folder, 0o700)
  // PostgreSQL refuses root: then it runs as the user that Debian's package created, who must own the folder.
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  if (isRoot) await must('chown', ['-R', 'postgres:postgres', folder])
  await must('setpriv', [
    ...user,
    path.join(bin, 'initdb'),
    `--pgdata=${data}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ])

  const port = await freePort()
  const server = spawn(
    'setpriv',
    // The kernel also stops it when this script is killed.
    [
      ...user,
      '--pdeathsig=INT',
      path.join(bin, 'postgres'),
      '-D',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      folder,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  server.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString('utf8')).slice(-20_000)))
  const exited = new Promise<void>((resolve) => server.once('close', () => resolve()))
  // However this script ends, it must not leave a server behind.
  const kill = () => server.kill('SIGINT')
  process.once('exit', kill)

  const deadline = Date.now() + START_LIMIT_MS
  while (!log.includes('database system is ready to accept connections')) {
    if (server.exitCode !== null || Date.now() > deadline) {
      kill()
      throw new Error(`Debian's PostgreSQL ${version} did not start:\n${log}`)
    }
    await sleep(100)
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    version,
    stop: async () => {
      process.off('exit', kill)
      kill() // SIGINT is PostgreSQL's fast shutdown
      await Promise.race([exited, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
      if (server.exitCode === null) server.kill('SIGQUIT')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function must(command: string, args: readonly string[]): Promise<void> {
  const outcome = await run(command, args, { capture: true })
  if (!outcome.ok) throw new Error(`${command} ${args.join(' ')} failed:\n${outcome.output}`)
}
